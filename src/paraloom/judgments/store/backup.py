"""A database that is in use in, a file out that holds all of it as of one moment; and the way back.

SQLite is copied by its own backup, which does not keep anybody from writing. PostgreSQL is dumped by `pg_dump` where
that is installed and fits the server; else, and where it is asked for, all rows are written as JSON lines, which can
be restored into either kind of database. A backup holds hashes of passwords and keys: only its owner may read it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection, TypeDecorator

from paraloom.engine.store import unfinished_name
from paraloom.errors import InputError, TargetTaken
from paraloom.judgments.store import schema
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database, connect, file_of, is_file
from paraloom.judgments.store.migrate import open_database, upgrade, version_of, versions
from paraloom.judgments.whole_files import check_free, whole_file

AT_ONCE = 1000
OWNER_ONLY = 0o600

SQLITE_MARK, DUMP_MARK, LINES_MARK = b"SQLite format 3\x00", b"PGDMP", b'{"paraloom_backup":'


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """What was written."""

    out: Path
    kind: str
    """sqlite, pg_dump or rows."""
    judgments: int
    note: str | None = None


def back_up(database: Database, out: Path, *, portable: bool = False, overwrite: bool = False) -> BackedUp:
    """Write all of a database as of now, while it is in use."""
    check_free(out, overwrite=overwrite)
    if portable:
        return _rows(database, out)
    if database.is_sqlite:
        return _copy(database, out)
    problem = _pg_dump(database.url, out)
    return _rows(database, out, problem) if problem else BackedUp(out=out, kind="pg_dump", judgments=_count(database))


def restore(file: Path, url: str) -> Database:
    """Fill an empty database with a backup and open it; one that holds anything is refused."""
    if not file.is_file():
        raise InputError(f"There is no file {file}. Check the path.")
    kind = kind_of(file)
    _check_empty(url)
    if kind == "rows":
        return _restore_rows(file, url)
    if kind == "sqlite":
        if not is_file(url):
            raise InputError(
                f"{file} is a database of SQLite and {url} is a server. Restore it into a file, and take a backup of "
                "that with --portable."
            )
        return _restore_copy(file, url)
    if is_file(url):
        raise InputError(f"{file} is a dump of PostgreSQL. Give --db the URL of an empty database there.")
    return _pg_restore(file, url)


def kind_of(file: Path) -> str:
    """What a backup is, by its first bytes."""
    with file.open("rb") as opened:
        head = opened.read(32)
    for mark, kind in ((SQLITE_MARK, "sqlite"), (DUMP_MARK, "pg_dump"), (LINES_MARK, "rows")):
        if head.startswith(mark):
            return kind
    raise InputError(f"{file} is no backup of Paraloom's. Give a file that `paraloom annotate backup` wrote.")


def _copy(database: Database, out: Path) -> BackedUp:
    unfinished = unfinished_name(out.resolve())
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    try:
        with closing(sqlite3.connect(file_of(database.url))) as source, closing(sqlite3.connect(unfinished)) as copy:
            source.backup(copy)  # in one go: in WAL mode readers and writers do not wait for each other
            copy.execute("PRAGMA journal_mode=DELETE")  # all of it in this one file
            _check_whole(copy, out)
            count = int(copy.execute("SELECT count(*) FROM judgments").fetchone()[0])
        _sync(unfinished)
        unfinished.replace(out.resolve())
    finally:
        unfinished.unlink(missing_ok=True)
    return BackedUp(out=out, kind="sqlite", judgments=count)


def _check_whole(copy: sqlite3.Connection, file: Path) -> None:
    try:
        found = copy.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.DatabaseError as error:
        raise InputError(f"{file} is damaged: {error}. Take another backup.") from error
    if found != [("ok",)]:
        raise InputError(f"{file} is damaged: {found[0][0]}. Take another backup.")


def _sync(file: Path) -> None:
    opened = os.open(file, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _restore_copy(file: Path, url: str) -> Database:
    target = file_of(url)
    unfinished = unfinished_name(target.resolve())
    try:
        shutil.copyfile(file, unfinished)
        unfinished.chmod(OWNER_ONLY)
        with closing(sqlite3.connect(unfinished)) as copy:
            _check_whole(copy, file)
        _sync(unfinished)
        unfinished.replace(target.resolve())
    finally:
        unfinished.unlink(missing_ok=True)
    return open_database(url, create=False)


def _pg_dump(url: str, out: Path) -> str | None:
    """Call pg_dump; why not, where it could not."""
    if shutil.which("pg_dump") is None:
        return "pg_dump is not installed"
    unfinished = unfinished_name(out.resolve())
    os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    try:
        address, environment = _without_password(url)
        done = subprocess.run(
            [
                "pg_dump",
                "--format=custom",
                "--no-owner",
                "--no-privileges",
                f"--file={unfinished}",
                f"--dbname={address}",
            ],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["pg_dump failed"])[-1]
        _sync(unfinished)
        unfinished.replace(out.resolve())
    finally:
        unfinished.unlink(missing_ok=True)
    return None


def _pg_restore(file: Path, url: str) -> Database:
    if shutil.which("pg_restore") is None:
        raise InputError(f"{file} was written by pg_dump, and pg_restore is not installed. Install PostgreSQL's tools.")
    address, environment = _without_password(url)
    done = subprocess.run(
        ["pg_restore", "--no-owner", "--no-privileges", "--single-transaction", f"--dbname={address}", str(file)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise InputError(f"pg_restore could not restore {file}: {done.stderr.strip()[:1000]}")
    return open_database(url, create=False)


def _without_password(url: str) -> tuple[str, dict[str, str]]:
    """The address for a command line, which everybody can see, and an environment that has the password."""
    parsed = sa.make_url(url).set(drivername="postgresql")
    environment = dict(os.environ)
    if parsed.password is not None:
        environment["PGPASSWORD"] = str(parsed.password)
        parsed = sa.URL.create(
            "postgresql",
            username=parsed.username,
            host=parsed.host,
            port=parsed.port,
            database=parsed.database,
            query=parsed.query,
        )
    return parsed.render_as_string(hide_password=False), environment


def _rows(database: Database, out: Path, problem: str | None = None) -> BackedUp:
    """All rows as JSON lines; the last line counts them, so that a file that was cut off is known."""
    counts: dict[str, int] = {}

    def job(connection: Connection) -> None:
        whole_file(out, _lines(connection, counts), mode=OWNER_ONLY)

    database.read(job)
    note = None if problem is None else f"Written as rows, since {problem}."
    return BackedUp(out=out, kind="rows", judgments=counts["judgments"], note=note)


def _lines(connection: Connection, counts: dict[str, int]) -> Iterator[bytes]:
    yield orjson.dumps({"paraloom_backup": 1, "schema": version_of(connection), "made_at": now()}) + b"\n"
    for table in schema.metadata.sorted_tables:
        name = str(table.name)  # not one of SQLAlchemy's own strings, which are no keys of JSON
        counts[name] = 0
        for row in _stored(connection, table):
            counts[name] += 1
            yield orjson.dumps([name, row]) + b"\n"
    yield orjson.dumps({"rows": counts}) + b"\n"


def _bare(table: sa.Table) -> sa.TableClause:
    """The table with its columns as they are stored: moments as numbers, JSON as text."""
    return sa.table(
        table.name,
        *(
            sa.column(column.name, column.type.impl_instance if isinstance(column.type, TypeDecorator) else column.type)
            for column in table.columns
        ),
    )


def _stored(connection: Connection, table: sa.Table) -> Iterator[dict[str, Any]]:
    bare = _bare(table)
    names = [str(column.name) for column in table.columns]
    key = [bare.c[column.name] for column in table.primary_key]
    asked = sa.select(bare).order_by(*key).limit(AT_ONCE)
    after: sa.ColumnElement[bool] = sa.true()
    while rows := connection.execute(asked.where(after)).all():
        yield from (dict(zip(names, row, strict=True)) for row in rows)
        last = [rows[-1]._mapping[column.name] for column in key]
        after = sa.tuple_(*key) > sa.tuple_(*last) if len(key) > 1 else key[0] > last[0]


def _restore_rows(file: Path, url: str) -> Database:
    if not is_file(url):
        database = connect(url)
        try:
            _fill(database, file)
        except BaseException:
            database.write(_empty)
            database.close()
            raise
        return database
    target = file_of(url)
    unfinished = unfinished_name(target.resolve())
    try:
        building = connect(str(unfinished))
        try:
            _fill(building, file)
        finally:
            building.close()
        unfinished.chmod(OWNER_ONLY)
        unfinished.replace(target.resolve())
    finally:
        for left in (unfinished, *(unfinished.with_name(f"{unfinished.name}{end}") for end in ("-wal", "-shm"))):
            left.unlink(missing_ok=True)
    return open_database(url, create=False)


def _empty(connection: Connection) -> None:
    """As the server's database was before: without any table."""
    schema.metadata.drop_all(connection)
    connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")


