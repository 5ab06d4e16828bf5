"""An open connection in, every judgment out with all that is known of it, from one moment, a batch at a time.

The service goes on meanwhile: what is said later is not in it, and memory holds one batch however many there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign, all_campaigns, campaign_of
from paraloom.judgments.store import schema

AT_ONCE = 1000
"""Judgments that memory holds."""
JUDGED_PAIRS = ("pair", "grade")
"""Kinds of task whose items are two sentences with a left and a right one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One judgment, with its item and what became of it; or the decision about an item that holds, in the same form."""

    number: int
    """The place among all judgments, or among all decisions."""
    judgment_id: str
    campaign_id: str
    task: str
    item_id: str
    person_id: str
    name: str | None
    """The annotator's; None once it was erased."""
    answer: Mapping[str, Any]
    instructions_version: int
    seconds: float | None
    created_at: datetime
    is_test: bool
    is_right: bool | None
    client_id: str | None
    """None for a decision, and for that alone."""
    replaces: str | None
    purpose: str
    content: Mapping[str, Any]
    expected: Mapping[str, Any] | None
    explanation: str | None
    group_id: str | None
    proposed_by: str | None
    origin: Mapping[str, Any]
    not_counted_for: str | None
    """set_aside, superseded or test; None where it counts."""
    marks: Sequence[Mapping[str, Any]]
    decisions: Sequence[Mapping[str, Any]]
    """What experts decided about the item, the decision that holds last. Who did is told by id and by name."""
    notes: Sequence[Mapping[str, Any]]
    """What was said about the item, with who said it."""
    is_decision: bool = False

    @property
    def left_id(self) -> str | None:
        """Of a judged pair, the sentence that was shown on the left, where it is known."""
        found = self.origin.get("left_id") if self.task in JUDGED_PAIRS else None
        return found if isinstance(found, str) else None

    @property
    def is_counted(self) -> bool:
        """Whether it is one of the answers that labels are made of."""
        return self.not_counted_for is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """How far the store was when a snapshot was taken: what the snapshot's signature names."""

    judgments: int
    last: str
    """Number and id of the last judgment; the id tells two stores apart."""
    marks: int
    decisions: int
    checks: int

    def as_inputs(self) -> dict[str, str]:
        """For a signature."""
        return {
            "judgments": f"{self.judgments} up to {self.last}",
            "marks": str(self.marks),
            "decisions": str(self.decisions),
            "checks": str(self.checks),
        }


def campaigns_asked(connection: Connection, campaign_id: str | None) -> list[Campaign]:
    """The one that is named, or all, the oldest first."""
    return all_campaigns(connection)[::-1] if campaign_id is None else [campaign_of(connection, campaign_id)]


def moment_of(connection: Connection, campaign_id: str | None) -> Moment:
    """How far the store is."""
    said = schema.judgments
    of_it = sa.true() if campaign_id is None else said.c.campaign_id == campaign_id
    count = connection.scalar(sa.select(sa.func.count()).select_from(said).where(of_it)) or 0
    last = connection.execute(
        sa.select(said.c.number, said.c.judgment_id).where(of_it).order_by(said.c.number.desc()).limit(1)
    ).one_or_none()
    return Moment(
        judgments=count,
        last="none" if last is None else f"{last.number}:{last.judgment_id}",
        marks=connection.scalar(sa.select(sa.func.count()).select_from(schema.marks)) or 0,
        decisions=connection.scalar(sa.select(sa.func.count()).select_from(schema.decisions)) or 0,
        checks=connection.scalar(sa.select(sa.func.count()).select_from(schema.checks)) or 0,
    )


def every_judgment(
    connection: Connection, campaign_id: str | None, *, by: str = "number", ids: tuple[str, str] | None = None
) -> Iterator[Said]:
    """All judgments, by number (the order they were given in) or by judgment_id, of which `ids` may name a range."""
    table = schema.judgments
    key = table.c[by]
    asked = sa.select(key).order_by(key).execution_options(yield_per=AT_ONCE)
    if campaign_id is not None:
        asked = asked.where(table.c.campaign_id == campaign_id)
    if ids is not None:
        asked = asked.where(table.c.judgment_id >= ids[0], table.c.judgment_id < ids[1])
    for keys in connection.scalars(asked).partitions():  # keys alone are sorted; rows are looked up by them
        found = _asked().where(key.in_(keys)).order_by(key)
        yield from with_marks(connection, connection.execute(found).all())


