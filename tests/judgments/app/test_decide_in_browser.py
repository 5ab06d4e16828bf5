"""Conflicts are decided in a real browser, with the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Service
from paraloom.judgments.conflicts import decisions_on
from paraloom.judgments.sign_in import open_session
from paraloom.judgments.store.columns import now as this_moment
from paraloom.judgments.store.migrate import open_database
from tests.judgments.working import grade_all, judge, pairs_to_grade

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def work(tmp_path, add_people, open_campaign, now, serving):
    """Four conflicts of two annotators, an expert, and the service that serves them."""
    database = open_database(f"sqlite:///{tmp_path / 'decide.db'}")
    people = add_people(database, 2)
    [expert] = add_people(database, 1, role="expert")
    campaign = open_campaign(
        database, pairs_to_grade(4), task="grade", judgments_per_item=2, adjudicate=True, tests_every=0
    )
    grade_all(database, campaign, people, {f"p{n}": ["4>", "3"] for n in range(4)}, now)
    with serving(make_app(Service(database=database))) as address:
        yield database, campaign, people, expert, address
    database.close()


@pytest.fixture
def page(browser, work) -> Iterator[Page]:
    database, _, _, expert, address = work
    key = database.write(lambda c: open_session(c, expert, this_moment()))
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=address)
    context.add_cookies([{"name": "paraloom", "value": key, "url": address, "httpOnly": True}])
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
    yield opened
    context.close()
    assert errors == []


def decided(database, item_id: str) -> list[str]:
    return [one.answer["label"] for one in database.read(lambda c: decisions_on(c, "storms", item_id))]


def ready(page: Page, item_id: str) -> None:
    """The page about this item is there and obeys keys."""
    page.wait_for_url(f"**/decide/storms/{item_id}")
    page.wait_for_selector("button[type=submit]:has-text('Decide')")


def test_conflicts_are_decided_one_after_another_by_keys(page, work) -> None:
    database, *_ = work
    page.goto("/decide/storms")
    page.click("text=Begin with the first")
    ready(page, "p0")
    page.wait_for_selector("h1:has-text('Conflict 1 of 4')")
    accepted = page.inner_text(".compared tbody tr:first-child td:nth-child(2)")
    page.fill("#reason", "a is not typed into the page but here")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    ready(page, "p1")
    assert decided(database, "p0") == ["4>" if accepted.startswith("4") else "3"]
    page.keyboard.press("j")
    ready(page, "p2")
    page.keyboard.press("k")
    ready(page, "p1")
    for key in ("4", "s", "Enter"):
        page.keyboard.press(key)
    ready(page, "p2")
    assert decided(database, "p1") == ["4s"]
    page.keyboard.press("b")
    ready(page, "p3")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/decide/storms")
    page.wait_for_selector("text=Nothing waits for a decision")
    page.wait_for_selector("text=All together")


def test_a_decision_is_revised_and_an_unseen_answer_is_told(page, work) -> None:
    database, campaign, (ann, _), _, _ = work
    page.goto("/decide/storms/p0")
    ready(page, "p0")
    judge(database, campaign, ann, "p0", {"label": "1"}, this_moment())
    page.click("[data-letter=a]")
    page.wait_for_selector("#status .pill.error")
    assert decided(database, "p0") == []
    page.reload()
    ready(page, "p0")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    ready(page, "p1")
    page.goto("/decide/storms/p0")
    ready(page, "p0")
    page.wait_for_selector("h1:has-text('Decided')")
    assert page.is_checked("input[name=base][value='1']"), "the form begins with what holds"
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    ready(page, "p1")
    assert decided(database, "p0") == ["3", "1"]


def test_something_is_said_about_an_item(page, work) -> None:
    page.goto("/decide/storms/p0")
    page.fill("#note-text", "a and b are letters, no keys, while one writes")
    page.click("text=Say it")
    page.wait_for_selector(".remark:has-text('no keys, while one writes')")
    assert decided(work[0], "p0") == []


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(page, work, width) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("/decide", "/decide/storms", "/decide/storms/p0"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
