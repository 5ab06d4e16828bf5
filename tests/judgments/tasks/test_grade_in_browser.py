"""Pairs are graded in a real browser: keys and clicks give the label, flags and rewrites go where they belong."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from paraloom.judgments.tasks.grade import GradeTask
from paraloom.judgments.tasks.task import Shown

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
OpenTask = Callable[..., "Page"]

BEFORE = "The council met on Tuesday 🌉.\n" * 60
PAIR: dict[str, Any] = {"left": "The bridge will stay closed.", "right": "Nobody can cross."}
IN_CONTEXT = {
    **PAIR,
    "left_document": {
        "text": f"{BEFORE}The bridge will stay closed. The end.",
        "start": len(BEFORE),
        "end": len(BEFORE) + len(PAIR["left"]),
        "title": "News <b>",
    },
}

PRESSED = [
    (["1"], "1"),
    (["x"], "x"),
    (["4", ">"], "4>"),
    (["4", "."], "4>"),
    (["4", ","], "4<"),
    (["4", ".", ","], "4<"),  # one direction clears the other
    (["4", ".", "."], "4"),
    (["4", "s", "i", ">"], "4>is"),
    (["4", "s", "3"], "3"),
    (["4", "s", "3", "4"], "4"),
    (["3", "s"], "3"),
]


@pytest.mark.parametrize(("keys", "label"), PRESSED)
def test_keys_give_the_label(open_task: OpenTask, keys: list[str], label: str) -> None:
    page = open_task("grade", PAIR)
    for key in [*keys, "Enter"]:
        page.keyboard.press(key)
    [answer] = page.evaluate("log.submitted")
    assert answer["label"] == label
    assert GradeTask().read_answer(answer, GradeTask().read_content(PAIR)).label == label
    assert page.text_content(".chosen") == label


def test_the_mouse_gives_the_same(open_task: OpenTask) -> None:
    page = open_task("grade", PAIR)
    page.click(".step:has-text('every context')")
    page.click(".chip:has-text('B is more general')")
    page.click(".chip:has-text('Differ in style')")
    page.click("button[type=submit]")
    assert page.evaluate("log.submitted[0].label") == "4>s"


def test_without_a_label_nothing_is_sent_and_flags_wait_for_a_4(open_task: OpenTask) -> None:
    page = open_task("grade", PAIR)
    assert page.is_disabled("input[name=flag] >> nth=0")
    for key in ("Enter", "s", "r", "4", "r"):
        page.keyboard.press(key)
    assert page.evaluate("log.submitted") == []
    assert page.evaluate("log.said") == [
        "Choose a label from 1 to 4, or x.",
        "Flags go with label 4 only.",
        "Choose a label first.",
        "A pair with the label 4 has nothing to be rewritten.",
    ]
    assert page.is_enabled("input[name=flag] >> nth=0")


def test_a_rewrite_begins_with_the_original_and_what_is_not_changed_is_not_sent(open_task: OpenTask) -> None:
    page = open_task("grade", PAIR)
    page.keyboard.press("3")
    page.keyboard.press("r")
    assert page.input_value("#rewrite_left") == PAIR["left"]
    page.keyboard.type(" 34xsr")  # keys are letters while one writes
    page.keyboard.press("Control+Enter")
    answer = page.evaluate("log.submitted[0]")
    assert (answer["label"], answer["rewrite_left"], answer["rewrite_right"]) == ("3", f"{PAIR['left']} 34xsr", None)
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    assert page.evaluate("task.answer()")["rewrite_left"] is None  # a plain 4 needs none, and the field is gone
    assert page.is_hidden("#rewrite")
    page.keyboard.press("2")
    assert page.is_visible("#rewrite")


def test_unsure_opens_a_note(open_task: OpenTask) -> None:
    page = open_task("grade", PAIR)
    assert page.is_hidden("#note")
    page.keyboard.press("2")
    page.keyboard.press("u")
    page.fill("#note", "Is it?")
    assert page.evaluate("task.answer()") == {
        "label": "2",
        "rewrite_left": None,
        "rewrite_right": None,
        "unsure": True,
        "note": "Is it?",
    }


def test_an_answer_given_before_is_there_again(open_task: OpenTask) -> None:
    given = {"label": "4<i", "rewrite_left": None, "rewrite_right": "Other.", "unsure": True, "note": "Hm."}
    page = open_task("grade", PAIR, given=given)
    assert page.evaluate("task.answer()") == given
    assert page.is_visible("#rewrite_right")


def test_the_text_is_in_sight_in_its_document(open_task: OpenTask) -> None:
    page = open_task("grade", IN_CONTEXT)
    assert page.text_content("mark") == PAIR["left"]
    mark, frame = (
        page.evaluate(f"document.querySelector('{selector}').getBoundingClientRect().toJSON()")
        for selector in ("mark", ".document-text")
    )
    assert frame["top"] <= mark["top"] <= mark["bottom"] <= frame["bottom"]
    assert page.evaluate("scrollY") == 0
    assert page.locator("header b").count() == 0


def test_the_documents_can_be_left_out(open_task: OpenTask) -> None:
    page = open_task("grade", IN_CONTEXT, shown=Shown(context=False))
    assert page.locator(".document").count() == 0
    assert "council" not in page.content()


def test_the_arrow_speaks_of_a_and_b_in_any_script(open_task: OpenTask) -> None:
    page = open_task("grade", {"left": "הגשר סגור", "right": "אין מעבר"})
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.evaluate("getComputedStyle(document.querySelector('.arrow')).direction") == "ltr"
    assert page.inner_text(".chip >> nth=0").startswith("A > B: B is more general")


def test_a_telephone_is_wide_enough(open_task: OpenTask) -> None:
    page = open_task("grade", IN_CONTEXT, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.tap(".step >> nth=3")
    page.tap(".chip >> nth=2")
    assert page.evaluate("task.answer().label") == "4s"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_people_wrote_is_never_markup(open_task: OpenTask) -> None:
    nasty = "</textarea></form><script>alert(1)</script><img src=x onerror=alert(1)> \" ' &lt; {{ 7 * 7 }}"
    page = open_task("grade", {"left": nasty, "right": nasty[::-1]})
    assert page.input_value("#rewrite_left") == nasty
    assert page.text_content(".said >> nth=0") == nasty
    assert page.locator("img, form script").count() == 0


def test_the_arrows_scroll_both_documents_and_leave_the_page_where_it_is(open_task: OpenTask) -> None:
    right = {"text": f"{BEFORE}Nobody can cross.\n{BEFORE}", "start": len(BEFORE), "end": len(BEFORE) + 17}
    left = {**IN_CONTEXT["left_document"], "text": f"{IN_CONTEXT['left_document']['text']}\n{BEFORE}"}
    page = open_task("grade", {**PAIR, "left_document": left, "right_document": right})
    places = "[...document.querySelectorAll('.document-text')].map((one) => one.scrollTop)"
    before = page.evaluate(places)
    page.keyboard.press("ArrowDown")
    moved = [now - then for now, then in zip(page.evaluate(places), before, strict=True)]
    assert moved[0] == moved[1] > 20
    page.keyboard.press("PageUp")
    assert all(now < then for now, then in zip(page.evaluate(places), before, strict=True))
    assert page.evaluate("scrollY") == 0


def test_submit_looks_as_if_it_did_nothing_until_there_is_a_label(open_task: OpenTask) -> None:
    page = open_task("grade", PAIR)
    assert page.get_attribute("button[type=submit]", "aria-disabled") == "true"
    page.keyboard.press("2")
    assert page.get_attribute("button[type=submit]", "aria-disabled") == "false"


def test_on_a_phone_labels_texts_and_documents_are_in_one_view(open_task: OpenTask) -> None:
    page = open_task("grade", IN_CONTEXT, viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.is_hidden(".flags")
    for selector in (".labels", "button[type=submit]", "mark"):
        assert page.eval_on_selector(selector, "one => one.getBoundingClientRect().bottom <= innerHeight")
    page.tap("label.step:has(input[value='4'])")
    assert page.text_content("[data-meaning]") == "paraphrase in every context"
    page.tap(".chip:has-text('B is more general')")
    assert page.evaluate("task.answer()")["label"] == "4>"