def with_marks(connection: Connection, rows: Sequence[sa.Row[Any]]) -> Iterator[Said]:
    """Rows of `judgments_of_items`, each with what became of it."""
    marks = _marks(connection, [row.judgment_id for row in rows])
    items = {(row.campaign_id, row.item_id) for row in rows}
    decisions, notes = decisions_about(connection, items), notes_about(connection, items)
    for row in rows:
        values = dict(row._mapping)
        aside, later = values.pop("is_aside"), values.pop("is_superseded")
        reason = "test" if row.is_test else "set_aside" if aside else "superseded" if later else None
        yield Said(
            **values,
            not_counted_for=reason,
            marks=marks.get(row.judgment_id, []),
            decisions=decisions.get((row.campaign_id, row.item_id), []),
            notes=notes.get((row.campaign_id, row.item_id), []),
        )


def _asked() -> sa.Select[Any]:
    said, items, people, held = schema.judgments, schema.items, schema.people, schema.assignments
    later = said.alias("later")
    superseded = (
        sa.select(sa.literal(1))
        .where(
            later.c.campaign_id == said.c.campaign_id,
            later.c.item_id == said.c.item_id,
            later.c.person_id == said.c.person_id,
            later.c.number > said.c.number,
        )
        .exists()
    )
    return (
        sa.select(
            said,
            schema.campaigns.c.task,
            people.c.name,
            items.c.content,
            items.c.expected,
            items.c.explanation,
            items.c.group_id,
            items.c.proposed_by,
            items.c.origin,
            (sa.func.coalesce(held.c.state, "answered") == "set_aside").label("is_aside"),
            superseded.label("is_superseded"),
        )
        .join(schema.campaigns, schema.campaigns.c.campaign_id == said.c.campaign_id)
        .join(items, sa.and_(items.c.campaign_id == said.c.campaign_id, items.c.item_id == said.c.item_id))
        .join(people, people.c.person_id == said.c.person_id)
        .outerjoin(
            held,
            sa.and_(
                held.c.campaign_id == said.c.campaign_id,
                held.c.item_id == said.c.item_id,
                held.c.person_id == said.c.person_id,
            ),
        )
    )


def judgments_of_items(connection: Connection, campaign_id: str, item_ids: Sequence[str]) -> dict[str, list[Said]]:
    """Everything that was said about some items, in its order."""
    found: dict[str, list[Said]] = defaultdict(list)
    said = schema.judgments.c
    asked = _asked().where(said.campaign_id == campaign_id, said.item_id.in_(item_ids)).order_by(said.number)
    for one in with_marks(connection, connection.execute(asked).all()):
        found[one.item_id].append(one)
    return found


def _marks(connection: Connection, judgment_ids: Sequence[str]) -> dict[str, list[Mapping[str, Any]]]:
    table = schema.marks.c
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    rows = connection.execute(
        sa.select(table.judgment_id, table.mark, table.reason, table.made_by, table.created_at)
        .where(table.judgment_id.in_(judgment_ids))
        .order_by(table.number)
    )
    for row in rows:
        found[row.judgment_id].append(
            {"mark": row.mark, "reason": row.reason, "made_by": row.made_by, "created_at": row.created_at}
        )
    return found


OfItems = dict[tuple[str, str], list[Mapping[str, Any]]]
"""By campaign and item, what was said about it, in its order."""


def decisions_about(connection: Connection, items: set[tuple[str, str]]) -> OfItems:
    """What experts decided about these items, with their names."""
    table = schema.decisions.c
    told = (table.answer, table.decided_by, table.reason, table.judgment_ids, table.instructions_version)
    return _of_items(connection, schema.decisions, table.decided_by, (*told, table.created_at), items)


def notes_about(connection: Connection, items: set[tuple[str, str]]) -> OfItems:
    """What was said about these items, with who said it."""
    table = schema.notes.c
    told = (table.person_id, table.text, table.created_at, table.client_id)
    return _of_items(connection, schema.notes, table.person_id, told, items)


def _of_items(
    connection: Connection,
    table: sa.Table,
    who: sa.Column[Any],
    told: Sequence[sa.Column[Any]],
    items: set[tuple[str, str]],
) -> OfItems:
    people = schema.people
    rows = connection.execute(
        sa.select(table.c.campaign_id, table.c.item_id, people.c.name, *told)
        .join(people, people.c.person_id == who)
        .where(
            table.c.campaign_id.in_(sorted({campaign_id for campaign_id, _ in items})),
            table.c.item_id.in_(sorted({item_id for _, item_id in items})),
        )
        .order_by(table.c.number)
    )
    found: OfItems = defaultdict(list)
    for row in rows:
        values = {str(name): value for name, value in row._mapping.items()}
        found[values.pop("campaign_id"), values.pop("item_id")].append(values)
    return found


def called(person_id: str, name: str | None, *, names: bool) -> str:
    """Somebody in a file: the opaque id; the name only where it was asked for and is still known.

    >>> called("4f2a", "Ann", names=True), called("4f2a", None, names=True), called("4f2a", "Ann", names=False)
    ('Ann', '4f2a', '4f2a')
    """
    return name if names and name is not None else person_id
