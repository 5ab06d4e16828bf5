"""Items and answers of every kind of task, drawn at random, for tests of what goes out and comes in again."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.assign import count_held
from paraloom.judgments.campaigns import Campaign, campaign_of, change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import Person, add_person
from paraloom.judgments.set_aside import restore_work, set_aside_work
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.insert import insert_new

TEXTS = (
    "The storm hit the coast.",
    "He said \"go\", she said 'no'\n— and left",
    "=SUM(A1:A9)",
    "转述 😢 naïve\u0301",
    "<script>alert(1)</script> & co",
    "../../etc/passwd",
    "one,two\tthree;four",
    "x" * 3000,
)
WORDS = ["storm", "coast", "rain", "wind", "😢", "shore", "met", "night"]


def text(rng: random.Random) -> str:
    """Any text, not twice the same."""
    return f"{rng.choice(TEXTS)} {' '.join(rng.choices(WORDS, k=4))} {rng.randrange(10**9)}"


def content(task: str, rng: random.Random) -> dict[str, Any]:
    """Something to judge."""
    made: dict[str, Any] = {
        "pair": lambda: {"left": text(rng), "right": text(rng), "topic": rng.choice([None, "storms"])},
        "grade": lambda: {"left": text(rng), "right": text(rng)},
        "match": lambda: {side: {"text": text(rng), "title": "T"} for side in ("left", "right")},
        "extract": lambda: {
            side: {"text": f"😢 {text(rng)}", "id": secrets.token_hex(4)} for side in ("left", "right")
        },
        "rate": lambda: {"source": text(rng), "generated": text(rng)},
        "topic": lambda: {"sentences": [text(rng), text(rng)], "key": "storm"},
        "seed": lambda: {"sentences": [{"id": f"s{n}", "text": text(rng)} for n in range(4)]},
        "choose": lambda: {
            "original": text(rng),
            "candidates": [{"id": secrets.token_hex(4), "text": text(rng)} for _ in range(3)],
        },
        "write": lambda: {"source": text(rng)},
    }[task]()
    return dict(made)


def answer(task: str, shown: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """What somebody might say."""
    return dict(_ANSWERS[task](shown, rng))


def _grade(shown: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    label = rng.choice(["1", "2", "3", "4", "4>", "4<s", "4is", "x"])
    rewrite = label not in ("4", "x") and rng.random() < 0.5
    return {"label": label, "rewrite_left": text(rng) if rewrite else None, "unsure": rng.random() < 0.3}


def _extract(shown: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.2:
        return {"pairs": [], "state": "empty", "suggestions_shown": True}
    pairs = [
        {"left_start": 2 + n, "left_end": 9 + n, "right_start": 2, "right_end": 8 + n} for n in range(rng.randint(1, 3))
    ]
    return {"pairs": pairs, "state": "finished", "suggestions_shown": False}


def _choose(shown: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    ids = [one["id"] for one in shown["candidates"]]
    return {"chosen": [one for one in ids if rng.random() < 0.5], "shown": ids}


_ANSWERS: dict[str, Any] = {
    "pair": lambda shown, rng: {"is_paraphrase": rng.random() < 0.5},
    "grade": _grade,
    "match": lambda shown, rng: {"accept": rng.random() < 0.5},
    "extract": _extract,
    "rate": lambda shown, rng: {name: rng.randint(1, 5) for name in ("fluency", "similarity", "diversity")},
    "topic": lambda shown, rng: {"topic": rng.choice(["health", "politics"])},
    "seed": lambda shown, rng: rng.choice([{"skip": True}, {"seed": "s1"}]),
    "choose": _choose,
    "write": lambda shown, rng: rng.choice([{"text": text(rng)}, {"text": "", "gave_up": True}]),
}

TASKS = tuple(_ANSWERS)


def campaign_at_random(database: Database, task: str, rng: random.Random, now: datetime, steps: int) -> Campaign:
    """A campaign with items, some of them test questions, and people who answer, change their minds, are set aside."""
    shown = {f"item-{n}/../{secrets.token_hex(3)}": content(task, rng) for n in range(rng.randint(1, 4))}
    items = [
        NewItem(
            item_id=item_id,
            content=one,
            expected=answer(task, one, rng) if rng.random() < 0.3 else None,
            explanation="Because." if rng.random() < 0.5 else None,
            group_id=rng.choice([None, "g1"]),
            origin={"left_id": "a", "rank": 3},
        )
        for item_id, one in shown.items()
    ]

    def begin(connection: Connection) -> tuple[Campaign, list[Person]]:
        name = f"c-{secrets.token_hex(5)}"
        settings = CampaignSettings(min_tests=10_000, min_compared=1_000_000)
        create_campaign(connection, task=task, title=name, settings=settings, now=now, by="test")
        campaign = campaign_of(connection, name)
        add_items(connection, campaign, items, now=now)
        change_state(connection, name, "open", now=now, by="test")
        people = [
            add_person(connection, name=f"p {n} {name}", hashed=None, role="annotator", now=now, by="test")
            for n in range(3)
        ]
        return campaign_of(connection, name), people

    campaign, people = database.write(begin)
    for step in range(steps):
        person, item_id = rng.choice(people), rng.choice(list(shown))
        moment = now + timedelta(seconds=step, microseconds=rng.randrange(10**6))
        _step(database, campaign, person, item_id, answer(task, shown[item_id], rng), rng, moment)
    return campaign


def _step(
    database: Database,
    campaign: Campaign,
    person: Person,
    item_id: str,
    said: Mapping[str, Any],
    rng: random.Random,
    moment: datetime,
) -> None:
    what = rng.random()
    if what < 0.1:
        why = {"reason": "set aside ‘so’", "now": moment, "by": "test"}
        database.write(lambda c: set_aside_work(c, campaign, person.person_id, **why))
    elif what < 0.15:
        why = {"reason": "restored", "now": moment, "by": "test"}
        database.write(lambda c: restore_work(c, campaign, person.person_id, **why))
    else:
        judge(database, campaign, person, item_id, said, moment, seconds=rng.choice([None, 1.25]))


def judge(
    database: Database,
    campaign: Campaign,
    person: Person,
    item_id: str,
    said: Mapping[str, Any],
    moment: datetime,
    *,
    seconds: float | None = None,
) -> str:
    """One answer of one person to one item, whether or not it was handed to them."""

    def job(connection: Connection) -> str:
        held = {
            "campaign_id": campaign.campaign_id,
            "item_id": item_id,
            "person_id": person.person_id,
            "state": "leased",
            "purpose": "work",
            "leased_at": moment,
            "expires_at": moment + timedelta(hours=1),
        }
        if insert_new(connection, schema.assignments, held):
            count_held(connection, campaign.campaign_id, item_id, 1)
        given = GivenAnswer(
            item_id=item_id, answer=said, client_id=secrets.token_hex(8), instructions_version=1, seconds=seconds
        )
        return record_answer(connection, campaign, person, given, now=moment).judgment_id

    return database.write(job)
