"""A database's URL in, a place to read from and to write to out. A write is acknowledged once it is durable.

SQLite has one writer at a time, and what a commit costs is waiting for the disk. So jobs that arrive together are
committed together, each in a savepoint of its own (see `group_commit`): two hundred people at once wait for a few
commits, not for two hundred. PostgreSQL does that by itself: there each job has its own transaction.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DataError, DBAPIError, OperationalError

from paraloom.errors import InputError, Unavailable
from paraloom.judgments.store.group_commit import GroupCommit

T = TypeVar("T")
Job = Callable[[Connection], T]

READERS = 4
WRITERS = 8
"""Connections to PostgreSQL that write at the same time."""
PATIENCE = 30
"""Seconds to wait for another process that writes to the same file."""
TRIES = 5
"""Transactions of PostgreSQL that got in each other's way are tried again so often."""

_IN_THE_WAY = ("40001", "40P01")
"""Codes of PostgreSQL: could not serialise, deadlock."""


class _Writer(Protocol):
    def write(self, job: Job[T]) -> T: ...

    async def writing(self, job: Job[T]) -> T: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class Database:
    """An open database. Made by `connect`; the schema is not looked at (see `migrate`)."""

    url: str
    engine: Engine
    """For reading, and for migrations."""
    _writer: _Writer
    _readers: ThreadPoolExecutor

    @property
    def is_sqlite(self) -> bool:
        """A file, or else a PostgreSQL server."""
        return self.engine.dialect.name == "sqlite"

    def read(self, job: Job[T]) -> T:
        """What the job finds, in one consistent view."""
        return _told(lambda: _read(self.engine, job))

    def write(self, job: Job[T]) -> T:
        """What the job returns, once all it did is durable; if it raises, nothing of it is."""
        return _told(lambda: self._writer.write(job))

    async def glance(self, job: Job[T]) -> T:
        """`reading` for a row or two that every request asks for: on a file quicker than the way to a thread."""
        return self.read(job) if self.is_sqlite else await self.reading(job)

    async def reading(self, job: Job[T]) -> T:
        """`read` for a server that has other things to do meanwhile."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, _read, self.engine, job)
        except DBAPIError as error:
            raise unavailable(error) from error

    async def writing(self, job: Job[T]) -> T:
        """`write` for a server that has other things to do meanwhile."""
        try:
            return await self._writer.writing(job)
        except DBAPIError as error:
            raise unavailable(error) from error

    def close(self) -> None:
        """Everything acknowledged stays; nothing more can be asked."""
        self._writer.close()
        self._readers.shutdown()
        self.engine.dispose()


def connect(url: str) -> Database:
    """Open `sqlite:///FILE` (or a plain path) or `postgresql://USER@HOST/NAME`."""
    return _connect_sqlite(url) if is_file(url) else _connect_postgresql(url)


def is_file(url: str) -> bool:
    """Whether a URL names a file rather than a server.

    >>> is_file("campaigns.db"), is_file("sqlite:///campaigns.db"), is_file("postgresql://localhost/campaigns")
    (True, True, False)
    """
    return not re.match(r"postgres(ql)?(\+psycopg)?://", url)


def file_of(url: str) -> Path:
    """The file that a URL of SQLite names.

    >>> str(file_of("sqlite:///campaigns.db")), str(file_of("campaigns.db"))
    ('campaigns.db', 'campaigns.db')
    """
    if "://" in url and not url.startswith("sqlite:///"):
        raise InputError(f"{url} is no database Paraloom knows. Give a file, sqlite:///FILE or postgresql://HOST/NAME.")
    return Path(url.removeprefix("sqlite:///"))


def unavailable(error: DBAPIError) -> Exception:
    """What to raise for an error of the database: that it does not answer, or the error itself if it is our mistake."""
    if "not a database" in str(error.orig):
        return InputError(f"The file given as the database is none: {error.orig}. Give another, or a new name.")
    if isinstance(error, DataError):  # SQLite takes nearly everything; PostgreSQL has no NUL, and lengths that it keeps
        return InputError(
            "Something that was given cannot be stored: a NUL character, or what is too long or too large."
        )
    if isinstance(error, OperationalError) or error.connection_invalidated:
        return Unavailable(f"The database does not answer: {error.orig}. Nothing was stored; try again.")
    return error


def _told(work: Callable[[], T]) -> T:
    try:
        return work()
    except DBAPIError as error:
        raise unavailable(error) from error


def _read(engine: Engine, job: Job[T]) -> T:
    with engine.connect() as connection:
        return job(connection)


def _connect_sqlite(url: str) -> Database:
    file = file_of(url)
    if not file.parent.is_dir():
        raise InputError(f"There is no folder {file.parent} to keep {file.name} in. Make it, or give another --db.")
    _for_owner_alone(file)
    at_once = "BEGIN IMMEDIATE"  # a lock that is taken late may be refused
    writer = GroupCommit(_sqlite_engine(file, at_once), _sqlite_engine(file, at_once, patience=0), patience=PATIENCE)
    reading = _sqlite_engine(file, "BEGIN", pool_size=READERS, max_overflow=READERS)
    return Database(url, reading, writer, ThreadPoolExecutor(READERS, "paraloom-read"))


def _for_owner_alone(file: Path) -> None:
    """A new file is readable by nobody else: it will hold people's words and hashes of passwords."""
    with suppress(FileExistsError):
        file.touch(0o600, exist_ok=False)


