"""The real service in a real browser: grade, extract and write, by keys and by mouse, and what was meant is stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
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
from paraloom.judgments.tasks.extract import ExtractTask, segments
from paraloom.metrics.meaning.adversarial import Answers

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
STORY_LEFT = "🌉 Hello <b>all</b>!\r\nThe bridge is old and 𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast.\nNobody knows why. It closes on Monday.\n"
STORY_RIGHT = (
    "Once more: it fell apart quickly 🪨, that crossing. The reason is unknown.\nFrom Monday nobody may pass.\n"
)


def around(text: str, passage: str) -> dict[str, Any]:
    start = text.index(passage)
    return {"text": text, "start": start, "end": start + len(passage), "title": "News & <i>views</i>"}


def span_pair(left: str, right: str) -> dict[str, int]:
    """Offsets that Python counts."""
    one, other = STORY_LEFT.index(left), STORY_RIGHT.index(right)
    return {"left_start": one, "left_end": one + len(left), "right_start": other, "right_end": other + len(right)}


ITEMS: dict[str, dict[str, Any]] = {
    "grade": {
        "left": "Nobody knows why.",
        "right": "The reason is unknown.",
        "left_document": around(STORY_LEFT, "Nobody knows why."),
        "right_document": around(STORY_RIGHT, "The reason is unknown."),
    },
    "extract": {
        "left": {"text": STORY_LEFT, "title": "One"},
        "right": {"text": STORY_RIGHT, "title": "Other"},
        "suggestions": [{**span_pair("Nobody knows why.", "The reason is unknown."), "score": 0.4}],
    },
    "write": {"source": "The storm hit the coast on Monday."},
}


class Catchwords:
    """A model that judges by catchwords: `sunny` says something else, `storm` looks alike."""

    signature = "catchwords"

    def answer(self, left: Sequence[str], right: Sequence[str]) -> Answers:
        implication = np.array([0.1 if "sunny" in text else 0.9 for text in right])
        similarity = np.array([0.8 if "storm" in text else -0.5 for text in right])
        return Answers(implication=implication, similarity=similarity)


@dataclass(frozen=True)
class Running:
    """A service that runs, and whoever is signed in."""

    address: str
    database: Database
    key: str

    def campaign(self, kind: str, *, expected: dict[str, Any] | None = None, **settings: Any) -> str:
        """A new campaign with two items of the kind, or one of them a test question."""

        def job(connection: sa.Connection) -> str:
            number = connection.scalar(sa.select(sa.func.count()).select_from(schema.campaigns))
            wanted = CampaignSettings(
                tests_every=0, qualification=1 if expected else 0, min_test_accuracy=0, **settings
            )
            made = create_campaign(
                connection, task=kind, title=f"{kind} {number}", now=now(), by="service", settings=wanted
            )
            new = [NewItem(content=ITEMS[kind], item_id=f"item-{one}") for one in range(2)]
            if expected is not None:
                new.append(NewItem(content=ITEMS[kind], item_id="test", expected=expected, explanation="Because."))
            add_items(connection, made, new, now=now())
            change_state(connection, made.campaign_id, "open", now=now(), by="service")
            return made.campaign_id

        return self.database.write(job)

    def answers(self, campaign: str, count: int = 1) -> list[dict[str, Any]]:
        """What was stored, in its order, once there is so much."""
        said = schema.judgments
        asked = sa.select(said.c.answer).filter_by(campaign_id=campaign).order_by(said.c.number)
        deadline = time.monotonic() + 10
        while True:
            found = [dict(one) for one in self.database.read(lambda connection: connection.scalars(asked).all())]
            if len(found) >= count or time.monotonic() > deadline:
                return found
            time.sleep(0.05)

    def checks(self, campaign: str) -> list[str]:
        table = schema.checks
        asked = sa.select(table.c.text).filter_by(campaign_id=campaign).order_by(table.c.number)
        return list(self.database.read(lambda connection: connection.scalars(asked).all()))


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, serving: Callable[[Any], AbstractContextManager[str]]
) -> Iterator[Running]:
    from paraloom.judgments.app.application import make_app
    from paraloom.judgments.app.service import Lent, Service

    database = open_database(f"sqlite:///{tmp_path_factory.mktemp('service') / 'paraloom.db'}")

    def job(connection: sa.Connection) -> str:
        person = add_person(connection, name="Ann <b>", hashed=None, role="annotator", now=now(), by="service")
        return open_session(connection, person, now())

    service = Service(database=database, lent=Lent(implication=Catchwords))
    with serving(make_app(service)) as address:
        yield Running(address, database, database.write(job))
    database.close()


@pytest.fixture
def open_work(browser: Browser, running: Running) -> Iterator[Callable[..., Page]]:
    """Call it with a campaign for its work page; nothing may be said on the console."""
    said: list[str] = []
    contexts = []

    def open_page(campaign: str, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        context.add_cookies([{"name": "paraloom", "value": running.key, "url": running.address}])
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{running.address}/judge/{campaign}")
        page.wait_for_selector("form#answer")
        page.wait_for_function("() => document.activeElement !== document.body")  # the page's script has begun
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert said == []


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


GRADES: list[tuple[list[str], dict[str, Any]]] = [
    (["3", "Enter"], {"label": "3"}),
    (["4", ">", "s", "Enter"], {"label": "4>s"}),
    (["2", "u", "Enter"], {"label": "2", "unsure": True}),
    (["ArrowDown", "x", "Enter"], {"label": "x"}),
    (
        ["3", "r", "Tab", "End", "Backspace", "!", "Control+Enter"],
        {"label": "3", "rewrite_right": "The reason is unknown!"},
    ),
]


@pytest.mark.parametrize(("keys", "answer"), GRADES)
def test_a_pair_is_graded_by_keys(
    running: Running, open_work: Callable[..., Page], keys: list[str], answer: dict[str, Any]
) -> None:
    campaign = running.campaign("grade")
    press(open_work(campaign), *keys)
    [stored] = running.answers(campaign)
    assert stored == {"rewrite_left": None, "rewrite_right": None, "unsure": False, "note": None, **answer}


@pytest.mark.parametrize("options", [{}, PHONE])
def test_a_pair_is_graded_by_mouse_or_finger(
    running: Running, open_work: Callable[..., Page], options: dict[str, Any]
) -> None:
    campaign = running.campaign("grade")
    page = open_work(campaign, **options)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for selector in ("label.step:has(input[value='4'])", "label.chip:has(input[value='<'])", "button[type=submit]"):
        page.locator(f"#answer {selector}").tap() if options else page.locator(f"#answer {selector}").click()
    assert [one["label"] for one in running.answers(campaign)] == ["4<"]


def drag(page: Page, side: str, passage: str) -> None:
    """Select a passage with the mouse, from its first letter to its last."""
    box = page.evaluate(
        """([side, passage]) => {
        const place = document.querySelector(`[data-side=${side}] .document-text`);
        const at = (unit) => {
          const nodes = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
          let left = unit;
          while (nodes.nextNode()) {
            if (left < nodes.currentNode.length) return [nodes.currentNode, left];
            left -= nodes.currentNode.length;
          }
        };
        const box = (unit) => {
          const range = document.createRange();
          const [node, offset] = at(unit);
          range.setStart(node, offset);
          range.setEnd(node, offset + 1);
          return range.getBoundingClientRect();
        };
        const start = place.textContent.indexOf(passage);
        const [first, last] = [box(start), box(start + passage.length - 1)];
        return [first.left + 1, first.top + first.height / 2, last.right, last.top + last.height / 2];
        }""",
        [side, passage],
    )
    page.mouse.move(box[0], box[1])
    page.mouse.down()
    page.mouse.move(box[2], box[3], steps=6)
    page.mouse.up()


def found(stored: dict[str, Any]) -> list[tuple[str, str]]:
    """The texts of the pairs, cut out of the documents by Python."""
    task = ExtractTask()
    content = task.read_content(ITEMS["extract"])
    return [(one.left, one.right) for one in segments(content, task.read_answer(stored, content))]


def test_pairs_are_extracted_with_the_mouse_and_their_offsets_are_exact(
    running: Running, open_work: Callable[..., Page]
) -> None:
    campaign = running.campaign("extract")
    page = open_work(campaign)
    drag(page, "left", "𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast")
    drag(page, "right", "it fell apart quickly")
    page.click("[data-does=add]")
    drag(page, "right", "nobody may pass")  # in any order
    drag(page, "left", "It closes on Monday.")
    page.click("[data-does=add]")
    page.click("[data-list=suggestions] [data-does=accept]")
    page.click("#answer button[type=submit]")
    [stored] = running.answers(campaign)
    assert stored["pairs"] == [
        span_pair("𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast", "it fell apart quickly"),
        span_pair("It closes on Monday.", "nobody may pass"),
        span_pair("Nobody knows why.", "The reason is unknown."),
    ]
    assert (stored["state"], stored["suggestions_shown"]) == ("finished", True)


EXTRACTED: list[tuple[list[str], list[tuple[str, str]]]] = [
    (["y", "f"], [("Nobody knows why.", "The reason is unknown.")]),
    (["d", "e"], []),
    (  # a suggestion whose ends are moved: the end of the one side, the beginning of the other
        ["c", "Shift+Control+ArrowRight", "Tab", "o", "Shift+ArrowRight", "Enter", "f"],
        [("Nobody knows why. It closes on Monday.", "reason is unknown.")],
    ),
    (
        [
            *("k", "Control+ArrowRight", *["ArrowRight"] * 5, *["Shift+ArrowRight"] * 2),
            *("Tab", *["ArrowRight"] * 3, *["Shift+ArrowRight"] * 4, "Enter", "f"),
        ],
        [("𝒸𝓇𝓊𝓂𝒷𝓁𝒾𝓃𝑔 fast", "it fell apart quickly")],
    ),
]


@pytest.mark.parametrize(("keys", "pairs"), EXTRACTED)
def test_pairs_are_extracted_by_keys_alone(
    running: Running, open_work: Callable[..., Page], keys: list[str], pairs: list[tuple[str, str]]
) -> None:
    campaign = running.campaign("extract")
    press(open_work(campaign), *keys)
    [stored] = running.answers(campaign)
    assert found(stored) == pairs


def test_what_was_to_be_found_is_told_in_the_words_of_the_documents(
    running: Running, open_work: Callable[..., Page]
) -> None:
    wanted = {"pairs": [span_pair("Nobody knows why.", "The reason is unknown.")], "state": "finished"}
    page = open_work(running.campaign("extract", expected={**wanted, "suggestions_shown": True}))
    press(page, "d", "e")
    page.wait_for_selector("dialog#mistake[open]")
    told = page.inner_text("#mistake-expected")
    assert "“Nobody knows why.” – “The reason is unknown.”" in told


def test_a_mistaken_grade_is_told_in_words(running: Running, open_work: Callable[..., Page]) -> None:
    page = open_work(running.campaign("grade", expected={"label": "4<s"}))
    press(page, "1", "Enter")
    page.wait_for_selector("dialog#mistake[open]")
    assert page.inner_text("#mistake-expected") == (
        "Label 4<s: paraphrase in every context; A is more general; they differ in style"
    )


def check(page: Page, text: str, *, by_mouse: bool = False) -> None:
    page.fill("#text", text)
    page.click("[data-does=check]") if by_mouse else page.keyboard.press("Control+Enter")
    page.wait_for_function("text => document.querySelector('.attempt .said')?.textContent === text", arg=text)


def test_a_game_is_played_by_keys_and_every_check_is_kept(running: Running, open_work: Callable[..., Page]) -> None:
    campaign = running.campaign("write")
    page = open_work(campaign)
    check(page, "It was sunny.")
    check(page, "Gales lashed the shore.")
    assert page.inner_text("[data-passes]") == "Passes"
    press(page, "Control+Shift+Enter")
    assert running.answers(campaign) == [{"text": "Gales lashed the shore.", "gave_up": False}]
    assert running.checks(campaign)[:2] == ["It was sunny.", "Gales lashed the shore."]


def test_earlier_checks_are_there_in_another_browser(running: Running, open_work: Callable[..., Page]) -> None:
    campaign = running.campaign("write", most_checks=5)
    page = open_work(campaign)
    check(page, "It was sunny.", by_mouse=True)
    check(page, "Gales lashed <b>the shore</b>.", by_mouse=True)
    other = open_work(campaign)
    assert other.locator(".attempt .said").all_inner_texts() == ["Gales lashed <b>the shore</b>.", "It was sunny."]
    assert other.inner_text("[data-left]") == "3 checks left"
    other.click(".attempt >> nth=0")
    other.click("#answer button[type=submit]")
    assert [one["text"] for one in running.answers(campaign)] == ["Gales lashed <b>the shore</b>."]


def test_letters_beside_the_field_are_words_and_no_commands(running: Running, open_work: Callable[..., Page]) -> None:
    campaign = running.campaign("write")
    page = open_work(campaign)
    before = page.get_attribute("#item .item", "data-item")
    page.click(".source")
    page.keyboard.type("high gales?")
    assert page.input_value("#text") == "high gales?"
    assert page.get_attribute("#item .item", "data-item") == before
    assert page.locator("dialog[open]").count() == 0


def test_the_leader_board_shows_who_leads_and_marks_ones_own_row(
    running: Running, open_work: Callable[..., Page]
) -> None:
    campaign = running.campaign("write")
    page = open_work(campaign)
    check(page, "Gales lashed the shore.")
    press(page, "Control+Shift+Enter")
    running.answers(campaign)
    page.click("text=Leaders")
    row = page.locator("#board tr.own")
    row.wait_for()
    assert row.locator("td").all_inner_texts() == ["1", "Ann <b> you", "0.85", "1 of 1", "0.85"]


def test_a_leader_board_that_is_hidden_is_nowhere(running: Running, open_work: Callable[..., Page]) -> None:
    campaign = running.campaign("write", show_leader_board=False)
    page = open_work(campaign)
    assert page.locator("[data-opens=board], #board").count() == 0
    answer = page.request.get(f"{running.address}/judge/{campaign}/board", headers={"accept": "application/json"})
    assert answer.status == 404
