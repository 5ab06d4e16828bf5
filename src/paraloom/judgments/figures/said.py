"""A campaign in, what was said in it out, as columns: every judgment, and every vote that counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy import Connection

from paraloom.judgments.store import schema

DAY = 86_400_000_000
"""Microseconds: moments are stored as such."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidVotes:
    """One row a vote that counts."""

    unit: Sequence[str]
    person: Sequence[str]
    value: Sequence[str]
    item: Sequence[str]
    """The item that the vote came with: a unit may be one of its candidates or aspects."""
    day: Integers
    """Days since 1970, in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidJudgments:
    """One row a first answer of a person to an item; changes of mind are neither work nor time of their own."""

    person: Sequence[str]
    is_test: NDArray[np.bool_]
    seconds: NDArray[np.float64]
    """nan where they were not told."""
    day: Integers


def read_said(connection: Connection, campaign_id: str) -> tuple[SaidVotes, SaidJudgments]:
    """Both tables, read in one go: a join in the database would look at every row twice."""
    said, votes = schema.judgments.c, schema.votes.c
    number, person, item, seconds, moment, is_test, is_first = _columns(
        connection,
        sa.select(
            said.number,
            said.person_id,
            said.item_id,
            said.seconds,
            sa.type_coerce(said.created_at, sa.BigInteger),
            said.is_test,
            said.replaces.is_(None),
        )
        .where(said.campaign_id == campaign_id)
        .order_by(said.number),
    )
    days = np.array(moment, dtype=np.int64) // DAY
    first = np.array(is_first, dtype=bool)
    judgments = SaidJudgments(
        person=[who for who, keep in zip(person, first, strict=True) if keep],
        is_test=np.array(is_test, dtype=bool)[first],
        seconds=np.array(seconds, dtype=np.float64)[first],
        day=days[first],
    )
    unit, voter, value, of_judgment = _columns(
        connection,
        sa.select(votes.unit, votes.person_id, votes.value, votes.number)
        .where(votes.campaign_id == campaign_id, votes.counts)
        .order_by(votes.number, votes.unit),
    )
    places = np.searchsorted(np.array(number, dtype=np.int64), np.array(of_judgment, dtype=np.int64))
    return (
        SaidVotes(unit=unit, person=voter, value=value, item=[item[place] for place in places], day=days[places]),
        judgments,
    )


def _columns(connection: Connection, asked: sa.Select[Any]) -> list[Sequence[Any]]:
    """The answer column by column, as the driver gives it: rows with names would take as long as all the measuring."""
    cursor = connection.execute(asked).cursor
    rows: Sequence[tuple[Any, ...]] = [] if cursor is None else cursor.fetchall()
    return [[row[place] for row in rows] for place in range(len(asked.selected_columns))]
