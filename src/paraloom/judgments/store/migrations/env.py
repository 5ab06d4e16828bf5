"""Run by alembic: migrates on the connection that `store.migrate` opened."""

from __future__ import annotations

from alembic import context

from paraloom.judgments.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=connection.dialect.name == "sqlite")
context.run_migrations()
