"""A given judgment in, a row of the store out, once: one that is there already is found again and left as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.answers import keep_votes
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.client_ids import is_client_id
from paraloom.judgments.exchange.authors import IMPORTED, Authors
from paraloom.judgments.exchange.judged_items import JudgedItems
from paraloom.judgments.exchange.judgment_rows import GivenJudgment
from paraloom.judgments.exchange.labels_in import answer_of
from paraloom.judgments.exchange.sides import stand_turned, turned_answer
from paraloom.judgments.items import Item
from paraloom.judgments.people import Person
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import key_of_new
from paraloom.judgments.tasks import read_expected, task_named
from paraloom.tables import make_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A judgment that is in the store, and whose answer to what it is."""

    judgment_id: str
    item_id: str
    person_id: str
    is_new: bool
    is_turned: bool = False
    """The file shows its item with the sides the other way round."""


class KeptJudgments:
    """The campaign's judgments, within one import. They are marked as imported."""

    def __init__(
        self, connection: Connection, campaign: Campaign, items: JudgedItems, authors: Authors, now: datetime
    ) -> None:
        self._connection = connection
        self._campaign = campaign
        self._task = task_named(campaign.task)
        self._items = items
        self._authors = authors
        self._now = now

    def keep(self, given: GivenJudgment) -> Kept:
        """Store it, unless it is there; its votes do not count until its author's place at the item is settled."""
        if given.judgment_id is not None and (there := self._there(given.judgment_id)) is not None:
            if given.decisions:  # which may be new, and are about the sides as the file has them
                there = replace(there, is_turned=self._is_turned(self._items.item(there.item_id), given))
            return there
        item = self._items.judged(given, given.expected)
        is_turned = self._is_turned(item, given)
        content = self._task.read_content(item.content)
        raw = given.answer
        if raw is None:
            assert given.labels is not None
            raw = answer_of(self._campaign.task, given.labels, item.content)
        if is_turned:
            raw = turned_answer(self._campaign.task, raw)
        answer = self._task.read_answer(raw, content)
        if given.judgment_id is None:  # one file may be imported into several campaigns
            given = replace(given, client_id=f"{IMPORTED}:{make_id(self._campaign.campaign_id, given.client_id)}")
        if not is_client_id(given.client_id):
            raise InputError("`client_id` is not 8 to 100 plain characters")
        person = self._authors.named(given.annotator, own=given.judgment_id is not None)
        expected = None if item.expected is None else read_expected(self._task, item.expected, content)
        judgment_id = given.judgment_id or make_id("judgment", person.person_id, given.client_id)
        values = {
            "judgment_id": judgment_id,
            "campaign_id": self._campaign.campaign_id,
            "item_id": item.item_id,
            "person_id": person.person_id,
            "answer": asdict(answer),
            "instructions_version": min(max(given.instructions_version, 1), self._campaign.version),
            "seconds": given.seconds,
            "created_at": given.created_at or self._now,
            "is_test": item.is_test,
            "is_right": None if expected is None else self._task.is_right(answer, expected),
            "client_id": given.client_id,
            "replaces": given.replaces or self._before(item, person),
            "purpose": IMPORTED,
        }
        number = key_of_new(self._connection, schema.judgments, values)
        if number is None:
            return replace(self._there_as(judgment_id, person, given.client_id), is_turned=is_turned)
        votes = self._task.votes(item.item_id, content, answer)
        keep_votes(self._connection, item, person.person_id, number, votes, counts=False)
        return Kept(
            judgment_id=judgment_id,
            item_id=item.item_id,
            person_id=person.person_id,
            is_new=True,
            is_turned=is_turned,
        )

    def _is_turned(self, item: Item, given: GivenJudgment) -> bool:
        return stand_turned(self._campaign.task, item, given.content, given.left_id)

    def _there(self, judgment_id: str) -> Kept | None:
        return self._found(_BY_ID, {"judgment_id": judgment_id})

    def _there_as(self, judgment_id: str, person: Person, client_id: str) -> Kept:
        """The one that was in the way: of the same id, or of the same person and client id."""
        drawn = {"person_id": person.person_id, "client_id": client_id}
        found = self._there(judgment_id) or self._found(_BY_CLIENT_ID, drawn)
        assert found is not None
        return found

    def _found(self, which: sa.Select[Any], known: Mapping[str, str]) -> Kept | None:
        row = self._connection.execute(which, known).one_or_none()
        if row is None:
            return None
        if row.campaign_id != self._campaign.campaign_id:
            raise InputError(f"this judgment is one of the campaign {row.campaign_id} already")
        return Kept(judgment_id=row.judgment_id, item_id=row.item_id, person_id=row.person_id, is_new=False)

    def _before(self, item: Item, person: Person) -> str | None:
        known = {"campaign_id": item.campaign_id, "item_id": item.item_id, "person_id": person.person_id}
        found: str | None = self._connection.scalar(_LATEST, known)
        return found


def _where(*names: str) -> list[sa.ColumnElement[bool]]:
    return [schema.judgments.c[name] == sa.bindparam(name) for name in names]


_KEPT = sa.select(*(schema.judgments.c[name] for name in ("campaign_id", "judgment_id", "item_id", "person_id")))
_BY_ID = _KEPT.where(*_where("judgment_id"))
_BY_CLIENT_ID = _KEPT.where(*_where("person_id", "client_id"))
_LATEST = (
    sa.select(schema.judgments.c.judgment_id)
    .where(*_where("campaign_id", "item_id", "person_id"))
    .order_by(schema.judgments.c.number.desc())
    .limit(1)
)
