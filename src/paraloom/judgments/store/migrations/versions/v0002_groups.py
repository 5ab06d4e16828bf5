"""Groups of ranked sentences, whose later rounds of pairs are opened by what the first one shows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from paraloom.judgments.store.columns import Json, Moment

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """One table more; nothing that was there is touched."""
    op.create_table(
        "groups",
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("group_id", sa.String(length=64), nullable=False),
        sa.Column("sentences", Json(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("paraphrases", sa.Integer(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("examined_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.campaign_id"], name=op.f("fk_groups_campaign_id_campaigns")
        ),
        sa.PrimaryKeyConstraint("campaign_id", "group_id", name=op.f("pk_groups")),
    )
    op.create_index("ix_groups_state", "groups", ["campaign_id", "state"], unique=False)
