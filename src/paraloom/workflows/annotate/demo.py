"""An empty store in, a demonstration out: open campaigns of several kinds on the bundled sample, and somebody to see.

Texts, labels and people are the sample's: nothing in them is real.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from paraloom import sample
from paraloom.judgments.campaigns import all_campaigns, change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import DEMO_NAME, SERVICE, add_person, everybody, person_named
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.tables import make_id

LANGUAGE = "en"
DEMO_PAIRS = "demo-pairs"
"""The campaign that simulated annotators work on, beside whoever looks on."""
PAIRS, TESTS, GRADED, WRITTEN = 60, 12, 30, 20
EVERY = 5
"""One of so many of the demonstration's questions is a test."""

WHY = {
    "1": "Both say the same, in other words: somebody who knows one of them learns nothing new from the other.",
    "0": "They are about the same event, but one says something that the other does not.",
}


@dataclass(frozen=True, slots=True)
class GoldPair:
    """One row of the sample's labelled pairs."""

    left: str
    right: str
    label: str
    key: str

    @property
    def item_id(self) -> str:
        """Its id in the demonstration."""
        return make_id("demo", self.left, self.right)

    @property
    def answer(self) -> dict[str, bool]:
        """What is right."""
        return {"is_paraphrase": self.label == "1"}


def gold_pairs() -> list[GoldPair]:
    """The sample's labelled pairs in the demonstration's language."""
    with sample.gold().open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            GoldPair(row["left"], row["right"], row["label"], row["key"]) for row in rows if row["language"] == LANGUAGE
        ]


def is_new(database: Database) -> bool:
    """Whether nobody and nothing is in a store yet."""

    return database.read(lambda connection: not all_campaigns(connection) and not everybody(connection))


def has_demo(database: Database) -> bool:
    """Whether the demonstration was made here before."""
    return database.read(lambda connection: person_named(connection, DEMO_NAME)) is not None


def is_untouched(database: Database) -> bool:
    """Whether nobody has answered anything yet."""
    count = sa.select(sa.func.count()).select_from(schema.judgments)
    return database.read(lambda connection: connection.scalar(count)) == 0


def make_demo(database: Database) -> None:
    """Make the campaigns and the account, all at once."""
    pairs = gold_pairs()
    moment = now()

    def job(connection: Any) -> None:
        add_person(connection, name=DEMO_NAME, hashed=None, role="admin", now=moment, by=SERVICE)
        for name, title, task, settings, items in _campaigns(pairs):
            campaign = create_campaign(
                connection, task=task, title=title, campaign_id=name, settings=settings, now=moment, by=SERVICE
            )
            add_items(connection, campaign, items, now=moment)
            change_state(connection, name, "open", now=moment, by=SERVICE)

    database.write(job)


def _campaigns(pairs: list[GoldPair]) -> Iterator[tuple[str, str, str, CampaignSettings, list[NewItem]]]:
    rules = CampaignSettings(judgments_per_item=3, tests_every=EVERY)
    yield (
        "demo-write",
        "Game: the same in other words",
        "write",
        CampaignSettings(judgments_per_item=3, tests_every=0),
        list(_sources(pairs)),
    )
    yield "demo-choose", "Which of these mean the same?", "choose", rules, list(_choices(pairs))
    yield (
        "demo-grade",
        "How close are these two?",
        "grade",
        CampaignSettings(definition="graded", judgments_per_item=2, tests_every=0, adjudicate=True),
        [NewItem(content={"left": pair.left, "right": pair.right}) for pair in pairs[PAIRS + TESTS :][:GRADED]],
    )
    yield DEMO_PAIRS, "Do these two say the same?", "pair", CampaignSettings(tests_every=EVERY), list(_pairs(pairs))


def right_answers() -> dict[str, dict[str, bool]]:
    """The right answer to each of the demonstration's pairs, for annotators that are simulated."""
    return {pair.item_id: pair.answer for pair in gold_pairs()}


def _pairs(pairs: list[GoldPair]) -> Iterator[NewItem]:
    for place, pair in enumerate(pairs[: PAIRS + TESTS]):
        is_test = place < TESTS
        yield NewItem(
            item_id=pair.item_id,
            content={"left": pair.left, "right": pair.right},
            expected=pair.answer if is_test else None,
            explanation=WHY[pair.label] if is_test else None,
        )


def _choices(pairs: list[GoldPair]) -> Iterator[NewItem]:
    """One sentence of an event against the right sides of the event's pairs."""
    events: dict[str, list[GoldPair]] = {}
    for pair in pairs:
        events.setdefault(pair.key, []).append(pair)
    for place, (key, told) in enumerate(sorted(events.items())):
        original = told[0].left
        others = list(dict.fromkeys(pair.right for pair in told if pair.right != original))
        if len(others) < 4:
            continue
        candidates = [{"id": make_id("demo", original, other), "text": other} for other in others[:10]]
        yield NewItem(content={"original": original, "candidates": candidates}, group_id=make_id("demo", key))
        if place > 40:
            return


def _sources(pairs: list[GoldPair]) -> Iterator[NewItem]:
    for source in list(dict.fromkeys(pair.left for pair in pairs if len(pair.left.split()) > 5))[:WRITTEN]:
        yield NewItem(content={"source": source})
