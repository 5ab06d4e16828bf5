"""A note has the id that its author's page or program drew for it: sent twice, it is one note."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Notes that are there stay as they are, without an id: rows that are only ever appended are not filled in."""
    op.add_column("notes", sa.Column("client_id", sa.String(length=100), nullable=True))
    op.create_index("ix_notes_client", "notes", ["person_id", "client_id"], unique=True)
