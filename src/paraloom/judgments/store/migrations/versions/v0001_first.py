"""The first version."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from paraloom.judgments.store.append_only import forbid_changes
from paraloom.judgments.store.columns import Json, Moment

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Every table, and that what people said is only ever appended."""
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("who", sa.String(length=64), nullable=True),
        sa.Column("what", sa.String(length=60), nullable=False),
        sa.Column("about", sa.String(length=200), nullable=True),
        sa.Column("detail", Json(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "campaigns",
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("task", sa.String(length=20), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("settings", Json(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("campaign_id", name=op.f("pk_campaigns")),
    )
    op.create_table(
        "failed_sign_ins",
        sa.Column("about", sa.String(length=200), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("about", name=op.f("pk_failed_sign_ins")),
    )
    op.create_table(
        "people",
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("erased_at", Moment(), nullable=True),
        sa.Column("blocked_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_people")),
        sa.UniqueConstraint("name", name=op.f("uq_people_name")),
    )
    op.create_table(
        "instructions",
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("change", sa.Text(), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.campaign_id"], name=op.f("fk_instructions_campaign_id_campaigns")
        ),
        sa.PrimaryKeyConstraint("campaign_id", "version", name=op.f("pk_instructions")),
    )
    op.create_table(
        "invitations",
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("campaign_id", sa.String(length=64), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.Column("created_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.campaign_id"], name=op.f("fk_invitations_campaign_id_campaigns")
        ),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_invitations")),
    )
    op.create_table(
        "items",
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("item_id", sa.String(length=64), nullable=False),
        sa.Column("position", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("content", Json(), nullable=False),
        sa.Column("is_test", sa.Boolean(), nullable=False),
        sa.Column("expected", Json(), nullable=True),
        sa.Column("explanation", sa.Text(), nullable=True),
        sa.Column("is_closed", sa.Boolean(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("held", sa.Integer(), nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.String(length=64), nullable=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("proposed_by", sa.String(length=200), nullable=True),
        sa.Column("origin", Json(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.campaign_id"], name=op.f("fk_items_campaign_id_campaigns")
        ),
        sa.PrimaryKeyConstraint("campaign_id", "item_id", name=op.f("pk_items")),
    )
    op.create_index("ix_items_group", "items", ["campaign_id", "group_id"], unique=False)
    op.create_index("ix_items_next", "items", ["campaign_id", "is_test", "is_closed", "held", "position"], unique=False)
    op.create_table(
        "members",
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("added_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.campaign_id"], name=op.f("fk_members_campaign_id_campaigns")
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_members_person_id_people")),
        sa.PrimaryKeyConstraint("campaign_id", "person_id", name=op.f("pk_members")),
    )
    op.create_table(
        "reviews",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("item_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("judgment_id", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("done_by", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_reviews_person_id_people")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_reviews")),
        sa.UniqueConstraint("judgment_id", name=op.f("uq_reviews_judgment_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_reviews_person", "reviews", ["campaign_id", "person_id", "done_by"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_sessions_person_id_people")),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_person_id"), "sessions", ["person_id"], unique=False)
    op.create_table(
        "standings",
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("served", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("tests", sa.Integer(), nullable=False),
        sa.Column("tests_right", sa.Integer(), nullable=False),
        sa.Column("kappa", sa.Float(), nullable=True),
        sa.Column("compared", sa.Integer(), nullable=False),
        sa.Column("earned", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("started_at", Moment(), nullable=False),
        sa.Column("last_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaigns.campaign_id"], name=op.f("fk_standings_campaign_id_campaigns")
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_standings_person_id_people")),
        sa.PrimaryKeyConstraint("campaign_id", "person_id", name=op.f("pk_standings")),
    )
    op.create_table(
        "tokens",
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("token_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("revoked_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_tokens_person_id_people")),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_tokens")),
        sa.UniqueConstraint("token_id", name=op.f("uq_tokens_token_id")),
    )
    op.create_index(op.f("ix_tokens_person_id"), "tokens", ["person_id"], unique=False)
    op.create_table(
        "assignments",
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("item_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("leased_at", Moment(), nullable=False),
        sa.Column("expires_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id", "item_id"],
            ["items.campaign_id", "items.item_id"],
            name=op.f("fk_assignments_campaign_id_item_id_items"),
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_assignments_person_id_people")),
        sa.PrimaryKeyConstraint("campaign_id", "item_id", "person_id", name=op.f("pk_assignments")),
    )
    op.create_index("ix_assignments_expiry", "assignments", ["state", "expires_at"], unique=False)
    op.create_index(
        "ix_assignments_person", "assignments", ["campaign_id", "person_id", "state", "leased_at"], unique=False
    )
    op.create_table(
        "checks",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("check_id", sa.String(length=64), nullable=False),
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("item_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("implication", sa.Float(), nullable=False),
        sa.Column("similarity", sa.Float(), nullable=False),
        sa.Column("reward", sa.Float(), nullable=False),
        sa.Column("passes", sa.Boolean(), nullable=False),
        sa.Column("judged_by", sa.Text(), nullable=False),
        sa.Column("client_id", sa.String(length=100), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "item_id"],
            ["items.campaign_id", "items.item_id"],
            name=op.f("fk_checks_campaign_id_item_id_items"),
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_checks_person_id_people")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_checks")),
        sa.UniqueConstraint("check_id", name=op.f("uq_checks_check_id")),
        sa.UniqueConstraint("person_id", "client_id", name=op.f("uq_checks_person_id_client_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_checks_item", "checks", ["campaign_id", "item_id", "person_id"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("item_id", sa.String(length=64), nullable=False),
        sa.Column("answer", Json(), nullable=False),
        sa.Column("decided_by", sa.String(length=64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("judgment_ids", Json(), nullable=False),
        sa.Column("instructions_version", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "item_id"],
            ["items.campaign_id", "items.item_id"],
            name=op.f("fk_decisions_campaign_id_item_id_items"),
        ),
        sa.ForeignKeyConstraint(["decided_by"], ["people.person_id"], name=op.f("fk_decisions_decided_by_people")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_decisions")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_decisions_item", "decisions", ["campaign_id", "item_id", "number"], unique=False)
    op.create_table(
        "judgments",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("judgment_id", sa.String(length=64), nullable=False),
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("item_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("answer", Json(), nullable=False),
        sa.Column("instructions_version", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("is_test", sa.Boolean(), nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=True),
        sa.Column("client_id", sa.String(length=100), nullable=False),
        sa.Column("replaces", sa.String(length=64), nullable=True),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "item_id"],
            ["items.campaign_id", "items.item_id"],
            name=op.f("fk_judgments_campaign_id_item_id_items"),
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_judgments_person_id_people")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_judgments")),
        sa.UniqueConstraint("judgment_id", name=op.f("uq_judgments_judgment_id")),
        sa.UniqueConstraint("person_id", "client_id", name=op.f("uq_judgments_person_id_client_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_judgments_item", "judgments", ["campaign_id", "item_id", "person_id", "number"], unique=False)
    op.create_index("ix_judgments_person", "judgments", ["campaign_id", "person_id", "number"], unique=False)
    op.create_table(
        "notes",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("item_id", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id", "item_id"],
            ["items.campaign_id", "items.item_id"],
            name=op.f("fk_notes_campaign_id_item_id_items"),
        ),
        sa.ForeignKeyConstraint(["person_id"], ["people.person_id"], name=op.f("fk_notes_person_id_people")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_notes")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notes_item", "notes", ["campaign_id", "item_id"], unique=False)
    op.create_table(
        "marks",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("judgment_id", sa.String(length=64), nullable=False),
        sa.Column("mark", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(
            ["judgment_id"], ["judgments.judgment_id"], name=op.f("fk_marks_judgment_id_judgments")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_marks")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_marks_judgment_id"), "marks", ["judgment_id"], unique=False)
    op.create_table(
        "votes",
        sa.Column("campaign_id", sa.String(length=64), nullable=False),
        sa.Column("unit", sa.String(length=200), nullable=False),
        sa.Column("person_id", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(length=200), nullable=False),
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["number"], ["judgments.number"], name=op.f("fk_votes_number_judgments")),
        sa.PrimaryKeyConstraint("campaign_id", "unit", "person_id", name=op.f("pk_votes")),
    )
    op.create_index("ix_votes_person", "votes", ["campaign_id", "person_id"], unique=False)
    for table in ("judgments", "checks", "notes", "decisions", "marks", "audit"):
        forbid_changes(op, table)
