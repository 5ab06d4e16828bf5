"""A table's name in, rules of the database out that refuse to change or delete its rows.

A mistake in our own code cannot lose an answer then: the database says no.
"""

from __future__ import annotations

from typing import Any

_POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION paraloom_only_appended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever appended', TG_TABLE_NAME;
END $$
"""


def forbid_changes(op: Any, table: str) -> None:
    """Within a migration: from here on rows of this table can be added and nothing else."""
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_POSTGRESQL_FUNCTION)
        op.execute(
            f"CREATE TRIGGER {table}_only_appended BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION paraloom_only_appended()"
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever appended'); END"
        )
