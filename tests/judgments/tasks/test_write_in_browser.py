"""The game is played in a real browser: check, see what it is worth, try again, submit or give up."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
OpenTask = Callable[..., "Page"]

GIVEN = {"source": "The storm hit the coast."}


def judged(path: str, body: Any) -> tuple[int, str]:
    """A service that judges by catchwords."""
    assert path == "check"
    text = body["text"]
    if "busy" in text:
        return 503, "The model is busy. Try again."
    implication, similarity = (0.1 if "sunny" in text else 0.9), (0.8 if "storm" in text else -0.5)
    passes = implication > 0.5 and similarity <= 0.5
    reward = 0.85 if passes else 0.0
    more = {"pays": 1.7, "currency": "EUR"} if "paid" in text else {}
    told = {"implication": implication, "similarity": similarity, "reward": reward, "passes": passes, **more}
    return 200, json.dumps({**told, "checks": 1, "left": 1 if "last but one" in text else 4})


def check(page: Page, text: str) -> None:
    page.fill("#text", text)
    page.keyboard.press("Control+Enter")
    page.locator('[data-does="check"][aria-busy="false"]').wait_for()


VERDICTS = [
    ("Gales lashed the shore.", "Passes", "other words", "0.85"),
    ("Gales lashed the shore, paid.", "Passes", "other words", "€1.70"),
    ("A storm lashed the shore.", "Does not pass", "too similar: the score is 0.80", "0.00"),
    ("It was sunny.", "Does not pass", "says more", "0.00"),
]


@pytest.mark.parametrize(("text", "passes", "why", "reward"), VERDICTS)
def test_a_check_tells_what_an_attempt_is_worth_and_why(
    open_task: OpenTask, text: str, passes: str, why: str, reward: str
) -> None:
    page = open_task("write", GIVEN, posted=judged)
    check(page, text)
    assert page.text_content("[data-passes]") == passes
    assert why in (page.text_content("[data-why]") or "")
    assert page.text_content("[data-reward]") == reward
    assert page.text_content("[data-left]") == "4 checks left"
    assert page.evaluate("log.posted") == [{"path": "check", "body": {"text": text}}]
    assert page.evaluate("log.submitted") == []


def test_what_cannot_be_checked_is_not_sent(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    for text in ("", "?!", "the STORM hit the coast!"):
        page.fill("#text", text)
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Control+Shift+Enter")
    assert page.evaluate("log.posted") == []
    assert page.evaluate("log.submitted") == []
    assert len(page.evaluate("log.said")) == 6


def test_an_attempt_can_be_taken_up_again_and_submitted(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    check(page, "Gales lashed the shore.")
    check(page, "It was sunny.")
    page.fill("#text", "It was sunny, or so.")
    assert page.is_visible(".stale")
    page.click(".attempt >> nth=1")
    assert page.input_value("#text") == "Gales lashed the shore."
    assert page.text_content("[data-passes]") == "Passes"
    page.keyboard.press("Control+Shift+Enter")
    assert page.evaluate("log.submitted") == [{"text": "Gales lashed the shore.", "gave_up": False}]


def test_a_check_that_fails_is_told_and_nothing_is_lost(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    check(page, "The line is busy.")
    assert page.evaluate("log.said") == ["The model is busy. Try again."]
    assert page.input_value("#text") == "The line is busy."
    assert page.is_hidden(".verdict")


def test_attempts_survive_closing_the_tab(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    check(page, "Gales lashed the shore.")
    page.keyboard.type(" Twice.")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.input_value("#text") == "Gales lashed the shore. Twice."
    assert page.locator(".attempt").count() == 1


def test_giving_up_sends_no_text(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    page.fill("#text", "Hm")
    page.click('[data-does="give-up"]')
    assert page.evaluate("log.submitted") == [{"text": "", "gave_up": True}]


def test_what_people_wrote_is_never_markup(open_task: OpenTask) -> None:
    nasty = '</textarea></form><img src=x onerror=alert(1)> say "it" {{ 7 * 7 }} &lt;'
    page = open_task("write", {"source": nasty}, given={"text": f"{nasty} otherwise", "gave_up": False}, posted=judged)
    assert page.text_content(".source .said") == nasty
    check(page, f"{nasty} in other words")
    assert page.text_content(".attempt .said") == f"{nasty} in other words"
    assert page.locator("img").count() == 0


def test_what_was_not_checked_is_checked_before_it_is_submitted(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    page.fill("#text", "Gales lashed the shore.")
    page.keyboard.press("Control+Shift+Enter")
    page.wait_for_function("() => log.submitted.length === 1")
    assert page.evaluate("log.posted.length") == 1


def test_what_earns_nothing_is_submitted_at_the_second_press_only(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    check(page, "It was sunny.")
    page.keyboard.press("Control+Shift+Enter")
    page.wait_for_function("() => log.said.length === 1")
    assert page.evaluate("log.submitted") == []
    page.click("button[type=submit]")
    assert page.evaluate("log.submitted") == [{"text": "It was sunny.", "gave_up": False}]


def test_where_nothing_can_be_checked_a_text_can_still_be_submitted(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    page.fill("#text", "The line is busy.")
    page.keyboard.press("Control+Shift+Enter")
    page.wait_for_function("() => log.submitted.length === 1")


def test_whoever_checks_with_the_mouse_writes_on(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    page.fill("#text", "Gales lashed the shore")
    page.click('[data-does="check"]')
    page.locator('[data-does="check"][aria-busy="false"]').wait_for()
    page.keyboard.type(" harder")
    page.locator(".source").click()  # and beside the field, too
    page.keyboard.type("!")
    assert page.input_value("#text") == "Gales lashed the shore harder!"


def test_the_best_attempt_is_marked_and_a_key_goes_back_to_it(open_task: OpenTask) -> None:
    page = open_task("write", GIVEN, posted=judged)
    check(page, "Gales lashed the shore.")
    check(page, "It was sunny.")
    assert page.is_visible(".better")
    assert page.text_content(".attempt >> nth=1 >> .badge") == "best · 0.85"
    page.keyboard.press("Alt+ArrowUp")
    assert page.input_value("#text") == "Gales lashed the shore."
    assert page.is_hidden(".better")
    page.keyboard.press("Alt+ArrowDown")
    assert page.input_value("#text") == "It was sunny."
    page.click('[data-does="best"]')
    assert page.input_value("#text") == "Gales lashed the shore."
