"""The real service in a real browser: each kind is answered by keys and by touch, and what was meant is stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

from paraloom.judgments.campaigns import change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import open_session
from paraloom.judgments.store import schema
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
TEXT = "<b>Storm</b> & rain at the coast, عاصفة 🌧"


def listed(count: int) -> list[dict[str, str]]:
    return [{"id": f"s{number}", "text": f"{TEXT} {number}"} for number in range(1, count + 1)]


ITEMS: dict[str, dict[str, Any]] = {
    "pair": {"left": TEXT, "right": "It stormed.", "topic": "#storm"},
    "choose": {"original": TEXT, "candidates": listed(12)},
    "rate": {"source": TEXT, "generated": "It stormed."},
    "phrases": {"left": "hit the coast", "right": "struck the shore"},
    "topic": {"sentences": [TEXT] * 5, "key": "#storm"},
    "seed": {"sentences": listed(11)},
    "match": {"left": {"title": TEXT, "text": f"{TEXT}\n\n" * 60}, "right": {"text": TEXT}},
}
CHOOSE_SHOWN = [f"s{number}" for number in range(1, 13)]


def choose(*numbers: int) -> dict[str, Any]:
    return {"chosen": [f"s{number}" for number in numbers], "shown": CHOOSE_SHOWN}


def rate(fluency: int, similarity: int, diversity: int) -> dict[str, Any]:
    return {"fluency": fluency, "similarity": similarity, "diversity": diversity, "kept": None}


KEYS_AND_ANSWERS: list[tuple[str, str, dict[str, Any]]] = [
    ("pair", "1", {"is_paraphrase": True}),
    ("pair", "2", {"is_paraphrase": False}),
    ("pair", "y", {"is_paraphrase": True}),
    ("pair", "n", {"is_paraphrase": False}),
    ("pair", "ArrowLeft", {"is_paraphrase": True}),
    ("pair", "ArrowRight", {"is_paraphrase": False}),
    ("match", "1", {"accept": True}),
    ("match", "n", {"accept": False}),
    ("match", "ArrowRight", {"accept": False}),
    ("topic", "1", {"topic": "science/tech"}),
    ("topic", "8", {"topic": "others"}),
    ("choose", "3 1 Enter", choose(1, 3)),
    ("choose", "1 3 1 Enter", choose(3)),
    ("choose", "0 w Enter", choose(10, 12)),
    ("choose", "1 n Enter", choose()),
    ("choose", "n 2 Enter", choose(2)),
    ("choose", "Enter n Enter", choose()),
    ("seed", "3 Enter", {"seed": "s3", "skip": False}),
    ("seed", "3 - Enter", {"seed": "s11", "skip": False}),
    ("seed", "3 s Enter", {"seed": None, "skip": True}),
    ("rate", "5 4 3 Enter", rate(5, 4, 3)),
    ("rate", "5 4 3 2 Enter", rate(5, 4, 2)),
    ("rate", "5 4 3 f 1 Enter", rate(1, 4, 3)),
    ("rate", "d 2 5 Enter 4 Enter", rate(5, 4, 2)),
    ("rate", "5 1 Backspace 4 3 Enter", rate(5, 4, 3)),
    ("rate", "5 4 3 Backspace Backspace 1 2 Enter", rate(5, 1, 2)),
    ("rate", "d 1 5 Backspace Backspace 4 5 3 Enter", rate(5, 3, 4)),
    ("phrases", "4", {"fluency": None, "similarity": None, "diversity": None, "kept": 4}),
]
TASKS = {"phrases": "rate"}
"""Kinds of items that are asked about by a task of another name."""

NOTHING_YET = ["choose", "seed", "rate"]


@dataclass(frozen=True)
class Running:
    """A service that runs, and whoever is signed in."""

    address: str
    database: Database
    key: str
    person_id: str

    def campaign(self, kind: str, *, expected: dict[str, Any] | None = None, items: int = 3) -> str:
        """A new campaign with a few items of the kind, or one test question and as many."""

        def job(connection: sa.Connection) -> str:
            number = connection.scalar(sa.select(sa.func.count()).select_from(schema.campaigns))
            settings = CampaignSettings(tests_every=0, qualification=1 if expected else 0, min_test_accuracy=0)
            campaign = create_campaign(
                connection,
                task=TASKS.get(kind, kind),
                title=f"{kind} {number}",
                now=now(),
                by="service",
                settings=settings,
            )
            new = [NewItem(content=ITEMS[kind], item_id=f"item-{one}") for one in range(items)]
            if expected is not None:
                new.append(NewItem(content=ITEMS[kind], item_id="test", expected=expected, explanation="Because."))
            add_items(connection, campaign, new, now=now())
            change_state(connection, campaign.campaign_id, "open", now=now(), by="service")
            return campaign.campaign_id

        return self.database.write(job)

    def answers(self, campaign: str) -> list[dict[str, Any]]:
        """What was stored, in its order."""
        asked = sa.select(schema.judgments.c.answer).filter_by(campaign_id=campaign).order_by(schema.judgments.c.number)
        return [dict(answer) for answer in self.database.read(lambda connection: connection.scalars(asked).all())]

    def wait_for_answers(self, campaign: str, count: int) -> list[dict[str, Any]]:
        deadline = time.monotonic() + 10
        while len(found := self.answers(campaign)) < count and time.monotonic() < deadline:
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, serving: Callable[[Any], AbstractContextManager[str]]
) -> Iterator[Running]:
    from paraloom.judgments.app.application import make_app
    from paraloom.judgments.app.service import Service

    database = open_database(f"sqlite:///{tmp_path_factory.mktemp('service') / 'paraloom.db'}")

    def job(connection: sa.Connection) -> tuple[str, str]:
        person = add_person(connection, name="Ann", hashed=None, role="admin", now=now(), by="service")
        return open_session(connection, person, now()), person.person_id

    key, person_id = database.write(job)
    with serving(make_app(Service(database=database))) as address:
        yield Running(address, database, key, person_id)
    database.close()


@pytest.fixture
def open_work(browser: Browser, running: Running) -> Iterator[Callable[..., Page]]:
    """Call it with a campaign for its work page; nothing may be said on the console."""
    said: list[str] = []
    contexts = []

    def open_page(campaign: str, **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        context.add_cookies([{"name": "paraloom", "value": running.key, "url": running.address}])
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{running.address}/judge/{campaign}")
        page.wait_for_selector("#item[tabindex='-1'] form#answer")  # the page's script has begun
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


@pytest.mark.parametrize(("kind", "keys", "answer"), KEYS_AND_ANSWERS)
def test_keys_give_the_answer(
    running: Running, open_work: Callable[..., Page], kind: str, keys: str, answer: dict[str, Any]
) -> None:
    campaign = running.campaign(kind)
    page = open_work(campaign)
    for key in keys.split():
        page.keyboard.press(key)
    assert running.wait_for_answers(campaign, 1) == [answer]


@pytest.mark.parametrize("kind", NOTHING_YET)
def test_an_answer_that_is_not_complete_is_not_sent(
    running: Running, open_work: Callable[..., Page], kind: str
) -> None:
    campaign = running.campaign(kind)
    page = open_work(campaign)
    submit = page.locator("form#answer button[type=submit]")
    assert submit.get_attribute("aria-disabled") == "true"
    page.keyboard.press("Enter")
    submit.click(force=True)
    said = page.locator("#status").inner_text()
    assert said
    assert page.locator("form#answer .error[data-says]").inner_text().endswith(said)  # and beside the button
    page.wait_for_timeout(200)
    assert running.answers(campaign) == []


def test_one_key_after_the_other_answers_one_item_after_the_other(
    running: Running, open_work: Callable[..., Page]
) -> None:
    campaign = running.campaign("pair")
    page = open_work(campaign)
    for number, key in enumerate(("1", "2", "1"), start=1):
        page.keyboard.press(key)
        running.wait_for_answers(campaign, number)
        page.wait_for_selector(f"#answered-count:text-is('{number}')")
    assert [answer["is_paraphrase"] for answer in running.answers(campaign)] == [True, False, True]


TAPS: list[tuple[str, list[str], dict[str, Any]]] = [
    ("pair", ["button:has-text('Not a paraphrase')"], {"is_paraphrase": False}),
    ("match", ["button:has-text('Accept')"], {"accept": True}),
    ("topic", ["button:has-text('sports')"], {"topic": "sports"}),
    ("choose", ["label:has(input[value=s4])", "label:has(input[value=s12])", "button[type=submit]"], choose(4, 12)),
    ("choose", ["label:has(input[value=s4])", "label:has-text('None of these')", "button[type=submit]"], choose()),
    ("seed", ["label:has(input[value=s11])", "button[type=submit]"], {"seed": "s11", "skip": False}),
    ("seed", ["label:has-text('Skip this group')", "button[type=submit]"], {"seed": None, "skip": True}),
    (
        "rate",
        [
            "label:has-text('Very good')",
            "label:has-text('Related')",
            "label:has-text('Synonyms')",
            "button[type=submit]",
        ],
        rate(5, 2, 3),
    ),
    ("phrases", ["label:has-text('Most')"], {"fluency": None, "similarity": None, "diversity": None, "kept": 3}),
]


@pytest.mark.parametrize(("kind", "taps", "answer"), TAPS)
def test_a_finger_gives_the_answer_on_a_phone(
    running: Running, open_work: Callable[..., Page], kind: str, taps: list[str], answer: dict[str, Any]
) -> None:
    campaign = running.campaign(kind)
    page = open_work(campaign, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for tap in taps:
        page.locator(f"form#answer {tap}").tap()
    assert running.wait_for_answers(campaign, 1) == [answer]


MISTAKES: list[tuple[str, dict[str, Any], str, str]] = [
    ("pair", {"is_paraphrase": True}, "2", "Paraphrase"),
    ("match", {"accept": False}, "1", "Reject"),
    ("topic", {"topic": "sports"}, "1", "sports"),
    ("choose", {"chosen": ["s2"], "shown": CHOOSE_SHOWN}, "n Enter", f"2. “{TEXT} 2”"),
    ("choose", {"chosen": [], "shown": CHOOSE_SHOWN}, "1 Enter", "None of these"),
    ("seed", {"seed": "s4"}, "s Enter", f"4. “{TEXT} 4”"),
    ("seed", {"skip": True}, "1 Enter", "Skip this group"),
    ("rate", {"fluency": 5, "similarity": 5, "diversity": 5}, "5 5 1 Enter", "fluency 5, similarity 5, diversity 5"),
]


@pytest.mark.parametrize(("kind", "expected", "keys", "told"), MISTAKES)
def test_a_mistake_on_a_test_question_is_explained_in_words(
    running: Running, open_work: Callable[..., Page], kind: str, expected: dict[str, Any], keys: str, told: str
) -> None:
    page = open_work(running.campaign(kind, expected=expected))
    for key in keys.split():
        page.keyboard.press(key)
    page.wait_for_selector("dialog#mistake[open]")
    assert page.locator("#mistake-expected").inner_text().startswith(told)
    assert page.locator("#mistake-explanation").inner_text() == "Because."
    assert page.locator("#mistake-given").inner_text()


def test_each_sentence_of_the_right_answer_has_a_line_of_its_own(
    running: Running, open_work: Callable[..., Page]
) -> None:
    page = open_work(running.campaign("choose", expected={"chosen": ["s2", "s5"], "shown": CHOOSE_SHOWN}))
    for key in ("1", "0", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector("dialog#mistake[open]")
    assert page.locator("#mistake-given").inner_text() == "You ticked 1, 10."
    lines = page.locator("#mistake-expected").inner_text().splitlines()
    assert [line[:3] for line in lines] == ["2. ", "5. "]


def sees_all(page: Page, kind: str) -> bool:
    """Whether what is judged ends above the bar that is answered with, without any scrolling."""
    return page.evaluate(
        """() => {
          const bottom = (one) => one.getBoundingClientRect().bottom;
          const judged = [...document.querySelectorAll("#item :is(.rows, .rate-aspects, .documents, .pair)")];
          const bar = document.querySelector("#item .task-bar").getBoundingClientRect().top;
          return Math.max(...judged.map(bottom)) <= Math.min(bar, innerHeight) + 1;
        }"""
    )


SHORT = {
    "choose": {"original": "It rained.", "candidates": [{"id": f"s{n}", "text": f"Rain {n}."} for n in range(10)]},
    "seed": {"sentences": [{"id": f"s{n}", "text": f"It rained {n} times."} for n in range(11)]},
    "rate": {"source": "It rained all day long.", "generated": "All day long there was rain."},
    "match": {"left": {"title": "Rain", "text": "It rained.\n\n" * 60}, "right": {"text": "Rain fell. " * 200}},
}
SCREENS: list[tuple[str, dict[str, Any]]] = [
    ("choose", {"viewport": {"width": 1280, "height": 800}}),
    ("seed", {"viewport": {"width": 1280, "height": 720}}),
    ("rate", {"viewport": {"width": 1280, "height": 720}}),
    ("match", {"viewport": {"width": 1280, "height": 720}}),
    ("rate", PHONE),
    ("match", PHONE),
]


@pytest.mark.parametrize(("kind", "screen"), SCREENS)
def test_what_is_judged_is_in_sight_without_scrolling(
    running: Running,
    open_work: Callable[..., Page],
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    screen: dict[str, Any],
) -> None:
    monkeypatch.setitem(ITEMS, kind, SHORT[kind])
    page = open_work(running.campaign(kind), **screen)
    page.evaluate("document.getElementById('welcome').remove()")  # it is there for the first item only
    assert sees_all(page, kind)


def test_an_answer_under_the_pointer_does_not_look_chosen(running: Running, open_work: Callable[..., Page]) -> None:
    page = open_work(running.campaign("pair"))
    colours = (
        """() => [...document.querySelectorAll("#item .answer")].map((one) => getComputedStyle(one).backgroundColor)"""
    )
    page.hover("#item .answer >> nth=0")
    page.wait_for_timeout(300)
    one, other = page.evaluate(colours)
    assert one == other


def test_the_lines_of_an_example_stay_lines(running: Running, open_work: Callable[..., Page]) -> None:
    page = open_work(running.campaign("pair"))
    heights = page.evaluate(
        """() => ["one", "one\\ntwo\\nthree", "one<br>\\ntwo<br>\\nthree"].map((words) => {
          const prose = document.createElement("div");
          prose.className = "prose";
          prose.innerHTML = `<blockquote><p>${words}</p></blockquote>`;
          document.getElementById("main").append(prose);
          return prose.getBoundingClientRect().height;
        })"""
    )
    assert heights[1] == heights[2] == pytest.approx(3 * heights[0], abs=1)


def test_a_keyboard_without_latin_letters_or_plain_digits_answers_too(
    running: Running, open_work: Callable[..., Page]
) -> None:
    campaign = running.campaign("choose")
    page = open_work(campaign)
    for key, code in (("é", "Digit2"), ("ض", "KeyQ"), ("Enter", "Enter")):  # French digits, an Arabic q
        page.evaluate(
            "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code, bubbles: true}))",
            [key, code],
        )
    assert running.wait_for_answers(campaign, 1) == [choose(2, 11)]


def test_a_key_that_is_held_down_answers_once(running: Running, open_work: Callable[..., Page]) -> None:
    campaign = running.campaign("pair")
    page = open_work(campaign)
    for _ in range(12):
        page.keyboard.down("ArrowLeft")
        page.wait_for_timeout(30)
    page.wait_for_timeout(300)
    assert len(running.answers(campaign)) == 1


def test_a_seed_is_right_if_it_is_one_of_several_and_a_mistake_names_them_all(
    running: Running, open_work: Callable[..., Page]
) -> None:
    right = running.campaign("seed", expected={"seed": ["s2", "s5"]})
    page = open_work(right)
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    assert running.wait_for_answers(right, 1) == [{"seed": "s5", "skip": False}]
    page.wait_for_selector("form#answer button[aria-disabled='true']")  # the next one
    assert not page.locator("#mistake[open]").count()
    wrong = running.campaign("seed", expected={"seed": ["s2", "s5"]})
    page = open_work(wrong)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.wait_for_selector("#mistake[open]")
    assert page.inner_text("#mistake-expected").splitlines() == [f"2. “{TEXT} 2”", f"or 5. “{TEXT} 5”"]
    page.goto(f"{running.address}/judge/{wrong}/mine")
    assert page.locator(".own-answers .notice .own-answer > *").all_inner_texts() == [f"{TEXT} 2", f"or {TEXT} 5"]
    page.goto(f"{running.address}/admin/campaigns/{wrong}/item?id=test")
    assert page.locator(".as-shown input:checked").evaluate_all("found => found.map(one => one.value)") == ["s2", "s5"]
