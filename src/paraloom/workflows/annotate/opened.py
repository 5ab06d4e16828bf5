"""A database's URL in, the open database out; what is missing to open it is said in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from paraloom.errors import InputError, NotFound

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
def opened(db: str, *, create: bool = False, campaign: str | None = None) -> Iterator[Database]:
    """The database, brought up to date, with the campaign that is asked for in it.

    One that is not there is an error unless it may be made; a campaign that is not there is one that names the others.
    """
    check_installed()
    from paraloom.judgments.store.database import file_of, is_file
    from paraloom.judgments.store.migrate import open_database

    if not db.strip() or (is_file(db) and file_of(db).is_dir()):
        raise InputError(f"--db {db!r} names no file. Give a file, or postgresql://USER:PASSWORD@HOST/NAME.")
    if not create and is_file(db) and not file_of(db).is_file():
        raise InputError(
            f"There is no database {file_of(db)}. Make a campaign with `paraloom annotate create`, or give --db."
        )
    if not is_file(db) and find_spec("psycopg") is None:
        raise InputError("PostgreSQL needs psycopg, which is not installed: pip install 'paraloom[annotate]'")
    database = open_database(db, create=create)
    try:
        if campaign is not None:
            check_campaign(database, campaign)
        yield database
    finally:
        database.close()


def check_campaign(database: Database, name: str) -> None:
    """An error that names the campaigns that are there, where this one is not."""
    from paraloom.judgments.campaigns import all_campaigns

    there = [campaign.campaign_id for campaign in database.read(all_campaigns)]
    if name not in there:
        others = (
            f"There are: {', '.join(there[:20])}{' …' if len(there) > 20 else ''}" if there else "There is none yet"
        )
        raise NotFound(f"There is no campaign {name!r}. {others}. `paraloom annotate create` makes one.")
