"""Where in a campaign's items each person is, so that the search for the next one begins there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Who was at work before begins at the first item; what they have seen is passed over, as ever."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("standings", sa.Column("position", number, nullable=False, server_default="0"))
