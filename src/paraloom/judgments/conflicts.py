"""Judgments of items in, those that somebody must decide out (Kanerva et al., 2023, section 6.1: double annotation).

An item is looked at once all the judgments it wants are in. What counts is each person's latest answer, unless their
work was set aside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.store import schema

DIFFER = "differ"
UNSURE = "unsure"
CHANGED = "changed"
REASONS = {
    DIFFER: "The judgments differ",
    UNSURE: "Somebody is unsure",
    CHANGED: "Answers changed after the decision",
}
"""Why an item waits for a decision."""

REMARKS = ("unsure", "note")
"""Fields of an answer that say something about the answer, not about the item."""
REWRITES = ("rewrite_left", "rewrite_right")
"""Fields that make something new of the item: two good rewrites may differ, and nobody has to decide between them."""

T = TypeVar("T")

TOGETHER = 500
"""Items asked for at once: databases take only so many values in one question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one person says of an item now."""

    judgment_id: str
    number: int
    person_id: str
    answer: Mapping[str, Any]
    instructions_version: int
    created_at: datetime
    votes: tuple[tuple[str, str], ...]
    """Unit and value; empty where the kind of task has none."""

    @property
    def is_unsure(self) -> bool:
        """Marked by its author as one to talk about."""
        return bool(self.answer.get("unsure"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What somebody decided about an item. Never overwritten; a revision is a new row, and the latest holds."""

    number: int
    item_id: str
    answer: Mapping[str, Any]
    decided_by: str
    reason: str
    judgment_ids: tuple[str, ...]
    """What was judged at that time."""
    instructions_version: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An item with what people say of it now, and the decision if there is one."""

    item_id: str
    position: int
    is_complete: bool
    said: tuple[Said, ...]
    decision: Decision | None

    @property
    def is_settled(self) -> bool:
        """The decision knew every judgment there is."""
        known = () if self.decision is None else self.decision.judgment_ids
        return self.decision is not None and all(one.judgment_id in known for one in self.said)

    @property
    def differs(self) -> bool:
        """On some unit, not everybody voted the same. Answers without votes are meant to differ, and never do."""
        return len({one.votes for one in self.said}) > 1

    def why_open(self) -> str | None:
        """Why it waits for a decision; None where it does not."""
        if not self.is_complete or self.is_settled or not self.said:
            return None
        if self.differs:
            return DIFFER
        if any(one.is_unsure for one in self.said):
            return UNSURE
        if self.decision is not None and not same_substance(self.said[0].answer, self.decision.answer):
            return CHANGED
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """An item that waits for a decision."""

    why: str
    judged: Judged

    @property
    def item_id(self) -> str:
        """Of the item."""
        return self.judged.item_id

    @property
    def position(self) -> int:
        """Of the item among the campaign's."""
        return self.judged.position


def same_substance(
    one: Mapping[str, Any], other: Mapping[str, Any], *, aside: Collection[str] = (*REMARKS, *REWRITES)
) -> bool:
    """Whether two answers say the same about the item, whatever else they say.

    >>> same_substance({"label": "4", "unsure": True}, {"label": "4", "unsure": False})
    True
    """
    return bool(_plain(one, aside) == _plain(other, aside))


def _plain(value: Any, aside: Collection[str] = ()) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items() if name not in aside and each is not None}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def open_conflicts(connection: Connection, campaign: Campaign) -> list[Conflict]:
    """Every item that waits for a decision, in the items' order."""
    asked = sorted(_candidates(connection, campaign.campaign_id))
    found = ((judged.why_open(), judged) for judged in judged_items(connection, campaign.campaign_id, asked))
    conflicts = [Conflict(why=why, judged=judged) for why, judged in found if why is not None]
    return sorted(conflicts, key=lambda conflict: (conflict.position, conflict.item_id))


def judged_item(connection: Connection, campaign_id: str, item_id: str) -> Judged | None:
    """One item with what was said of it; None for one that nobody judged, and for test questions."""
    return next(iter(judged_items(connection, campaign_id, [item_id])), None)


def judged_items(connection: Connection, campaign_id: str, item_ids: Sequence[str] | None = None) -> Iterator[Judged]:
    """Items that have a judgment that counts or a decision, without the test questions; all, or the ones named."""
    if item_ids is None:
        yield from _judged(connection, campaign_id, None)
        return
    for some in in_batches(item_ids):
        yield from _judged(connection, campaign_id, some)


