"""People at work in tests: somebody answers a certain item, whatever the service would have handed to them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.assign import count_held
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.items import NewItem
from paraloom.judgments.people import Person
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.insert import insert_new


def judge(
    database: Database,
    campaign: Campaign,
    person: Person,
    item_id: str,
    answer: Mapping[str, Any],
    at: datetime,
    *,
    seconds: float | None = None,
) -> str:
    """This person's answer to this item; the judgment's id. Called again, it is a change of mind."""

    def job(connection: Connection) -> str:
        held = {
            "campaign_id": campaign.campaign_id,
            "item_id": item_id,
            "person_id": person.person_id,
            "state": "leased",
            "purpose": "work",
            "leased_at": at,
            "expires_at": at + timedelta(hours=1),
        }
        if insert_new(connection, schema.assignments, held):
            count_held(connection, campaign.campaign_id, item_id, 1)
        now = campaign_of(connection, campaign.campaign_id)
        given = GivenAnswer(
            item_id=item_id,
            answer=answer,
            client_id=secrets.token_hex(8),
            instructions_version=now.version,
            seconds=seconds,
        )
        return record_answer(connection, now, person, given, now=at).judgment_id

    return database.write(job)


def grade_all(
    database: Database, campaign: Campaign, people: Sequence[Person], labels: Mapping[str, Sequence[Any]], at: datetime
) -> None:
    """Every item's labels, one a person; a label may also be a whole answer, or None for nobody's."""
    for item_id, given in labels.items():
        for person, label in zip(people, given, strict=False):
            if label is not None:
                answer = label if isinstance(label, Mapping) else {"label": label}
                judge(database, campaign, person, item_id, answer, at)


def pairs_to_grade(count: int) -> list[NewItem]:
    """So many pairs in their documents, named `p0`, `p1` …"""
    made = []
    for n in range(count):
        left, right = f"Storm {n} hit the coast.", f"The shore met storm {n}."
        before = "It had been calm. "
        made.append(
            NewItem(
                item_id=f"p{n}",
                content={
                    "left": left,
                    "right": right,
                    "left_document": {"text": before + left, "start": len(before), "end": len(before + left)},
                    "right_document": {"text": right, "start": 0, "end": len(right), "title": "News"},
                },
            )
        )
    return made
