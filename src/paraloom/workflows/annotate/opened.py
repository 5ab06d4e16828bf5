"""A database's URL in, the open database out; what is missing to open it is said in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from paraloom.errors import InputError

if TYPE_CHECKING:
    from paraloom.judgments.store.database import Database

NEEDED = ("sqlalchemy", "alembic", "fastapi", "uvicorn", "argon2", "multipart", "markdown_it")


def check_installed() -> None:
    """An error with the line that installs it, where a part of the service is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(
            f"The annotation service needs {missing[0]}, which is not installed. Install it: "
            "pip install 'paraloom[annotate]'"
        )


@contextmanager
def opened(db: str, *, create: bool = False) -> Iterator[Database]:
    """The database, brought up to date; an empty one is an error unless it may be made."""
    check_installed()
    from paraloom.judgments.store.database import file_of, is_file
    from paraloom.judgments.store.migrate import open_database

    if not create and is_file(db) and not file_of(db).is_file():
        raise InputError(
            f"There is no database {file_of(db)}. Make a campaign with `paraloom annotate create`, or give --db."
        )
    if not is_file(db) and find_spec("psycopg") is None:
        raise InputError("PostgreSQL needs psycopg, which is not installed: pip install 'paraloom[annotate]'")
    database = open_database(db, create=create)
    try:
        yield database
    finally:
        database.close()
