"""Items and answers of every kind of task, drawn at random, for tests of what goes out and comes in again."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign, campaign_of, change_state, create_campaign
from paraloom.judgments.conflicts import Judged, judged_item
from paraloom.judgments.decide import GivenDecision, decide, write_note
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import Person, add_person, everybody
from paraloom.judgments.set_aside import restore_work, set_aside_work
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from tests.judgments.working import judge

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


def expected(task: str, shown: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """A right answer; of seeds there may be several."""
    return {"seed": ["s1", "s3"]} if task == "seed" and rng.random() < 0.5 else answer(task, shown, rng)


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
    """A campaign with items, some of them test questions, and people who answer, change their minds, are set aside,
    talk about items and decide about them."""
    shown = {f"item-{n}/../{secrets.token_hex(3)}": content(task, rng) for n in range(rng.randint(1, 4))}
    items = [
        NewItem(
            item_id=item_id,
            content=one,
            expected=expected(task, one, rng) if rng.random() < 0.3 else None,
            explanation="Because." if rng.random() < 0.5 else None,
            group_id=rng.choice([None, "g1"]),
            origin={"left_id": "a", "rank": 3},
        )
        for item_id, one in shown.items()
    ]

    def begin(connection: Connection) -> Campaign:
        name = f"c-{secrets.token_hex(5)}"
        settings = CampaignSettings(min_tests=10_000, min_compared=1_000_000, judgments_per_item=1, adjudicate=True)
        create_campaign(connection, task=task, title=name, settings=settings, now=now, by="test")
        campaign = campaign_of(connection, name)
        add_items(connection, campaign, items, now=now)
        change_state(connection, name, "open", now=now, by="test")
        for n in range(3):
            add_person(connection, name=f"p {n} {name}", hashed=None, role="annotator", now=now, by="test")
        add_person(connection, name=f"e {name}", hashed=None, role="expert", now=now, by="test")
        return campaign_of(connection, name)

    campaign = database.write(begin)
    go_on(database, campaign, rng, now, steps)
    return campaign


def go_on(database: Database, campaign: Campaign, rng: random.Random, since: datetime, steps: int) -> None:
    """More of it, a step a second."""
    items = schema.items
    asked = sa.select(items.c.item_id, items.c.content).filter_by(campaign_id=campaign.campaign_id)
    shown = {row.item_id: row.content for row in database.read(lambda c: c.execute(asked.order_by("position")).all())}
    here = [one for one in database.read(everybody) if (one.name or "").endswith(f" {campaign.campaign_id}")]
    people = sorted((one for one in here if one.role == "annotator"), key=lambda one: one.shown_name)
    (expert,) = (one for one in here if one.role == "expert")
    for step in range(steps):
        person, item_id = rng.choice(people), rng.choice(list(shown))
        moment = since + timedelta(seconds=step, microseconds=rng.randrange(10**6))
        said = answer(campaign.task, shown[item_id], rng)
        _step(database, campaign, person, expert, item_id, said, rng, moment)


def _step(
    database: Database,
    campaign: Campaign,
    person: Person,
    expert: Person,
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
    elif what < 0.35:
        judged = database.read(lambda c: judged_item(c, campaign.campaign_id, item_id))
        if judged is not None and judged.is_complete:
            _discuss(database, campaign, expert, judged, said, rng, moment)
    else:
        judge(database, campaign, person, item_id, said, moment, seconds=rng.choice([None, 1.25]))


def _discuss(
    database: Database,
    campaign: Campaign,
    expert: Person,
    judged: Judged,
    said: Mapping[str, Any],
    rng: random.Random,
    moment: datetime,
) -> None:
    """A note, or a decision, on an item that was judged and is no test question."""
    if rng.random() < 0.5:
        drawn = {"client_id": secrets.token_hex(8), "now": moment}
        database.write(lambda c: write_note(c, campaign, expert, judged.item_id, rng.choice(TEXTS), **drawn))
        return
    given = GivenDecision(
        item_id=judged.item_id,
        seen=[one.judgment_id for one in judged.said],
        after=None if judged.decision is None else judged.decision.number,
        answer=said,
        reason=rng.choice(["", "=clear", "naïve"]),
    )
    database.write(lambda c: decide(c, campaign, expert, given, now=moment))
