"""One's own pages in a real browser: what one answered, what is left to do, and an account without a password."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from paraloom.judgments.app.application import make_app
from paraloom.judgments.app.service import Service
from paraloom.judgments.items import NewItem
from paraloom.judgments.people import DEMO_NAME, Person, add_person, has_password
from paraloom.judgments.sign_in import open_session
from paraloom.judgments.store.columns import now as this_moment
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from tests.judgments.working import judge

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

DEMO_KEY = "k" * 43
PASSWORD = "four quite random words"
YES = {"is_paraphrase": True}
LISTED = [{"id": f"{n:032x}", "text": f"<i>Storm {n}</i> hit the coast."} for n in range(4)]
IDS = [one["id"] for one in LISTED]
TEXTS = [one["text"] for one in LISTED]

PICKED = [
    ("choose", {"original": "A storm.", "candidates": LISTED}, {"chosen": IDS[1:3], "shown": IDS}, TEXTS[1:3]),
    ("choose", {"original": "A storm.", "candidates": LISTED}, {"chosen": [], "shown": IDS}, ["none of these"]),
    ("seed", {"sentences": LISTED}, {"seed": IDS[2]}, [TEXTS[2]]),
    ("seed", {"sentences": LISTED}, {"skip": True}, ["skip this group"]),
]


@pytest.fixture
def database(tmp_path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path / 'own.db'}")
    yield opened
    opened.close()


@pytest.fixture
def page(browser: Browser, database: Database, serving) -> Iterator[Page]:
    with serving(make_app(Service(database=database, demo_key=DEMO_KEY))) as address:
        context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=address)
        opened = context.new_page()
        errors: list[str] = []
        opened.on("pageerror", lambda error: errors.append(str(error)))
        yield opened
        context.close()
        assert errors == []


@pytest.fixture
def signed_in(page: Page, database: Database) -> Callable[[Person], None]:
    def sign_in(person: Person) -> None:
        key = database.write(lambda c: open_session(c, person, this_moment()))
        address = page.context.new_page()
        address.goto("/sign-in")
        page.context.add_cookies([{"name": "paraloom", "value": key, "url": address.url, "httpOnly": True}])
        address.close()

    return sign_in


@pytest.mark.parametrize(("task", "content", "answer", "told"), PICKED)
def test_my_answers_are_told_in_the_sentences_i_chose(
    page, signed_in, database, add_people, open_campaign, task, content, answer, told
) -> None:
    [ann] = add_people(database, 1)
    campaign = open_campaign(database, [NewItem(item_id="group", content=content)], task=task)
    judge(database, campaign, ann, "group", answer, this_moment())
    signed_in(ann)
    page.goto("/judge/storms/mine")
    assert page.locator(".own-answers .own-answer > *").all_inner_texts() == told
    assert not any(one in page.inner_text("main") for one in IDS)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_what_is_done_is_called_done_and_invites_nobody(
    page, signed_in, database, add_people, open_campaign, some_pairs
) -> None:
    ann, bob = add_people(database, 2)
    campaign = open_campaign(database, some_pairs(2, 3), judgments_per_item=2, tests_every=2)
    signed_in(ann)
    page.goto("/")
    assert page.locator(".campaign-card .button.primary").inner_text() == "Begin"
    judge(database, campaign, ann, "pair-0", YES, this_moment())
    page.goto("/")
    assert page.locator(".campaign-card .button.primary").inner_text() == "Go on"
    for who, state in ((ann, "done"), (bob, "done")):  # Ann has judged all she can; then everybody has
        for number in range(2):
            judge(database, campaign, who, f"pair-{number}", YES, this_moment())
        page.goto("/")
        assert page.locator(".campaign-card .button.primary").count() == 0
        assert page.locator(".campaign-card .badge").inner_text() == state
        assert "You have done all there is for you" in page.inner_text(".campaign-card")
        page.goto("/judge/storms/mine")
        assert page.locator("a:text-is('Go on')").count() == 0
        assert "You have done all there is for you" in page.inner_text("main")


def test_who_comes_by_the_demonstrations_link_sets_a_first_password_and_signs_in_with_it(page, database) -> None:
    demo = database.write(
        lambda c: add_person(c, name=DEMO_NAME, hashed=None, role="admin", now=this_moment(), by="test")
    )
    page.goto(f"/demo/{DEMO_KEY}")
    page.goto("/account")
    assert page.locator("[autocomplete='current-password']").count() == 0, "nobody is asked for what there is not"
    assert page.locator("form[action='/account/erase']").count() == 0
    page.fill("#password", PASSWORD)
    page.fill("#again", PASSWORD)
    page.click("text=Set the password")
    page.wait_for_selector(".notice.success:has-text('The password is set')")
    assert database.read(lambda c: has_password(c, demo.person_id))
    assert page.locator("#old").count() == 1
    assert page.locator("form[action='/account/erase']").count() == 1
    page.context.clear_cookies()
    page.goto("/sign-in")
    page.fill("#name", DEMO_NAME)
    page.fill("#password", PASSWORD)
    page.click("button:text('Sign in')")
    page.wait_for_selector("h1:text-is('Work')")
