"""A row in; out comes whether it is new. Both databases have the same words for it, in two dialects.

To build a statement takes longer than to run it, so each is built once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, Executable, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite

_INSERT: dict[str, Callable[[Table], Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def insert_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Insert the row unless its key, or another unique column, is there already; whether it was inserted."""
    return key_of_new(connection, table, values) is not None


def key_of_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> Any:
    """Insert the row unless it is there already; the first column of its key, or None where nothing was inserted."""
    return connection.scalar(_insert_new(connection.dialect.name, table, tuple(values)), values)


def insert_or_change(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Insert the row, or give the one with the same primary key these values."""
    connection.execute(_insert_or_change(connection.dialect.name, table, tuple(values)), values)


@cache
def _insert_new(dialect: str, table: Table, names: tuple[str, ...]) -> Executable:
    key = next(iter(table.primary_key))
    found: Executable = _values(dialect, table, names).on_conflict_do_nothing().returning(key)
    return found


@cache
def _insert_or_change(dialect: str, table: Table, names: tuple[str, ...]) -> Executable:
    statement = _values(dialect, table, names)
    key = [column.name for column in table.primary_key]
    changed = {name: statement.excluded[name] for name in names if name not in key}
    found: Executable = statement.on_conflict_do_update(index_elements=key, set_=changed)
    return found


def _values(dialect: str, table: Table, names: tuple[str, ...]) -> Any:
    return _INSERT[dialect](table).values({name: bindparam(name) for name in names})
