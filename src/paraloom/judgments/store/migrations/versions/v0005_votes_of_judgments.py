"""A way from a judgment to its votes: conflicts, reviews and work that is set aside look for them."""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """An index; without it every judgment's votes are looked for among all votes of the campaign."""
    op.create_index("ix_votes_number", "votes", ["number"], unique=False)