def _fill(database: Database, file: Path) -> None:
    """The schema of the backup's time, all rows in one transaction, then today's schema."""
    with file.open("rb") as opened:
        head = _parsed(opened.readline(), file)
        made = head.get("schema") if isinstance(head, Mapping) else None
        if made not in versions():
            raise InputError(
                f"{file} was made by a newer Paraloom (its schema is {made}). Install that or a later one."
            )
        tables = {table.name: table for table in schema.metadata.sorted_tables}

        def job(connection: Connection) -> None:
            counts = dict.fromkeys(tables, 0)
            waiting: list[dict[str, Any]] = []
            current: str | None = None
            ended: Any = None
            for line in opened:
                one = _parsed(line, file)
                if isinstance(one, Mapping):
                    ended = one.get("rows")
                    break
                name, row = one
                if name not in tables:
                    raise InputError(f"{file} has rows of a table {name!r} that is not known. It cannot be restored.")
                if waiting and (name != current or len(waiting) >= AT_ONCE):
                    connection.execute(_bare(tables[current or ""]).insert(), waiting)
                    waiting = []
                current = name
                counts[name] += 1
                waiting.append(row)
            if waiting:
                connection.execute(_bare(tables[current or ""]).insert(), waiting)
            if ended != counts:
                raise InputError(f"{file} is not whole: it ends too early. Take another backup.")
            _set_sequences(connection)

        upgrade(database, str(made))
        database.write(job)
        upgrade(database)


def _set_sequences(connection: Connection) -> None:
    """PostgreSQL counts on from the last number; SQLite does so by itself."""
    if connection.dialect.name != "postgresql":
        return
    for table in schema.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            last = connection.scalar(sa.select(sa.func.max(column)))
            if last is not None:
                named = sa.func.pg_get_serial_sequence(table.name, column.name)
                connection.execute(sa.select(sa.func.setval(named, last)))


def _parsed(line: bytes, file: Path) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InputError(f"{file} is not whole, or is damaged: {error}. Take another backup.") from error


def _check_empty(url: str) -> None:
    if is_file(url):
        target = file_of(url)
        if target.exists() and target.stat().st_size:
            raise TargetTaken(
                f"{target} is there already, and a backup is restored into nothing else's place. Move it."
            )
        return
    database = connect(url)
    try:
        tables = database.read(lambda connection: sa.inspect(connection).get_table_names())
    finally:
        database.close()
    if tables:
        raise TargetTaken(f"The database holds tables already ({tables[0]}, …). Give --db one that is empty.")


def _count(database: Database) -> int:
    return (
        database.read(lambda connection: connection.scalar(sa.select(sa.func.count()).select_from(schema.judgments)))
        or 0
    )
