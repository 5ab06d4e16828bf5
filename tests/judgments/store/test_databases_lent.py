"""A database that one test after another gets is as good as a new one: the tests on PostgreSQL rest on it."""

from __future__ import annotations

from datetime import datetime

import psycopg
import pytest
from psycopg import sql

from paraloom.judgments.people import add_person
from paraloom.judgments.store.migrate import open_database
from tests.judgments.databases import Databases

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
NUMBERS = "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1"
ENFORCED = "SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1"


def found(url: str) -> dict[str, list[tuple[object, ...]]]:
    """The rows of each table, where numbers begin, and what is enforced."""
    with psycopg.connect(url) as connection:
        tables = [sql.Identifier(name) for (name,) in connection.execute(TABLES)]
        return {
            **{str(table): connection.execute(sql.SQL("TABLE {}").format(table)).fetchall() for table in tables},
            **{query: connection.execute(query).fetchall() for query in (NUMBERS, ENFORCED)},
        }


def test_what_comes_back_is_lent_again_as_if_it_were_new(postgresql_url: str, now: datetime) -> None:
    databases = Databases(postgresql_url, template="lent_again")
    url = databases.lend(migrated=True)
    new = found(url)
    database = open_database(url)
    for name in ("Ann", "Ben"):
        database.write(lambda c, n=name: add_person(c, name=n, hashed=None, role="expert", now=now, by="x"))
    used = found(url)
    assert {"Identifier('people')", NUMBERS} <= {name for name in new if new[name] != used[name]}
    databases.take_back(url)  # though it is still open
    assert databases.lend(migrated=True) == url
    assert found(url) == new
    database.close()


CHANGED = [
    "ALTER TABLE people ADD COLUMN shoes text",
    "CREATE TABLE shoes (size integer)",
    "CREATE INDEX shoes ON people (name)",
    "ALTER TABLE judgments DISABLE TRIGGER ALL",
    "UPDATE alembic_version SET version_num = '9999'",
    "DROP TABLE alembic_version",
    "CREATE SCHEMA shoes",
]


@pytest.mark.parametrize("change", CHANGED)
def test_one_of_another_shape_is_not_lent_again(postgresql_databases: Databases, change: str) -> None:
    url = postgresql_databases.lend(migrated=True)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(change)
    postgresql_databases.take_back(url)
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(url)


def test_one_without_a_schema_is_not_lent_as_one_of_todays(postgresql_databases: Databases) -> None:
    bare = postgresql_databases.lend(migrated=False)
    postgresql_databases.take_back(bare)
    assert postgresql_databases.lend(migrated=True) != bare
