"""A PostgreSQL server in, databases of today's schema out, each used by one test after another and emptied in between.

To copy a database of no rows takes PostgreSQL a third of a second, to empty one a few hundredths. One that a test left
in any other shape than it was made in is dropped, and the next test gets a new one.
"""

from __future__ import annotations

import secrets
from typing import LiteralString

import psycopg
from psycopg import Connection, sql

from paraloom.judgments.store.migrate import open_database

SHAPE: tuple[LiteralString, ...] = (
    "SELECT relname, relkind, relnatts, relchecks, relhastriggers, reloptions FROM pg_class"
    " WHERE relnamespace = 'public'::regnamespace",
    "SELECT attrelid::regclass::text, attname, atttypid, attnotnull, attidentity, attisdropped FROM pg_attribute"
    " WHERE attnum > 0 AND attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)",
    "SELECT conrelid::regclass::text, conname, contype, convalidated FROM pg_constraint"
    " WHERE connamespace = 'public'::regnamespace",
    "SELECT tgrelid::regclass::text, tgname, tgenabled, tgtype FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_'",
    "SELECT setconfig FROM pg_db_role_setting"
    " WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())",
    "SELECT version_num FROM alembic_version",
)
"""Everything about a database but the rows of its tables and where its sequences stand."""

TABLES: LiteralString = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"


class Databases:
    """The databases of one server. Nothing is made before it is asked for."""

    def __init__(self, server: str, template: str = "paraloom_template") -> None:
        self._server = server
        self._template = template
        self._shape: list[str] | None = None
        self._empty: list[str] = []

    def lend(self, *, migrated: bool) -> str:
        """The URL of a database without rows: of today's schema, or of none at all."""
        if migrated and self._empty:
            return self.named(self._empty.pop())
        if migrated and self._shape is None:
            self._shape = self._make_template()
        name = f"test_{secrets.token_hex(6)}"
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(_create(name, self._template if migrated else "template1"))
        return self.named(name)

    def take_back(self, url: str) -> None:
        """Empty a database for the next test; one that is not as it was made is dropped."""
        name = url.partition("?")[0].rpartition("/")[2]
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [name]
            )  # else what it locks would stay locked
            if not self._is_emptied(name):
                connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
                return
        self._empty.append(name)

    def named(self, name: str) -> str:
        """The URL of a database of the server."""
        address, _, options = self._server.partition("?")
        return f"{address.rpartition('/')[0]}/{name}?{options}"

    def _make_template(self) -> list[str]:
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(_create(self._template, "template1"))
        open_database(self.named(self._template)).close()
        with psycopg.connect(self.named(self._template), autocommit=True) as connection:
            assert _filled(connection) == [], "The schema comes with rows: emptied, it would be another."
            return _shape(connection)

    def _is_emptied(self, name: str) -> bool:
        """Whether a database is of today's schema and without rows now, its numbers beginning at one again."""
        if self._shape is None:
            return False
        try:
            with psycopg.connect(self.named(name), autocommit=True) as connection:
                if _shape(connection) != self._shape:
                    return False
                if filled := _filled(connection):
                    # Of few rows this takes half as long as TRUNCATE, which gives every table and index a new file.
                    emptied = [sql.SQL("DELETE FROM {}").format(sql.Identifier(table)) for table in filled]
                    connection.execute("SET session_replication_role = replica")  # triggers keep rows from tests, too
                    connection.execute(sql.SQL("; ").join(emptied))
                connection.execute("SELECT setval(seqrelid, seqstart, false) FROM pg_sequence")
        except psycopg.errors.UndefinedTable:  # it has no schema at all
            return False
        except psycopg.errors.InvalidCatalogName:  # a test dropped it
            return False
        return True


def _create(name: str, template: str) -> sql.Composed:
    return sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))


def _filled(connection: Connection[tuple[object, ...]]) -> list[str]:
    """The tables that have rows."""
    tables = [str(name) for (name,) in connection.execute(TABLES)]
    if not tables:
        return []
    asked = [
        sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(sql.Literal(table), sql.Identifier(table))
        for table in tables
    ]
    return [str(name) for (name,) in connection.execute(sql.SQL(" UNION ALL ").join(asked))]


def _shape(connection: Connection[tuple[object, ...]]) -> list[str]:
    return [repr(sorted(map(repr, connection.execute(query)))) for query in SHAPE]
