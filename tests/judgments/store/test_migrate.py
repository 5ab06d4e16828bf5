"""From every version of the schema there was to today's, on both databases, without losing an answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from paraloom.errors import InputError
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import connect
from paraloom.judgments.store.migrate import newest, open_database, upgrade, version_of, versions

ROWS = {
    "people": {"person_id": "p1", "name": "Ann", "role": "annotator", "created_at": 1},
    "campaigns": {
        "campaign_id": "storms",
        "task": "pair",
        "title": "Storms",
        "state": "open",
        "settings": "{}",
        "version": 1,
        "created_at": 1,
    },
    "items": {
        "campaign_id": "storms",
        "item_id": "i1",
        "position": 1,
        "content": '{"left":"a b","right":"c d"}',
        "is_test": False,
        "is_closed": False,
        "wanted": 6,
        "held": 1,
        "judged": 1,
        "round": 1,
        "origin": "{}",
        "created_at": 1,
    },
    "judgments": {
        "judgment_id": "j1",
        "campaign_id": "storms",
        "item_id": "i1",
        "person_id": "p1",
        "answer": '{"is_paraphrase":true}',
        "instructions_version": 1,
        "created_at": 1,
        "is_test": False,
        "client_id": "client-1",
        "purpose": "work",
    },
    "notes": {"campaign_id": "storms", "item_id": "i1", "person_id": "p1", "text": "Is it?", "created_at": 1},
}
"""As the first version stored them. A later version's migration must carry them over."""


@pytest.mark.parametrize("version", versions())
def test_a_database_of_an_earlier_version_is_brought_up_to_date(url: str, version: str) -> None:
    database = connect(url)
    upgrade(database, version)

    def fill(connection: sa.Connection) -> None:
        for table, values in ROWS.items():
            names, places = ", ".join(values), ", ".join(f":{name}" for name in values)
            connection.execute(sa.text(f"INSERT INTO {table} ({names}) VALUES ({places})"), values)  # noqa: S608

    database.write(fill)
    database.close()
    database = open_database(url)
    assert database.read(version_of) == newest()
    [kept] = database.read(lambda c: c.execute(sa.select(schema.judgments)).all())
    assert (kept.judgment_id, kept.answer, kept.client_id) == ("j1", {"is_paraphrase": True}, "client-1")
    [said] = database.read(lambda c: c.execute(sa.select(schema.notes)).all())
    assert (said.text, said.client_id) == ("Is it?", None)
    for table in (schema.judgments, schema.notes):
        with pytest.raises(sa.exc.DBAPIError, match="only ever appended"):
            database.write(lambda c, table=table: c.execute(sa.delete(table)))
    database.close()


def test_migrations_end_in_the_schema_that_the_code_uses(url: str) -> None:
    database = open_database(url)

    def differences(connection: sa.Connection) -> list[object]:
        return compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), schema.metadata)

    assert database.read(differences) == []
    database.close()


def test_opening_again_changes_nothing(url: str) -> None:
    open_database(url).close()
    database = open_database(url)
    assert database.read(version_of) == newest()
    database.close()


def test_two_servers_that_start_at_once_migrate_once(url: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(open_database, [url] * 4))
    for database in opened:
        assert database.read(version_of) == newest()
        database.close()


def test_a_database_of_a_newer_paraloom_is_left_alone(url: str) -> None:
    database = open_database(url)
    database.write(lambda c: c.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(InputError, match="newer Paraloom"):
        open_database(url)


def test_where_campaigns_must_be_an_empty_database_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="no campaigns"):
        open_database(url, create=False)
