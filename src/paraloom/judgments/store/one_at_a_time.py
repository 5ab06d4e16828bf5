"""A campaign and a person in; out, when nobody else changes anything of theirs. SQLite has one writer anyway."""

from __future__ import annotations

from zlib import crc32

import sqlalchemy as sa
from sqlalchemy import Connection


def one_at_a_time(connection: Connection, campaign_id: str, person_id: str) -> None:
    """Until this transaction ends, others that work for the same person wait: counts are read before they are changed.

    Two tabs, or a page that fetches ahead while it answers, would lose each other's counts otherwise.
    """
    if connection.dialect.name == "postgresql":
        lock = sa.func.pg_advisory_xact_lock(_small(campaign_id), _small(person_id))
        connection.execute(sa.select(lock))


def _small(name: str) -> sa.ColumnElement[int]:
    """A whole number of 32 bits with its sign; two names with the same one wait for each other, which does no harm."""
    return sa.cast(crc32(name.encode()) - 2**31, sa.Integer)
