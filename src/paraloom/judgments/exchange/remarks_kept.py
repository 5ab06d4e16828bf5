"""Marks, notes and decisions that a file tells in, those of them that were not here yet stored out.

A newer export of the same campaign tells all that the older one told, and more: what is new is added in its order, what
is here already is counted, and nothing is doubled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.exchange.authors import Authors
from paraloom.judgments.exchange.judged_items import JudgedItems
from paraloom.judgments.exchange.remark_rows import GivenDecision, GivenMark, GivenNote
from paraloom.judgments.items import Item
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new
from paraloom.judgments.tasks import task_named

T = TypeVar("T")


@dataclass(slots=True)
class Counts:
    """How many of one kind a file brought, and how many of those that it tells were here."""

    added: int = 0
    there_already: int = 0


class KeptRemarks:
    """What was said after the campaign's judgments, within one import; what is told of one thing is told at once."""

    def __init__(self, connection: Connection, campaign: Campaign, items: JudgedItems, authors: Authors) -> None:
        self._connection = connection
        self._campaign = campaign
        self._items = items
        self._authors = authors
        self.marks = Counts()
        self.notes = Counts()
        self.decisions = Counts()

    def keep_marks(self, judgment_id: str, told: Sequence[GivenMark]) -> list[GivenMark]:
        """Store the marks on one judgment that are not here; which those are."""
        stored = marks_on(self._connection, schema.judgments.c.judgment_id == judgment_id)
        new = _not_among(told, [mark for _, mark in stored], key=lambda mark: mark)
        self.marks.there_already += len(told) - len(new)
        for mark in new:
            self._connection.execute(schema.marks.insert().values(judgment_id=judgment_id, **asdict(mark)))
            self.marks.added += 1
        return new

    def keep_notes(self, item_id: str, told: Sequence[GivenNote]) -> None:
        """Store the notes on one item that are not here."""
        table = schema.notes
        where = {"campaign_id": self._campaign.campaign_id, "item_id": item_id}
        rows = self._connection.execute(sa.select(table.c.created_at, table.c.text).filter_by(**where))
        new = _not_among(told, [(row.created_at, row.text) for row in rows], key=lambda one: (one.created_at, one.text))
        self.notes.there_already += len(told) - len(new)
        for note in new:
            person_id = self._authors.named(note.annotator, own=True).person_id
            words = {"text": note.text, "created_at": note.created_at, "client_id": note.client_id}
            is_new = insert_new(self._connection, table, {**where, "person_id": person_id, **words})
            self.notes.added += is_new
            self.notes.there_already += not is_new

    def keep_decisions(self, item_id: str, told: Sequence[GivenDecision]) -> None:
        """Store the decisions about one item that are not here; the one that is stored last holds."""
        item, table = self._items.item(item_id), schema.decisions
        rows = self._connection.execute(
            sa.select(table.c.created_at, table.c.reason, table.c.answer).filter_by(
                campaign_id=item.campaign_id, item_id=item_id
            )
        )
        stored = [_same_decision(row.created_at, row.reason, row.answer) for row in rows]
        checked = [_with_reason(replace(one, answer=self._checked(item, one)), stored) for one in told]
        keys = [_same_decision(one.created_at, one.reason or "", one.answer) for one in checked]
        new = [one for one, _ in _not_among(list(zip(checked, keys, strict=True)), stored, key=lambda one: one[1])]
        self.decisions.there_already += len(told) - len(new)
        here = [at for at, *_ in Counter(stored) - Counter(keys)]
        if new and here and max(here) > new[-1].created_at:
            raise InputError(f"{item_id!r} was decided here later than in the file, and what was decided here holds")
        for one in new:
            self._decide(item, one)
            self.decisions.added += 1

    def _checked(self, item: Item, decision: GivenDecision) -> dict[str, Any]:
        """Its answer, as the task stores one."""
        task = task_named(self._campaign.task)
        return asdict(task.read_answer(decision.answer, task.read_content(item.content)))

    def _decide(self, item: Item, decision: GivenDecision) -> None:
        self._connection.execute(
            schema.decisions.insert().values(
                campaign_id=item.campaign_id,
                item_id=item.item_id,
                answer=decision.answer,
                decided_by=self._authors.named(decision.decided_by, own=True).person_id,
                reason=decision.reason or "",
                judgment_ids=list(decision.judgment_ids),
                instructions_version=decision.instructions_version,
                created_at=decision.created_at,
            )
        )


def marks_on(connection: Connection, *which: sa.ColumnElement[bool]) -> list[tuple[str, GivenMark]]:
    """Every mark on these judgments, with the judgment's id, in the order they were made."""
    said, marks = schema.judgments, schema.marks
    rows = connection.execute(
        sa.select(marks).join(said, said.c.judgment_id == marks.c.judgment_id).where(*which).order_by(marks.c.number)
    )
    return [
        (
            row.judgment_id,
            GivenMark(mark=row.mark, reason=row.reason, made_by=row.made_by, created_at=row.created_at),
        )
        for row in rows
    ]


def joined(told: Sequence[T], again: Sequence[T]) -> list[T]:
    """Two tellings as one: what stands in both is told once, but twice where one of them tells it twice.

    >>> joined(["a", "b"], ["a", "b", "b", "c"])
    ['a', 'b', 'b', 'c']
    """
    return [*told, *(one for n, one in enumerate(again) if again[: n + 1].count(one) > told.count(one))]


def _not_among(told: Sequence[T], stored: Iterable[Hashable], *, key: Callable[[T], Hashable]) -> list[T]:
    """What is told more often than it is stored, in its order."""
    left = Counter(stored)
    new = []
    for one in told:
        if left[key(one)] > 0:
            left[key(one)] -= 1
        else:
            new.append(one)
    return new


def _with_reason(decision: GivenDecision, stored: Sequence[tuple[datetime, str, bytes]]) -> GivenDecision:
    """A decision whose reason the file does not tell has that of the same decision here."""
    if decision.reason is not None:
        return decision
    at, _, answer = _same_decision(decision.created_at, "", decision.answer)
    return replace(decision, reason=next((reason for one, reason, said in stored if (one, said) == (at, answer)), ""))


def _same_decision(at: datetime, reason: str, answer: Mapping[str, Any]) -> tuple[datetime, str, bytes]:
    """By what a decision is known again: whoever made it may be called otherwise here."""
    return at, reason, orjson.dumps(answer, option=orjson.OPT_SORT_KEYS)
