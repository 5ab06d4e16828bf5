"""Passages are selected in a real browser, by mouse, finger and keyboard; offsets are those that Python counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from paraloom.judgments.tasks.extract import ExtractTask, segments
from paraloom.judgments.tasks.task import Shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
OpenTask = Callable[..., "Page"]

LEFT = (
    "Hi 😀👩🏽‍🚀! The bridge 🌉 is closed until spring. Nobody knows why.\n\nIt was old\r\nand 𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast. The end."
)
RIGHT = "Before March 🌉 nobody can cross. The reason is unknown 😢. It fell apart quickly."
HEBREW = "ראש העיר אמר 😀 שהגשר יישאר סגור עד האביב. איש אינו יודע מדוע.\nהתושבים כועסים."
DOCUMENTS: dict[str, Any] = {"left": {"text": LEFT}, "right": {"text": RIGHT}}


def spans(left: str, right: str, left_text: str = LEFT, right_text: str = RIGHT) -> dict[str, int]:
    """Where two passages stand, as Python counts."""
    start, other = left_text.index(left), right_text.index(right)
    return {
        "left_start": start,
        "left_end": start + len(left),
        "right_start": other,
        "right_end": other + len(right),
    }


def selected(page: Page) -> list[str]:
    return [page.text_content(f'[data-selected="{side}"]') or "" for side in ("left", "right")]


def answered(page: Page, raw: dict[str, Any] = DOCUMENTS) -> list[tuple[str, str]]:
    """The texts of the pairs that the page would send, cut out by Python."""
    task = ExtractTask()
    content = task.read_content(raw)
    answer = task.read_answer(page.evaluate("task.answer()"), content)
    return [(one.left, one.right) for one in segments(content, answer)]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


# Where the edges of a passage are drawn: of its first and its last character, as a mouse would aim at them.
EDGES = """([side, text]) => {
  const root = document.querySelector(`[data-side=${side}] .document-text`);
  const at = root.textContent.indexOf(text);
  const place = (unit) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node, left = unit; (node = nodes.nextNode()); left -= node.length) {
      if (left < node.length) return [node, left];
    }
  };
  const box = (from, to) => {
    const range = document.createRange();
    range.setStart(...place(from));
    const [node, offset] = place(to - 1);
    range.setEnd(node, offset + 1);
    return range;
  };
  const isRtl = getComputedStyle(root).direction === "rtl";
  const first = [...box(at, at + 1).getClientRects()].at(-1);
  const last = [...box(at + text.length - 1, at + text.length).getClientRects()].at(-1);
  const middle = (one) => (one.top + one.bottom) / 2;
  return isRtl
    ? [first.right - 0.5, middle(first), last.left + 0.5, middle(last)]
    : [first.left + 0.5, middle(first), last.right - 0.5, middle(last)];
}"""


def drag(page: Page, side: str, text: str, *, backward: bool = False) -> None:
    """Select a passage with the mouse, from its first character to its last or the other way round."""
    x, y, to_x, to_y = page.evaluate(EDGES, [side, text])
    if backward:
        x, y, to_x, to_y = to_x, to_y, x, y
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
    page.mouse.move(to_x, to_y, steps=3)
    page.mouse.up()


PASSAGES = [
    ("The bridge", "Before March"),
    ("is closed until spring. Nobody knows why.", "The reason is unknown"),  # behind characters of two units
    ("Nobody knows why.\n\nIt was old", "nobody can cross. The reason"),  # over line breaks
    ("and 𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast", "It fell apart quickly"),  # behind a carriage return
]


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize(("left", "right"), PASSAGES)
def test_a_passage_dragged_over_with_the_mouse_is_the_same_in_python(
    open_task: OpenTask, left: str, right: str, backward: bool
) -> None:
    page = open_task("extract", DOCUMENTS)
    drag(page, "left", left, backward=backward)
    drag(page, "right", right, backward=backward)
    assert selected(page) == [left, right]
    page.keyboard.press("a")
    assert answered(page) == [(left, right)]
    assert page.evaluate("task.answer()")["pairs"] == [spans(left, right)]


def test_a_selection_may_cross_marks_and_lie_within_them(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    marked = [
        ("bridge 🌉 is closed", "nobody can cross."),
        ("is closed until spring.", "cross. The reason is"),  # overlaps
        ("closed", "cross"),  # lies within both
        ("The bridge 🌉 is closed until spring. Nobody", "Before March 🌉 nobody can cross. The reason"),  # covers all
    ]
    for left, right in marked:
        drag(page, "left", left)
        drag(page, "right", right)
        page.click('[data-does="add"]')
    assert answered(page) == marked
    assert page.evaluate("document.querySelector('[data-side=left] .document-text').textContent") == LEFT
    numbers = page.eval_on_selector_all(
        "[data-side=left] mark[data-number]", "all => all.map(one => one.dataset.number)"
    )
    assert numbers == ["4", "1", "2", "3"]


def test_texts_that_run_from_right_to_left_are_selected_in_their_own_order(open_task: OpenTask) -> None:
    raw = {"left": {"text": HEBREW}, "right": {"text": RIGHT}}
    page = open_task("extract", raw)
    drag(page, "left", "שהגשר יישאר סגור עד האביב")
    drag(page, "right", "nobody can cross")
    page.keyboard.press("Enter")
    assert answered(page, raw) == [("שהגשר יישאר סגור עד האביב", "nobody can cross")]


def test_a_drag_that_leaves_its_document_ends_where_the_document_ends(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    x, y, *_ = page.evaluate(EDGES, ["left", "The end."])
    *_, to_x, to_y = page.evaluate(EDGES, ["right", "It fell"])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(to_x, to_y + 300, steps=6)
    page.mouse.up()
    assert selected(page) == ["The end.", ""]
    assert page.evaluate("getSelection().isCollapsed")
    assert page.locator("[data-side=left] mark.active").text_content() == "The end."


def test_white_space_at_the_ends_of_a_selection_is_left_out(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    page.evaluate("""() => {
      const node = document.querySelector("[data-side=left] .document-text").firstChild;
      const [start, end] = [node.data.indexOf(" Nobody"), node.data.indexOf("It was")];
      getSelection().setBaseAndExtent(node, start, node, end);
    }""")
    page.locator("[data-selected=left]:not(:empty)").wait_for()
    assert selected(page)[0] == "Nobody knows why."


def test_half_a_character_is_never_selected(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    page.evaluate("""() => {
      const node = document.querySelector("[data-side=left] .document-text").firstChild;
      const at = node.data.indexOf("🌉") + 1;
      getSelection().setBaseAndExtent(node, at, node, at + 4);
    }""")
    page.locator("[data-selected=left]:not(:empty)").wait_for()
    assert selected(page)[0] == "🌉 is"


def test_a_click_clears_what_its_document_has_selected_and_keeps_the_other(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    drag(page, "left", "The bridge")
    drag(page, "right", "Before March")
    x, y, *_ = page.evaluate(EDGES, ["right", "quickly"])
    page.mouse.click(x, y)
    assert selected(page) == ["The bridge", ""]


def test_a_finger_selects_and_adds(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    for side, word in (("left", "closed"), ("right", "cross")):
        page.evaluate(  # what a long press does, and what dragging the handles does after it
            """([side, word]) => {
              const node = document.querySelector(`[data-side=${side}] .document-text`).firstChild;
              const at = node.data.indexOf(word);
              getSelection().setBaseAndExtent(node, at, node, at + word.length);
              getSelection().extend(node, at + word.length + 2);
            }""",
            [side, word],
        )
        page.locator(f"[data-selected={side}]:not(:empty)").wait_for()
    page.tap('[data-does="add"]')
    assert answered(page) == [("closed u", "cross.")]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# ── the keyboard alone


def test_words_are_selected_with_the_keyboard_alone(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    press(page, "k", "Control+ArrowRight", *["ArrowRight"] * 2, *["Shift+ArrowRight"] * 3)
    assert selected(page)[0] == "🌉 is closed"
    press(page, "Tab", "Shift+ArrowRight", "Shift+ArrowRight")
    assert selected(page) == ["🌉 is closed", "Before March"]
    press(page, "Enter")
    assert answered(page) == [("🌉 is closed", "Before March")]
    assert selected(page) == ["", ""]
    press(page, "Shift+ArrowRight")  # the caret is back on the left, where it was
    assert selected(page) == ["until", ""]


def test_sentences_are_selected_with_control(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    press(page, "k", "Control+ArrowRight", "Control+Shift+ArrowRight", "Control+Shift+ArrowRight")
    assert selected(page)[0] == "The bridge 🌉 is closed until spring. Nobody knows why."
    press(page, "Control+Shift+ArrowLeft")
    assert selected(page)[0] == "The bridge 🌉 is closed until spring."
    press(page, "Shift+ArrowLeft", "Shift+ArrowLeft")
    assert selected(page)[0] == "The bridge 🌉 is closed until"


def test_a_selection_can_grow_backwards_and_turn_around(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    press(page, "k", "Control+ArrowRight", "Control+ArrowRight", "Shift+ArrowLeft", "Shift+ArrowLeft")
    assert selected(page)[0] == "spring."
    press(page, *["Shift+ArrowRight"] * 3)
    assert selected(page)[0] == "Nobody"


def test_arrows_follow_the_eye_in_texts_that_run_from_right_to_left(open_task: OpenTask) -> None:
    raw = {"left": {"text": HEBREW}, "right": {"text": RIGHT}}
    page = open_task("extract", raw)
    press(page, "k", "ArrowLeft", "ArrowLeft", *["Shift+ArrowLeft"] * 3)
    assert selected(page)[0] == "אמר 😀 שהגשר"
    press(page, "Shift+ArrowRight")
    assert selected(page)[0] == "אמר 😀"


def test_the_caret_goes_up_and_down_by_lines_over_blank_ones(open_task: OpenTask) -> None:
    raw = {"left": {"text": "one two three\n\nfour five six\nseven eight nine"}, "right": {"text": "x"}}
    page = open_task("extract", raw)
    press(page, "k", "ArrowRight", "ArrowDown", "Shift+ArrowRight")
    assert selected(page)[0] in ("four", "five")
    press(page, "ArrowLeft", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "Shift+ArrowRight")
    assert selected(page)[0] == "one"
    press(page, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "Shift+Home")
    assert selected(page)[0] == "seven eight nine"


def test_the_caret_stays_in_sight_in_a_long_document(open_task: OpenTask) -> None:
    raw = {"left": {"text": "\n".join(f"Line {n} of many." for n in range(200))}, "right": {"text": "x"}}
    page = open_task("extract", raw)
    press(page, "k", *["ArrowDown"] * 60)
    caret = page.evaluate("document.querySelector('.caret').getBoundingClientRect().toJSON()")
    frame = page.evaluate("document.querySelector('[data-side=left] .document-text').getBoundingClientRect().toJSON()")
    assert frame["top"] < caret["top"] < caret["bottom"] < frame["bottom"]
    press(page, "Shift+End")
    assert selected(page)[0] == "Line 60 of many."
    assert page.evaluate("scrollY") == 0


def test_the_keyboard_goes_on_where_the_mouse_stopped(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    drag(page, "left", "is closed")
    press(page, "Shift+ArrowRight")
    assert selected(page)[0] == "is closed until"


def test_a_caret_is_left_with_escape_and_tab_alone_never_traps(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    press(page, "k", "Tab", "Tab", "Escape")
    assert page.locator(".caret").count() == 0
    assert page.evaluate("document.activeElement.dataset.does") == "add"
    page = open_task("extract", DOCUMENTS)
    press(page, "Tab", "Tab", "Tab")
    assert page.evaluate("document.activeElement.dataset.does") == "clear"


# ── pairs, suggestions, drafts


def test_a_pair_needs_both_sides_and_is_not_added_twice(open_task: OpenTask) -> None:
    page = open_task("extract", DOCUMENTS)
    press(page, "a")
    drag(page, "left", "The bridge")
    press(page, "a")
    drag(page, "right", "Before March")
    press(page, "a")
    drag(page, "left", "The bridge")
    drag(page, "right", "Before March")
    press(page, "a")
    assert page.evaluate("log.said") == [
        "Select a passage in both documents first.",
        "Select a passage in document B first.",
        "This pair is there already.",
    ]
    assert len(answered(page)) == 1


def test_pairs_are_removed_and_numbered_anew(open_task: OpenTask) -> None:
    given = {
        "pairs": [spans("bridge", "March"), spans("spring", "cross"), spans("old", "apart")],
        "state": "finished",
        "suggestions_shown": False,
    }
    page = open_task("extract", DOCUMENTS, given=given)
    page.click('[aria-label="Remove pair 2"]')
    assert answered(page) == [("bridge", "March"), ("old", "apart")]
    assert page.locator("[data-side=left] mark[data-number='2']").text_content() == "old"
    press(page, "z")
    assert answered(page) == [("bridge", "March")]


def test_a_click_on_a_mark_shows_its_pair_on_both_sides(open_task: OpenTask) -> None:
    far = "word " * 3000
    raw = {"left": {"text": "The bridge."}, "right": {"text": f"{far}the crossing."}}
    pair = spans("bridge", "crossing", raw["left"]["text"], raw["right"]["text"])
    given = {"pairs": [pair], "state": "finished", "suggestions_shown": False}
    page = open_task("extract", raw, given=given)
    assert not page.evaluate("document.querySelector('[data-side=right] .document-text').scrollTop")
    page.click("[data-side=left] mark.own")
    assert page.evaluate("document.querySelector('[data-side=right] .document-text').scrollTop")
    assert page.locator("mark.looked-at").count() == 2


SUGGESTED = {
    **DOCUMENTS,
    "suggestions": [
        {**spans("Nobody knows why.", "The reason is unknown"), "score": 0.9},
        spans("Hi", "Before"),
        spans("and 𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast", "It fell apart quickly"),
    ],
}


def test_suggestions_are_accepted_and_dismissed_with_one_key_from_the_first_line_to_the_last(
    open_task: OpenTask,
) -> None:
    page = open_task("extract", SUGGESTED)
    press(page, "d", "y", "y", "y")
    assert answered(page) == [
        ("Nobody knows why.", "The reason is unknown"),
        ("and 𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast", "It fell apart quickly"),
    ]
    assert page.evaluate("task.answer()")["suggestions_shown"] is True
    assert page.evaluate("log.said") == ["There are no more suggestions."]


def test_a_suggestion_is_taken_up_and_its_ends_are_moved(open_task: OpenTask) -> None:
    page = open_task("extract", SUGGESTED)
    press(page, "d", "n", "c")
    assert selected(page) == ["and 𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast", "It fell apart quickly"]
    press(page, "o", "Shift+ArrowRight", "Enter")  # the beginning is one word later
    assert answered(page) == [("𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast", "It fell apart quickly")]
    assert page.locator("[data-list=suggestions] > li:visible").count() == 1  # what was changed is no longer suggested


def test_a_pair_that_is_taken_back_stays_selected_and_is_not_forgotten(open_task: OpenTask) -> None:
    page = open_task("extract", SUGGESTED)
    press(page, "y", "y", "z", "f")
    assert len(answered(page)) == 1
    assert selected(page) == ["Nobody knows why.", "The reason is unknown"]
    page.click("button[type=submit]")
    assert page.evaluate("log.submitted") == []
    assert page.evaluate("log.said") == ["A pair is selected but not added. Add it (a) or clear it (x) first."] * 2
    press(page, "x", "f")
    assert selected(page) == ["", ""]
    assert len(page.evaluate("log.submitted")) == 1


def test_what_ends_it_is_always_in_sight(open_task: OpenTask) -> None:
    long = {**SUGGESTED, "left": {"text": DOCUMENTS["left"]["text"] + "\nMore." * 400}}
    page = open_task("extract", long, viewport={"width": 1000, "height": 600})
    in_sight = "one => one.getBoundingClientRect().bottom <= innerHeight"
    assert page.eval_on_selector("[data-does=empty]", in_sight)
    press(page, "y")
    assert page.eval_on_selector("button[type=submit]", in_sight)
    assert page.is_hidden("[data-does=empty]")


def test_in_a_book_a_caret_that_moves_draws_little(open_task: OpenTask) -> None:
    book = "It rained. Nobody knew why.\n" * 8000
    page = open_task("extract", {"left": {"text": book}, "right": {"text": "Why?"}})
    press(page, "k")
    page.evaluate(
        """() => { window.drawn = 0; new MutationObserver((changes) => {
        for (const one of changes) for (const node of one.addedNodes) window.drawn += node.textContent.length;
        }).observe(document.querySelector('.document-text'), { subtree: true, childList: true }); }"""
    )
    press(page, "Control+ArrowRight", "Shift+ArrowRight", "ArrowDown")
    assert 0 < page.evaluate("window.drawn") < 20_000 < len(book)
    assert page.evaluate("document.querySelector('.document-text').textContent") == book


def test_suggestions_that_are_not_to_be_shown_are_not_even_sent(open_task: OpenTask) -> None:
    page = open_task("extract", SUGGESTED, shown=Shown(suggestions=False))
    assert page.locator("[data-list=suggestions]").count() == 0
    press(page, "y", "e")
    assert page.evaluate("log.submitted") == [{"pairs": [], "state": "empty", "suggestions_shown": False}]


def test_finished_and_empty_say_what_is_there(open_task: OpenTask) -> None:
    page = open_task("extract", SUGGESTED)
    press(page, "f", "y", "e", "f")
    assert page.evaluate("log.said") == [
        "No pair is marked yet. If there is none, choose Empty.",
        "Pairs are marked. Remove them first, or choose Finished.",
    ]
    assert [one["state"] for one in page.evaluate("log.submitted")] == ["finished"]


def test_closing_the_tab_loses_nothing(open_task: OpenTask) -> None:
    page = open_task("extract", SUGGESTED)
    press(page, "d", "n", "y")
    before = answered(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert answered(page) == before
    assert page.locator("[data-list=suggestions] > li:visible").count() == 1


def test_what_people_wrote_is_never_markup(open_task: OpenTask) -> None:
    nasty = "<img src=x onerror=alert(1)> \"quoted\" 'single' </div></form><script>alert(1)</script> &amp; {{ 7 * 7 }}"
    raw = {
        "left": {"text": nasty, "title": nasty},
        "right": {"text": nasty[::-1], "title": nasty},
        "suggestions": [{"left_start": 0, "left_end": len(nasty), "right_start": 0, "right_end": len(nasty)}],
    }
    page = open_task("extract", raw)
    press(page, "y")
    assert answered(page, raw) == [(nasty, nasty[::-1])]
    assert page.locator("img").count() == 0
    assert page.locator("form").count() == 1
