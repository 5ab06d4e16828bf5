"""A real browser draws the gallery: no rule of the policy is broken, everything can be read, reached and pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

# For each piece of text: its ratio of contrast to what is painted behind it, and whether it is large.
CONTRASTS = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => top.slice(0, 3).map((part, i) => part * top[3] + below[i] * (1 - top[3]));
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const light = (colour) => {
    const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = colour.map((part) => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node; (node = walker.nextNode()); ) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest(":disabled, script, option") || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const [a, b] = [light(over(rgba(style.color), ground)), light(ground)];
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 700);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push({ text: node.data.trim().slice(0, 30), where: element.className || element.tagName, ratio, large });
  }
  return found;
}"""

PRESSED = (
    "button, summary, select, textarea, .button, .row, .step, .chip, .check, .brand, "
    ".tabs a, .pagination a, .top-nav a, "
    "input:not([type=hidden], .row > *, .step > *, .chip > *, .check > *)"
)
SMALL_TARGETS = """(pressed) => [...document.querySelectorAll(pressed)]
  .filter((element) => element.checkVisibility() && !element.closest("dialog:not([open])"))
  .map((element) => ({ what: element.className || element.tagName, ...element.getBoundingClientRect().toJSON() }))
  .filter((box) => box.height < 44 || box.width < 44).map((box) => [box.what, box.width, box.height])"""


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Open a page; when the test is over, the browser must have had nothing to complain about."""
    complaints: list[str] = []
    contexts = []

    def open_page(path: str = "/", **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_can_be_read(opened: Callable[..., Page], theme: str) -> None:
    page = opened(color_scheme=theme, reduced_motion="reduce")
    page.click("details.menu summary")
    found = page.evaluate(CONTRASTS)
    assert len(found) > 100
    assert [entry for entry in found if entry["ratio"] < (3 if entry["large"] else 4.5)] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_edges_of_controls_can_be_seen(opened: Callable[..., Page], theme: str) -> None:
    page = opened(color_scheme=theme)
    pairs = [
        *(("--edge", "--surface"), ("--edge", "--ground"), ("--focus", "--ground"), ("--focus", "--surface")),
        *(("--accent", "--surface"), ("--accent", "--line"), ("--accent", "--accent-soft")),
    ]
    page.evaluate(
        """(pairs) => {
      for (const [edge, ground] of pairs) {
        const swatch = document.createElement("p");
        swatch.className = "swatch";
        swatch.textContent = edge + " on " + ground;
        const sheet = new CSSStyleSheet();
        const name = (edge + ground).replaceAll("--", "x");
        swatch.id = name;
        sheet.replaceSync(`#${name} { color: var(${edge}); background: var(${ground}) }`);
        document.adoptedStyleSheets.push(sheet);
        document.body.append(swatch);
      }
    }""",
        pairs,
    )
    found = [entry for entry in page.evaluate(CONTRASTS) if entry["where"] == "swatch"]
    assert len(found) == len(pairs)
    assert [entry for entry in found if entry["ratio"] < 3] == []


@pytest.mark.parametrize("path", ["/", "/?in=he"])
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_nothing_is_wider_than_the_screen(opened: Callable[..., Page], path: str, width: int) -> None:
    page = opened(path, viewport={"width": width, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_fingers_find_what_they_press(opened: Callable[..., Page]) -> None:
    page = opened(**PHONE)
    page.click("details.menu summary")
    assert page.evaluate(SMALL_TARGETS, PRESSED) == []


def test_keys_are_not_shown_where_there_is_no_keyboard(opened: Callable[..., Page]) -> None:
    assert not opened(**PHONE).is_visible("kbd >> nth=0")
    assert opened().is_visible("kbd >> nth=0")


def test_a_page_from_right_to_left_begins_at_the_right(opened: Callable[..., Page]) -> None:
    page = opened("/?in=he", viewport={"width": 1000, "height": 700})
    place = "selector => document.querySelector(selector).getBoundingClientRect().left"
    assert page.evaluate(place, ".brand") > page.evaluate(place, ".menu")
    assert page.evaluate(place, ".answer-label") > page.evaluate(place, ".answer > kbd")
    assert page.evaluate(place, ".row input") > page.evaluate(place, ".row kbd")


def test_a_text_is_set_in_its_own_direction(opened: Callable[..., Page]) -> None:
    page = opened("/?in=he")
    directions = page.evaluate("[...document.querySelectorAll('.row .said')].map(e => getComputedStyle(e).direction)")
    assert directions == ["rtl", "rtl", "ltr", "rtl"]


def test_the_chosen_colours_stay(opened: Callable[..., Page]) -> None:
    page = opened(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("details.menu summary")
    page.click("[data-theme-choice=dark]")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark
    page.click("details.menu summary")
    assert page.get_attribute("[data-theme-choice=dark]", "aria-pressed") == "true"
    page.click("[data-theme-choice=auto]")
    assert page.evaluate(ground) == light


def test_the_menu_closes_by_escape_and_by_a_click_elsewhere(opened: Callable[..., Page]) -> None:
    page = opened()
    page.click("details.menu summary")
    page.keyboard.press("Escape")
    assert not page.is_visible(".menu-list")
    page.click("details.menu summary")
    page.click("h1")
    assert not page.is_visible(".menu-list")


def test_a_dialog_opens_and_closes(opened: Callable[..., Page]) -> None:
    page = opened()
    for close in ("[data-closes]", "dialog button:has-text('Keep')"):
        page.click("[data-opens=sure]")
        assert page.is_visible("dialog")
        page.click(close)
        assert not page.is_visible("dialog")
    page.click("[data-opens=sure]")
    page.mouse.click(5, 5)
    assert not page.is_visible("dialog")


def test_htmx_sends_the_token_and_runs_no_script_that_comes_back(opened: Callable[..., Page]) -> None:
    page = opened()
    page.click(".answer >> nth=1")
    page.wait_for_selector("#taken")
    assert page.inner_text("#taken") == "token-of-session"
    assert page.title() == "Gallery"


def test_the_first_press_of_tab_offers_to_skip_to_the_content(opened: Callable[..., Page]) -> None:
    page = opened()
    page.keyboard.press("Tab")
    assert page.is_visible(".skip")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_focus_is_seen_on_every_kind_of_control(opened: Callable[..., Page]) -> None:
    page = opened()
    ringed = """() => {
      for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at);
        if (style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 3) return true;
      }
      return false;
    }"""
    for _ in range(45):
        page.keyboard.press("Tab")
        assert page.evaluate(ringed), page.evaluate("document.activeElement.outerHTML")


def test_a_scale_is_answered_with_the_keyboard(opened: Callable[..., Page]) -> None:
    page = opened()
    page.focus("input[name=fluency]:checked")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.querySelector('input[name=fluency]:checked').value") == "5"


def test_the_status_says_what_happens(opened: Callable[..., Page]) -> None:
    page = opened()
    page.evaluate("paraloom.status('kept', 'Kept in this browser, <b>not sent')")
    assert page.inner_text("#status") == "Kept in this browser, <b>not sent"
    assert page.get_attribute("#status", "aria-live") == "polite"


def test_paper_is_white_and_carries_no_buttons(opened: Callable[..., Page]) -> None:
    page = opened(color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.is_visible(".top")
    assert not page.is_visible(".button >> nth=0")