def in_batches(values: Iterable[T], most: int = TOGETHER) -> Iterator[list[T]]:
    """Lists of at most so many values, in their order.

    >>> list(in_batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    left = iter(values)
    while some := list(islice(left, most)):
        yield some


def _judged(connection: Connection, campaign_id: str, item_ids: Sequence[str] | None) -> Iterator[Judged]:
    said = _said(connection, campaign_id, item_ids)
    decisions = _latest_decisions(connection, campaign_id, item_ids)
    items = schema.items.c
    rows = connection.execute(
        sa.select(items.item_id, items.position, (items.judged >= items.wanted).label("is_complete"))
        .where(items.campaign_id == campaign_id, items.is_test.is_(False), *_among(items.item_id, item_ids))
        .order_by(items.position, items.item_id)
    )
    for row in rows:
        if row.item_id in said or row.item_id in decisions:
            yield Judged(
                item_id=row.item_id,
                position=row.position,
                is_complete=bool(row.is_complete),
                said=tuple(said.get(row.item_id, ())),
                decision=decisions.get(row.item_id),
            )


def counted_numbers(campaign_id: str, item_ids: Sequence[str] | None = None) -> sa.Subquery:
    """Numbers of the judgments that count now: each person's latest on an item, if it was not set aside; no tests."""
    said, held = schema.judgments.c, schema.assignments.c
    latest = (
        sa.select(sa.func.max(said.number).label("number"))
        .where(said.campaign_id == campaign_id, said.is_test.is_(False), *_among(said.item_id, item_ids))
        .group_by(said.item_id, said.person_id)
        .subquery()
    )
    answered = sa.and_(
        held.campaign_id == said.campaign_id,
        held.item_id == said.item_id,
        held.person_id == said.person_id,
        held.state == "answered",
    )
    return (
        sa.select(said.number)
        .join(latest, latest.c.number == said.number)
        .join(schema.assignments, answered)
        .subquery()
    )


def _said(connection: Connection, campaign_id: str, item_ids: Sequence[str] | None) -> dict[str, list[Said]]:
    said, votes = schema.judgments.c, schema.votes.c
    counted = counted_numbers(campaign_id, item_ids)
    values: dict[int, list[tuple[str, str]]] = {}
    for vote in connection.execute(
        sa.select(votes.number, votes.unit, votes.value)
        .join(counted, counted.c.number == votes.number)
        .where(votes.campaign_id == campaign_id)
        .order_by(votes.number, votes.unit)
    ):
        values.setdefault(vote.number, []).append((vote.unit, vote.value))
    rows = connection.execute(
        sa.select(
            said.item_id,
            said.judgment_id,
            said.number,
            said.person_id,
            said.answer,
            said.instructions_version,
            said.created_at,
        )
        .join(counted, counted.c.number == said.number)
        .order_by(said.number)
    )
    found: dict[str, list[Said]] = {}
    for item_id, judgment_id, number, person_id, answer, version, created_at in rows:
        said_now = Said(
            judgment_id=judgment_id,
            number=number,
            person_id=person_id,
            answer=answer,
            instructions_version=version,
            created_at=created_at,
            votes=tuple(sorted(values.get(number, ()))),
        )
        found.setdefault(item_id, []).append(said_now)
    return found


def _latest_decisions(connection: Connection, campaign_id: str, item_ids: Sequence[str] | None) -> dict[str, Decision]:
    table = schema.decisions.c
    latest = (
        sa.select(sa.func.max(table.number))
        .where(table.campaign_id == campaign_id, *_among(table.item_id, item_ids))
        .group_by(table.item_id)
    )
    rows = connection.execute(sa.select(schema.decisions).where(table.number.in_(latest)))
    return {row.item_id: decision_of(row) for row in rows}


def decisions_on(connection: Connection, campaign_id: str, item_id: str) -> list[Decision]:
    """Every decision about an item, the one that holds first."""
    table = schema.decisions
    rows = connection.execute(
        sa.select(table).filter_by(campaign_id=campaign_id, item_id=item_id).order_by(table.c.number.desc())
    )
    return [decision_of(row) for row in rows]


def decision_of(row: sa.Row[Any]) -> Decision:
    """A decision as it is stored."""
    fields = {name: value for name, value in row._mapping.items() if name != "campaign_id"}
    return Decision(**{**fields, "judgment_ids": tuple(fields["judgment_ids"])})


def _candidates(connection: Connection, campaign_id: str) -> set[str]:
    """Items worth a closer look: the few whose votes differ, that somebody is unsure about, or that were decided."""
    votes, said, items = schema.votes.c, schema.judgments.c, schema.items.c
    differing = (
        sa.select(said.item_id)
        .join(schema.votes, votes.number == said.number)
        .join(schema.items, sa.and_(items.campaign_id == said.campaign_id, items.item_id == said.item_id))
        .where(
            votes.campaign_id == campaign_id,
            votes.counts,
            items.is_test.is_(False),
            items.judged >= items.wanted,
        )
        .group_by(said.item_id, votes.unit)
        .having(sa.func.count(sa.distinct(votes.value)) > 1)
    )
    unsure = sa.select(said.item_id).where(
        said.campaign_id == campaign_id,
        said.is_test.is_(False),
        sa.type_coerce(said.answer, sa.Text).contains('"unsure":true'),  # as the store writes it, without white space
    )
    decided = sa.select(schema.decisions.c.item_id).where(schema.decisions.c.campaign_id == campaign_id)
    return {item_id for asked in (differing, unsure, decided) for item_id in connection.scalars(asked.distinct())}


def _among(column: sa.ColumnElement[str], item_ids: Sequence[str] | None) -> list[sa.ColumnElement[bool]]:
    return [] if item_ids is None else [column.in_(item_ids)]
