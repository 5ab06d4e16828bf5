"""The work page in a real browser, with a real service that is really killed: "saved" is only said of what is saved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from paraloom.judgments.people import add_person
from paraloom.judgments.sign_in import open_session
from paraloom.judgments.simulate.serve import wait_until_served
from paraloom.judgments.store import schema
from paraloom.judgments.store.columns import now as this_moment
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from tests.forked import ForkServer
from tests.judgments.service_process import ServiceProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser


class KillableService:
    """The service as a process of its own, which can be killed and started again at the same address."""

    def __init__(self, url: str, process: ServiceProcess) -> None:
        self.database: Database = open_database(url)
        self.address = process.address
        self._process = process

    def start(self) -> None:
        wait_until_served(self.address, self._process.start())

    def kill(self) -> None:
        self._process.kill()

    def judgments(self) -> list[sa.RowMapping]:
        table = schema.judgments
        return list(self.database.read(lambda c: c.execute(sa.select(table).order_by(table.c.number)).mappings().all()))

    def sign_in(self, context: BrowserContext, name: str = "Ann") -> None:
        """Give the browser a session of a new person."""
        now = this_moment()

        def job(connection: sa.Connection) -> str:
            person = add_person(connection, name=name, hashed=None, role="annotator", now=now, by="test")
            return open_session(connection, person, now)

        key = self.database.write(job)
        context.add_cookies([{"name": "paraloom", "value": key, "url": self.address, "httpOnly": True}])


@pytest.fixture
def service(new_url: Callable[..., str], service_forks: ForkServer) -> Iterator[KillableService]:
    url = new_url("sqlite", migrated=True)
    made = KillableService(url, ServiceProcess(service_forks, url))
    made.start()
    yield made
    made.kill()
    made.database.close()


@pytest.fixture
def page(browser: Browser, service: KillableService) -> Iterator[Page]:
    """A page of somebody who is signed in; it may not complain of anything but the lost connection."""
    context = browser.new_context(viewport={"width": 1100, "height": 800})
    service.sign_in(context)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
    yield opened
    context.close()
    assert errors == []


def begin(page: Page, service: KillableService) -> None:
    page.goto(f"{service.address}/judge/storms")
    page.wait_for_selector(
        "#item[tabindex='-1'] form#answer"
    )  # the page's script has begun: keys pressed before are lost


def shown(page: Page) -> str:
    return page.get_attribute("#item .item", "data-item") or ""


def press(page: Page, key: str) -> None:
    """Press a key and wait until another item is there."""
    before = shown(page)
    page.keyboard.press(key)
    page.wait_for_function("before => document.querySelector('#item .item')?.dataset.item !== before", arg=before)


def waiting(page: Page) -> list[dict[str, object]]:
    """Answers that the browser still keeps."""
    return json.loads(
        page.evaluate(
            "JSON.stringify(Object.keys(localStorage).filter(k => k.startsWith('paraloom:answer:'))"
            ".map(k => JSON.parse(localStorage.getItem(k))))"
        )
    )


def status(page: Page) -> str:
    return page.inner_text("#status")


def test_answers_are_saved_and_counted(page: Page, service: KillableService, open_campaign, some_pairs) -> None:
    open_campaign(service.database, some_pairs(20))
    begin(page, service)
    seen = []
    for key in "12121":
        seen.append(shown(page))
        press(page, key)
    page.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    kept = service.judgments()
    assert [row["item_id"] for row in kept] == seen
    assert [row["answer"]["is_paraphrase"] for row in kept] == [True, False, True, False, True]
    assert page.inner_text("#answered-count") == "5"
    assert all(row["seconds"] is not None and 0 <= row["seconds"] < 60 for row in kept)
    assert waiting(page) == []


def test_an_answer_given_while_the_service_is_down_is_kept_and_sent_again(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(20))
    begin(page, service)
    press(page, "1")
    page.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    page.wait_for_timeout(500)  # so that items lie ready
    service.kill()
    press(page, "2")
    page.wait_for_function("() => document.querySelector('#status').innerText.startsWith('Kept in this browser')")
    assert "Saved" not in status(page)
    assert page.is_visible("#unsent")
    assert len(waiting(page)) == 1
    press(page, "2")  # there is work at hand, and it is kept too
    page.wait_for_function("() => Object.keys(localStorage).filter(k => k.startsWith('paraloom:answer:')).length === 2")
    assert len(service.judgments()) == 1
    service.start()
    page.wait_for_function(
        "() => Object.keys(localStorage).filter(k => k.startsWith('paraloom:answer:')).length === 0", timeout=30_000
    )
    page.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    assert page.is_hidden("#unsent")
    assert [row["answer"]["is_paraphrase"] for row in service.judgments()] == [True, False, False]
    press(page, "1")  # and the work goes on
    page.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    assert len(service.judgments()) == 4


def test_an_answer_outlives_the_tab_it_was_given_in(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(20))
    begin(page, service)
    page.wait_for_timeout(500)
    service.kill()
    press(page, "1")
    page.wait_for_function("() => Object.keys(localStorage).filter(k => k.startsWith('paraloom:answer:')).length === 1")
    context = page.context
    page.close()
    service.start()
    other = context.new_page()
    other.goto(service.address)  # any page of the service sends what is left
    other.wait_for_function(
        "() => Object.keys(localStorage).filter(k => k.startsWith('paraloom:answer:')).length === 0"
    )
    assert "All answers sent" in other.inner_text("#status")
    assert len(service.judgments()) == 1


def test_an_answer_whose_acknowledgement_is_lost_is_not_a_second_one(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    """The service stores it, but its reply never arrives."""
    open_campaign(service.database, some_pairs(20))
    begin(page, service)
    page.wait_for_timeout(500)
    lost = []

    def lose(route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch())  # it reaches the service
        route.abort()

    page.route("**/answers", lose)
    press(page, "1")
    page.wait_for_function(
        "() => Object.keys(localStorage).filter(k => k.startsWith('paraloom:answer:')).length === 0", timeout=20_000
    )
    assert lost[0].status == 200
    assert len(service.judgments()) == 1


def test_a_mistake_on_a_test_question_is_shown_before_the_next_item(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(3, tests=3), tests_every=1)
    begin(page, service)
    item = shown(page)
    page.keyboard.press("2")
    page.wait_for_selector("dialog#mistake[open]")
    assert shown(page) == item
    assert "Both tell how long it rained." in page.inner_text("#mistake")
    assert "Paraphrase" in page.inner_text("#mistake-expected")
    page.wait_for_timeout(2000)
    assert shown(page) == item  # it waits as long as the person reads
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.querySelector('#item .item').dataset.item !== before", arg=item)


def test_the_explanation_leaves_the_item_to_be_read_and_says_what_was_answered(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(3, tests=3), tests_every=1)
    begin(page, service)
    page.keyboard.press("2")
    page.wait_for_selector("dialog#mistake[open]")
    assert page.inner_text("#mistake-given") == "Not a paraphrase"
    top = "selector => document.querySelector(selector).getBoundingClientRect().top"
    bottom = "selector => document.querySelector(selector).getBoundingClientRect().bottom"
    assert page.evaluate(top, "#mistake") > page.evaluate(bottom, "#item .pair")
    assert page.evaluate("getComputedStyle(document.getElementById('item')).opacity") == "1"


def test_an_enter_meant_for_the_item_does_not_close_the_explanation(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(3, tests=3), tests_every=1)
    begin(page, service)
    page.evaluate(
        """() => {
          const dialog = document.getElementById("mistake");
          const open = dialog.showModal.bind(dialog);
          dialog.showModal = () => { // an Enter at the very moment when it opens
            open();
            const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
            window.wasTaken = dialog.querySelector("button").dispatchEvent(event);
          };
        }"""
    )
    page.keyboard.press("2")
    page.wait_for_selector("dialog#mistake[open]")
    assert page.evaluate("window.wasTaken") is False
    page.wait_for_timeout(600)
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog#mistake", state="hidden")


@pytest.mark.parametrize("leave", ["Escape", "h", "button"])
def test_an_answer_from_before_can_be_left_as_it_is(
    page: Page, service: KillableService, open_campaign, some_pairs, leave: str
) -> None:
    open_campaign(service.database, some_pairs(5))
    begin(page, service)
    first = shown(page)
    press(page, "1")
    second = shown(page)
    for _ in range(2):  # and again
        press(page, "Backspace")
        assert shown(page) == first
        assert page.locator("[data-hands-back]").count() == 0
        if leave == "button":
            page.click("[data-keeps]")
        else:
            page.keyboard.press(leave)
        page.wait_for_function("id => document.querySelector('#item .item').dataset.item === id", arg=second)
    assert len(service.judgments()) == 1
    press(page, "2")
    page.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    assert [row["item_id"] for row in service.judgments()] == [first, second]


def test_a_newcomer_is_led_to_the_instructions_and_the_key_that_opens_them_closes_them(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(5))
    begin(page, service)
    page.click("#welcome button")
    page.wait_for_selector("dialog#guide[open]")
    page.keyboard.press("g")
    page.wait_for_selector("dialog#guide", state="hidden")
    page.keyboard.press("?")
    page.wait_for_selector("dialog#keys[open]")
    page.keyboard.press("?")
    page.wait_for_selector("dialog#keys", state="hidden")
    press(page, "1")
    page.wait_for_selector("#welcome", state="detached")


def test_one_can_go_back_and_change_ones_mind(page: Page, service: KillableService, open_campaign, some_pairs) -> None:
    open_campaign(service.database, some_pairs(5))
    begin(page, service)
    first = shown(page)
    press(page, "1")
    second = shown(page)
    page.keyboard.press("Backspace")
    page.wait_for_function("id => document.querySelector('#item .item').dataset.item === id", arg=first)
    assert page.locator("#item [aria-pressed=true]").count() == 1  # what was answered is shown
    page.keyboard.press("2")
    page.wait_for_function("id => document.querySelector('#item .item').dataset.item === id", arg=second)
    page.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    kept = service.judgments()
    assert [row["answer"]["is_paraphrase"] for row in kept] == [True, False]
    assert kept[1]["replaces"] == kept[0]["judgment_id"]


def test_the_last_item_is_followed_by_a_word_of_thanks(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(2), judgments_per_item=1)
    begin(page, service)
    press(page, "1")
    press(page, "1")
    page.wait_for_selector("[data-nothing=done]")
    assert "All done" in page.inner_text("#item")
    page.click("text=Other work")
    page.wait_for_url(f"{service.address}/")


def test_handing_back_gives_the_next_one(page: Page, service: KillableService, open_campaign, some_pairs) -> None:
    open_campaign(service.database, some_pairs(5))
    begin(page, service)
    press(page, "h")
    assert service.judgments() == []
    page.keyboard.press("g")
    page.wait_for_selector("dialog#guide[open]")
    assert "Do A and B tell the same news?" in page.inner_text("#guide")
    page.keyboard.press("1")  # while reading the instructions nothing is answered by accident
    page.keyboard.press("Escape")
    assert service.judgments() == []


def test_a_key_held_down_answers_once(page: Page, service: KillableService, open_campaign, some_pairs) -> None:
    open_campaign(service.database, some_pairs(20))
    begin(page, service)
    page.keyboard.down("1")
    for _ in range(30):
        page.keyboard.down("1")  # the browser sends these as repeats
    page.keyboard.up("1")
    page.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    page.wait_for_timeout(300)
    assert len(service.judgments()) == 1


def test_somebody_whose_session_ended_loses_nothing(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(20))
    begin(page, service)
    page.wait_for_timeout(500)
    service.database.write(lambda c: c.execute(schema.sessions.delete()))
    page.keyboard.press("1")
    page.wait_for_function("() => /sign in again/.test(document.querySelector('#status').innerText)")
    assert len(waiting(page)) == 1
    assert service.judgments() == []


def test_what_the_service_refuses_is_shown_and_kept(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(5))
    # Before the page is opened: requests that are under way may keep the browser from asking us at once.
    page.route("**/answers", lambda route: route.fulfill(status=422, body='{"error": "No such thing."}'))
    begin(page, service)
    page.keyboard.press("1")
    page.wait_for_function("() => document.querySelector('#status').innerText === 'No such thing.'")
    kept = page.evaluate("() => Object.keys(localStorage).filter(k => k.startsWith('paraloom:refused:')).length")
    assert kept == 1


def test_two_tabs_of_one_person_do_not_disturb_each_other(
    page: Page, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(30))
    begin(page, service)
    other = page.context.new_page()
    begin(other, service)
    for _ in range(3):
        press(page, "1")
        press(other, "1")
    page.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    other.wait_for_function("() => document.querySelector('#status').innerText === 'Saved'")
    people = [row["item_id"] for row in service.judgments()]
    assert len(people) >= 5
    assert waiting(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone(
    browser: Browser, service: KillableService, open_campaign, some_pairs, scheme: str
) -> None:
    open_campaign(service.database, some_pairs(5))
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, color_scheme=scheme
    )
    service.sign_in(context, f"Bo {scheme}")
    page = context.new_page()
    begin(page, service)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    before = shown(page)
    page.tap("button.answer >> nth=0")
    page.wait_for_function("before => document.querySelector('#item .item').dataset.item !== before", arg=before)
    context.close()


def test_whoever_is_not_signed_in_is_sent_to_the_door_and_back(
    browser: Browser, service: KillableService, open_campaign, some_pairs
) -> None:
    open_campaign(service.database, some_pairs(1))
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{service.address}/judge/storms")
    assert re.search(r"/sign-in\?next=/judge/storms$", page.url)
    context.close()
