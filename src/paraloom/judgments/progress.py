"""A campaign in, how far it is out."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.store import schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a campaign is; test questions are not counted."""

    items: int
    complete: int
    """Items with all the judgments they want."""
    judgments: int
    """That count, of those wanted: a late answer to a complete item is one more than that."""
    wanted: int
    """Judgments, for all items together."""
    tests: int
    """Test questions there are."""


def progress_of(connection: Connection, campaign_id: str) -> Progress:
    """How far a campaign is."""
    items = schema.items.c
    of_wanted = sa.case((items.judged < items.wanted, items.judged), else_=items.wanted)
    row = connection.execute(
        sa.select(
            sa.func.count().filter(items.is_test.is_(False)).label("items"),
            sa.func.count().filter(items.is_test.is_(False), items.judged >= items.wanted).label("complete"),
            sa.func.coalesce(sa.func.sum(of_wanted).filter(items.is_test.is_(False)), 0).label("judgments"),
            sa.func.coalesce(sa.func.sum(items.wanted).filter(items.is_test.is_(False)), 0).label("wanted"),
            sa.func.count().filter(items.is_test).label("tests"),
        ).where(items.campaign_id == campaign_id, items.is_closed.is_(False))
    ).one()
    return Progress(**{name: int(value) for name, value in row._mapping.items()})
