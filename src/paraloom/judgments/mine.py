"""A person and a campaign in, what they themselves did in it out. What the others answered is never looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import NotFound
from paraloom.judgments.assign import Handed
from paraloom.judgments.items import Item, item_of
from paraloom.judgments.store import schema

A_PAGE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAnswer:
    """The latest answer to one item."""

    item_id: str
    content: Mapping[str, Any]
    answer: Mapping[str, Any]
    created_at: datetime
    was_changed: bool
    mistake: bool
    """A test question that was answered wrongly at first: only of these a person may know that they were tests."""
    expected: Mapping[str, Any] | None
    """Of a mistake alone, as is the explanation."""
    explanation: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnDay:
    """How much was answered on one day, in UTC, and how fast."""

    day: date
    answers: int
    seconds: float | None
    """The mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAnswers:
    """One page of answers, the newest first, and all days."""

    answers: tuple[OwnAnswer, ...]
    total: int
    page: int
    days: tuple[OwnDay, ...]
    """The newest first."""
    mean_seconds: float | None

    @property
    def pages(self) -> int:
        """How many there are."""
        return max(1, -(-self.total // A_PAGE))


def own_answers(connection: Connection, campaign_id: str, person_id: str, page: int = 1) -> OwnAnswers:
    """What this person answered."""
    said = schema.judgments
    own = sa.and_(said.c.campaign_id == campaign_id, said.c.person_id == person_id)
    total = connection.scalar(sa.select(sa.func.count(said.c.item_id.distinct())).where(own)) or 0
    page = min(max(1, page), max(1, -(-total // A_PAGE)))
    days = _days(connection, own)
    told = [(day.answers, day.seconds) for day in days if day.seconds is not None]
    return OwnAnswers(
        answers=tuple(_page(connection, own, page)),
        total=total,
        page=page,
        days=days,
        mean_seconds=sum(n * s for n, s in told) / sum(n for n, _ in told) if told else None,
    )


def _page(connection: Connection, own: sa.ColumnElement[bool], page: int) -> list[OwnAnswer]:
    said, items = schema.judgments, schema.items
    latest = (
        sa.select(
            sa.func.max(said.c.number).label("number"),
            sa.func.count().label("times"),
            sa.func.count().filter(said.c.is_right.is_(False), said.c.replaces.is_(None)).label("wrong"),
        )
        .where(own)
        .group_by(said.c.item_id)
        .subquery()
    )
    rows = connection.execute(
        sa.select(
            said.c.item_id,
            said.c.answer,
            said.c.created_at,
            latest.c.times,
            latest.c.wrong,
            items.c.content,
            items.c.expected,
            items.c.explanation,
        )
        .join(latest, latest.c.number == said.c.number)
        .join(items, sa.and_(items.c.campaign_id == said.c.campaign_id, items.c.item_id == said.c.item_id))
        .order_by(said.c.number.desc())
        .limit(A_PAGE)
        .offset((page - 1) * A_PAGE)
    )
    return [
        OwnAnswer(
            item_id=row.item_id,
            content=row.content,
            answer=row.answer,
            created_at=row.created_at,
            was_changed=row.times > 1,
            mistake=bool(row.wrong),
            expected=row.expected if row.wrong else None,
            explanation=row.explanation if row.wrong else None,
        )
        for row in rows
    ]


def _days(connection: Connection, own: sa.ColumnElement[bool]) -> tuple[OwnDay, ...]:
    said = schema.judgments
    day = (sa.type_coerce(said.c.created_at, sa.BigInteger) // 86_400_000_000).label("day")
    rows = connection.execute(
        sa.select(day, sa.func.count(), sa.func.avg(said.c.seconds))
        .where(own, said.c.replaces.is_(None))
        .group_by(day)
        .order_by(day.desc())
    )
    begin = date(1970, 1, 1).toordinal()
    return tuple(
        OwnDay(day=date.fromordinal(begin + int(number)), answers=answers, seconds=seconds)
        for number, answers, seconds in rows
    )


def handed_again(
    connection: Connection, campaign_id: str, person_id: str, item_id: str, expires_at: datetime
) -> Handed:
    """An item that this person answered, with their latest answer, to look at again."""
    said = schema.judgments
    answer = connection.scalar(
        sa.select(said.c.answer)
        .filter_by(campaign_id=campaign_id, item_id=item_id, person_id=person_id)
        .order_by(said.c.number.desc())
        .limit(1)
    )
    if answer is None:
        raise NotFound("You have not answered this item.")
    item: Item = item_of(connection, campaign_id, item_id)
    return Handed(item=item, purpose="work", expires_at=expires_at, answer_before=answer)