def _sqlite_engine(file: Path, begin: str, *, patience: float = PATIENCE, **pool: Any) -> Engine:
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(file)),
        connect_args={"timeout": patience, "check_same_thread": False, "isolation_level": None},
        poolclass=sa.QueuePool,
        **pool,
    )

    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")  # a commit is on the disk before it is acknowledged
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")  # an identity that was erased is not left in a corner of the file
        connection.execute("PRAGMA cache_size=-65536")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _connect_postgresql(url: str) -> Database:
    address = re.sub(r"^postgres(ql)?(\+psycopg)?://", "postgresql+psycopg://", url)
    try:
        engine = sa.create_engine(
            address,
            pool_size=READERS + WRITERS,
            max_overflow=0,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 10},
        )
    except (sa.exc.ArgumentError, ValueError) as error:
        raise InputError(f"{url} is no URL of a database: {error}") from error

    def prepare(connection: Any, _: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET synchronous_commit = on")  # whatever the server's default: an answer is never lost
        connection.commit()

    event.listen(engine, "connect", prepare)
    one_view = engine.execution_options(isolation_level="REPEATABLE READ")  # as SQLite's readers have it
    return Database(url, one_view, _OwnTransactions(engine), ThreadPoolExecutor(READERS, "paraloom-read"))


class _OwnTransactions:
    """A few threads, each job in its own transaction; what got in another's way is tried again."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(WRITERS, "paraloom-write")

    def write(self, job: Job[T]) -> T:
        return self._threads.submit(self._run, job).result()

    async def writing(self, job: Job[T]) -> T:
        return await asyncio.wrap_future(self._threads.submit(self._run, job))

    def close(self) -> None:
        self._threads.shutdown()

    def _run(self, job: Job[T]) -> T:
        for attempt in range(TRIES):
            with suppress(_InTheWay):
                return self._once(job, is_last=attempt == TRIES - 1)
            time.sleep(0.01 * 2**attempt)
        raise Unavailable("The database is too busy.")

    def _once(self, job: Job[T], *, is_last: bool) -> T:
        try:
            with self._engine.begin() as connection:
                return job(connection)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) in _IN_THE_WAY and not is_last:
                raise _InTheWay from error
            raise


class _InTheWay(Exception):
    """Two transactions could not go on together; one of them begins again."""
