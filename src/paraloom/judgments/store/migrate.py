"""A database of any earlier version in, one of today's out; and no answer is lost on the way."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.store.database import Database, connect

FOLDER = Path(__file__).resolve().parent / "migrations"

LOCK = 7_206_017_351
"""PostgreSQL's advisory lock that a migration holds: two servers that start at once migrate one after the other."""


def open_database(url: str, *, create: bool = True) -> Database:
    """Open a database and bring it up to date; an empty one becomes new, unless it must be there already."""
    database = connect(url)
    try:
        if not create and database.read(version_of) is None:
            raise InputError(f"There are no campaigns in {url} yet. Make one with `paraloom annotate create`.")
        upgrade(database)
    except BaseException:
        database.close()
        raise
    return database


def upgrade(database: Database, to: str = "head") -> None:
    """Bring the schema to a version, in one transaction: all of it or nothing."""
    known = {script.revision for script in _scripts().walk_revisions()}
    found = database.read(version_of)
    if found is not None and found not in known:
        raise InputError(
            f"{database.url} was made by a newer Paraloom (its schema is {found}). Install that version or a later one."
        )
    if found == (newest() if to == "head" else to):
        return

    def migrate(connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, to)

    database.write(migrate)


def version_of(connection: Connection) -> str | None:
    """The version of the schema that a database has; None for an empty one."""
    return MigrationContext.configure(connection).get_current_revision()


def newest() -> str:
    """The version that this Paraloom works with."""
    return _scripts().get_current_head() or ""


def versions() -> list[str]:
    """Every version there was, the oldest first."""
    return [script.revision for script in _scripts().walk_revisions()][::-1]


@cache
def _scripts() -> ScriptDirectory:
    """Read once, however many databases a process opens."""
    return ScriptDirectory.from_config(_config())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config
