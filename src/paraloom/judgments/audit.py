"""What someone did in, a row of the audit log out: who, what, about what, when. Never changed, never deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.store import schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing that someone did."""

    number: int
    at: datetime
    who: str | None
    what: str
    about: str | None
    detail: Mapping[str, Any]


def note_action(
    connection: Connection,
    *,
    who: str | None,
    what: str,
    now: datetime,
    about: str | None = None,
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Write it down, in the same transaction as the thing itself."""
    connection.execute(schema.audit.insert().values(at=now, who=who, what=what, about=about, detail=dict(detail or {})))


def actions(connection: Connection, *, before: int | None = None, most: int = 100) -> list[Action]:
    """The latest actions, newest first; `before` a number, to page back."""
    table = schema.audit
    asked = sa.select(table).order_by(table.c.number.desc()).limit(most)
    if before is not None:
        asked = asked.where(table.c.number < before)
    return [Action(**row._mapping) for row in connection.execute(asked)]
