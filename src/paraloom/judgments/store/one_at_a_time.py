"""Who must wait for whom in PostgreSQL, so that counts are right and no number is overlooked. SQLite has one writer."""

from __future__ import annotations

from zlib import crc32

import sqlalchemy as sa
from sqlalchemy import Connection

APPENDING = 7_206_017_352
"""The advisory lock that is shared by all who append judgments."""


def one_at_a_time(connection: Connection, campaign_id: str, what: str) -> None:
    """Until this transaction ends, others that change the same wait: counts are read before they are changed.

    `what` is a person's id (two tabs, or a page that fetches ahead while it answers, would lose each other's counts),
    or a word for something that the whole campaign shares.
    """
    if connection.dialect.name == "postgresql":
        lock = sa.func.pg_advisory_xact_lock(_small(campaign_id), _small(what))
        connection.execute(sa.select(lock))


def append_beside_others(connection: Connection) -> None:
    """Before a judgment gets its number: whoever calls `wait_for_appended` waits for this transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock_shared(APPENDING)))


def wait_for_appended(connection: Connection) -> None:
    """From here on, no judgment will turn up with a smaller number than one that can be read.

    PostgreSQL gives numbers before it commits: 8 may be there to read while 7 is not, and whoever reads on behind 8
    would never see 7. Within a transaction that writes: one that reads has its view from before the wait.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(APPENDING)))


def _small(name: str) -> sa.ColumnElement[int]:
    """A whole number of 32 bits with its sign; two names with the same one wait for each other, which does no harm."""
    return sa.cast(crc32(name.encode()) - 2**31, sa.Integer)
