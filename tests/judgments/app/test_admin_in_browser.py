"""The dashboard in a real browser: it keeps up by itself, fits a phone, and breaks no policy of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Service
from paraloom.judgments.sign_in import open_session
from paraloom.judgments.store.columns import now as this_moment
from paraloom.judgments.store.migrate import open_database
from tests.judgments.working import judge

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

YES, NO = {"is_paraphrase": True}, {"is_paraphrase": False}
AT = "/admin/campaigns/storms"


@pytest.fixture
def work(tmp_path, add_people, open_campaign, some_pairs, serving):
    """Some answers of three people, an admin, and the service that serves them."""
    database = open_database(f"sqlite:///{tmp_path / 'admin.db'}")
    people = add_people(database, 3)
    [admin] = add_people(database, 1, role="admin")
    campaign = open_campaign(database, some_pairs(8, 2), judgments_per_item=3, pay=0.1, min_tests=1000, min_kappa=-1.0)
    for number in range(6):
        for place, person in enumerate(people):
            judge(database, campaign, person, f"pair-{number}", YES if number % 2 or place == 2 else NO, this_moment())
    with serving(make_app(Service(database=database))) as address:
        yield database, campaign, people, admin, address
    database.close()


@pytest.fixture
def page(browser, work) -> Iterator[Page]:
    database, _, _, admin, address = work
    key = database.write(lambda c: open_session(c, admin, this_moment()))
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=address)
    context.add_cookies([{"name": "paraloom", "value": key, "url": address, "httpOnly": True}])
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    assert errors == []


def test_the_dashboard_keeps_up_by_itself(page, work) -> None:
    database, campaign, people, *_ = work
    page.goto(AT)
    assert page.inner_text("#figures .progress-figure") == "18 of 24"
    judge(database, campaign, people[0], "pair-6", YES, this_moment())
    page.wait_for_selector("#figures .progress-figure:has-text('19 of 24')", timeout=20_000)


def test_every_page_fits_a_phone(page, work) -> None:
    *_, people, _, _ = work
    person = people[0].person_id
    pages = ("", "/people", f"/people/{person}", "/items", "/item?id=pair-0", "/tests", "/instructions", "/settings")
    for path in (
        *(AT + one for one in (*pages, "/export", "/republish?below=1", "/bonus")),
        *("/admin", "/admin/new", "/admin/people", f"/admin/people/{person}", "/admin/log", "/account"),
        "/judge/storms/mine",
    ):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
        assert page.locator("h1").count() == 1 or path.endswith("/instructions"), path


def test_instructions_are_shown_while_they_are_typed(page) -> None:
    page.goto(f"{AT}/instructions")
    page.fill("#text", "Look *closely* at <b>both</b>.")
    page.wait_for_selector("#preview em:has-text('closely')")
    assert page.locator("#preview b").count() == 0


def test_a_person_is_stopped_with_the_keyboard_alone(page, work) -> None:
    *_, people, _, _ = work
    page.goto(f"{AT}/people/{people[2].person_id}")
    page.focus("#reason")
    page.keyboard.type("Always says yes.")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".notice.success:has-text('Answers set aside: 6')")
    assert "Always says yes." in page.inner_text("main")
