"""Words to look for in, items of a campaign out, and all that was said about one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection

from paraloom.judgments.items import Item, item_of
from paraloom.judgments.people import COLUMNS, Person
from paraloom.judgments.store import schema

A_PAGE = 40

_items = schema.items.c

STATES: dict[str, Callable[[], ColumnElement[bool]]] = {
    "all": sa.true,
    "complete": lambda: sa.and_(_items.is_test.is_(False), _items.judged >= _items.wanted),
    "under way": lambda: sa.and_(_items.is_test.is_(False), _items.held > 0, _items.judged < _items.wanted),
    "untouched": lambda: sa.and_(_items.is_test.is_(False), _items.held == 0),
    "disputed": lambda: _divided(),
    "noted": lambda: _has(schema.notes),
    "decided": lambda: _has(schema.decisions),
    "test questions": lambda: _items.is_test.is_(True),
    "closed": lambda: _items.is_closed.is_(True),
}
"""What items can be narrowed to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is looked for."""

    words: str = ""
    """In the item's texts, or its id."""
    state: str = "all"
    label: str = ""
    """An answer that somebody gave, and that counts."""
    page: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundItem:
    """One item, and how it was voted on."""

    item: Item
    votes: Mapping[str, int]
    """Answers that count, and how often each was given; over all units of the item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One page of items."""

    items: tuple[FoundItem, ...]
    total: int
    page: int

    @property
    def pages(self) -> int:
        """How many there are."""
        return max(1, -(-self.total // A_PAGE))


def find_items(connection: Connection, campaign_id: str, search: Search) -> Found:
    """Items in the order they were added."""
    which: list[ColumnElement[bool]] = [_items.campaign_id == campaign_id, STATES.get(search.state, sa.true)()]
    if words := search.words.strip():
        texts = sa.type_coerce(_items.content, sa.Text).ilike(
            _anywhere(orjson.dumps(words).decode()[1:-1]), escape="\\"
        )
        which.append(sa.or_(texts, _items.item_id == words, _items.group_id == words))
    if search.label:
        which.append(_voted(schema.votes.c.value == search.label))
    total = connection.scalar(sa.select(sa.func.count()).select_from(schema.items).where(*which)) or 0
    page = min(max(1, search.page), max(1, -(-total // A_PAGE)))
    rows = connection.execute(
        sa.select(schema.items)
        .where(*which)
        .order_by(_items.position, _items.item_id)
        .limit(A_PAGE)
        .offset((page - 1) * A_PAGE)
    )
    items = [Item(**row._mapping) for row in rows]
    votes = _votes(connection, campaign_id, [item.item_id for item in items])
    return Found(
        items=tuple(FoundItem(item=item, votes=votes.get(item.item_id, {})) for item in items), total=total, page=page
    )


def _anywhere(words: str) -> str:
    for sign in ("\\", "%", "_"):
        words = words.replace(sign, f"\\{sign}")
    return f"%{words}%"


def _has(table: sa.Table) -> ColumnElement[bool]:
    return (
        sa.select(sa.literal(1))
        .where(table.c.campaign_id == _items.campaign_id, table.c.item_id == _items.item_id)
        .correlate(schema.items)
        .exists()
    )


def _voted(*which: ColumnElement[bool]) -> ColumnElement[bool]:
    said, votes = schema.judgments, schema.votes
    return (
        sa.select(sa.literal(1))
        .select_from(said.join(votes, sa.and_(votes.c.number == said.c.number, votes.c.counts)))
        .where(
            said.c.campaign_id == _items.campaign_id,
            said.c.item_id == _items.item_id,
            votes.c.campaign_id == _items.campaign_id,
            votes.c.person_id == said.c.person_id,
            *which,
        )
        .correlate(schema.items)
        .exists()
    )


def _divided() -> ColumnElement[bool]:
    """Two people gave different answers to the same unit."""
    said, one, other = schema.judgments, schema.votes.alias("one"), schema.votes.alias("other")
    return (
        sa.select(sa.literal(1))
        .select_from(
            said.join(one, sa.and_(one.c.number == said.c.number, one.c.person_id == said.c.person_id)).join(
                other,
                sa.and_(
                    other.c.campaign_id == one.c.campaign_id,
                    other.c.unit == one.c.unit,
                    other.c.value != one.c.value,
                    other.c.counts,
                ),
            )
        )
        .where(
            said.c.campaign_id == _items.campaign_id,
            said.c.item_id == _items.item_id,
            one.c.campaign_id == _items.campaign_id,
            one.c.counts,
        )
        .correlate(schema.items)
        .exists()
    )


def _votes(connection: Connection, campaign_id: str, item_ids: Sequence[str]) -> dict[str, dict[str, int]]:
    said, votes = schema.judgments, schema.votes
    rows = connection.execute(
        sa.select(said.c.item_id, votes.c.value, sa.func.count())
        .select_from(said.join(votes, votes.c.number == said.c.number))
        .where(
            said.c.campaign_id == campaign_id,
            said.c.item_id.in_(item_ids),
            votes.c.campaign_id == campaign_id,
            votes.c.counts,
        )
        .group_by(said.c.item_id, votes.c.value)
        .order_by(sa.func.count().desc(), votes.c.value)
    )
    found: dict[str, dict[str, int]] = {}
    for item_id, value, count in rows:
        found.setdefault(item_id, {})[value] = count
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What became of a judgment."""

    mark: str
    reason: str
    made_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldJudgment:
    """A judgment with who made it, and what became of it."""

    judgment_id: str
    item_id: str
    content: Mapping[str, Any]
    person: Person
    answer: Mapping[str, Any]
    instructions_version: int
    seconds: float | None
    created_at: datetime
    is_right: bool | None
    purpose: str
    replaces: str | None
    is_latest: bool
    """No later answer of the same person takes its place."""
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A note, or an expert's decision."""

    person: Person
    text: str
    created_at: datetime
    answer: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemStory:
    """All that was said about one item."""

    item: Item
    judgments: tuple[ToldJudgment, ...]
    notes: tuple[Said, ...]
    decisions: tuple[Said, ...]


def item_story(connection: Connection, campaign_id: str, item_id: str) -> ItemStory:
    """All that was said about one item, in the order it was said."""
    item = item_of(connection, campaign_id, item_id)
    return ItemStory(
        item=item,
        judgments=told_judgments(connection, campaign_id, item_id=item_id),
        notes=tuple(_said(connection, schema.notes, schema.notes.c.person_id, item)),
        decisions=tuple(_said(connection, schema.decisions, schema.decisions.c.decided_by, item)),
    )


def told_judgments(
    connection: Connection,
    campaign_id: str,
    *,
    item_id: str | None = None,
    person_id: str | None = None,
    most: int = 500,
) -> tuple[ToldJudgment, ...]:
    """The latest judgments about an item or of a person, the oldest of them first."""
    said = schema.judgments
    asked = (
        sa.select(
            *COLUMNS,
            said.c.judgment_id,
            said.c.item_id,
            said.c.answer,
            said.c.instructions_version,
            said.c.seconds,
            said.c.created_at.label("said_at"),
            said.c.is_right,
            said.c.purpose,
            said.c.replaces,
            _items.content,
        )
        .join(schema.people, schema.people.c.person_id == said.c.person_id)
        .join(schema.items, sa.and_(_items.campaign_id == said.c.campaign_id, _items.item_id == said.c.item_id))
        .where(said.c.campaign_id == campaign_id)
        .order_by(said.c.number.desc())
        .limit(most)
    )
    if item_id is not None:
        asked = asked.where(said.c.item_id == item_id)
    if person_id is not None:
        asked = asked.where(said.c.person_id == person_id)
    rows = connection.execute(asked).all()[::-1]
    marks = _marks(connection, [row.judgment_id for row in rows])
    replaced = {row.replaces for row in rows}
    return tuple(
        ToldJudgment(
            judgment_id=row.judgment_id,
            item_id=row.item_id,
            content=row.content,
            person=_person(row),
            answer=row.answer,
            instructions_version=row.instructions_version,
            seconds=row.seconds,
            created_at=row.said_at,
            is_right=row.is_right,
            purpose=row.purpose,
            replaces=row.replaces,
            is_latest=row.judgment_id not in replaced,
            marks=marks.get(row.judgment_id, ()),
        )
        for row in rows
    )


def _marks(connection: Connection, judgment_ids: Sequence[str]) -> dict[str, tuple[Mark, ...]]:
    table = schema.marks.c
    rows = connection.execute(
        sa.select(table.judgment_id, table.mark, table.reason, table.made_by, table.created_at)
        .where(table.judgment_id.in_(judgment_ids))
        .order_by(table.number)
    )
    found: dict[str, tuple[Mark, ...]] = {}
    for judgment_id, mark, reason, made_by, created_at in rows:
        new = Mark(mark=mark, reason=reason, made_by=made_by, created_at=created_at)
        found[judgment_id] = (*found.get(judgment_id, ()), new)
    return found


def _said(connection: Connection, table: sa.Table, who: sa.Column[Any], item: Item) -> list[Said]:
    is_note = table is schema.notes
    rows = connection.execute(
        sa.select(
            *COLUMNS,
            (table.c.text if is_note else table.c.reason).label("words"),
            table.c.created_at.label("said_at"),
            (sa.null() if is_note else table.c.answer).label("decided"),
        )
        .join(schema.people, schema.people.c.person_id == who)
        .where(table.c.campaign_id == item.campaign_id, table.c.item_id == item.item_id)
        .order_by(table.c.number)
    )
    return [Said(person=_person(row), text=row.words, created_at=row.said_at, answer=row.decided) for row in rows]


def _person(row: Any) -> Person:
    return Person(**{name: row._mapping[name] for name in Person.__dataclass_fields__})
