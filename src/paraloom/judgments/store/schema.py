"""The tables of the service. What people said (`judgments`, `checks`, `notes`, `decisions`, `marks`, `audit`) is only
ever appended, and the database itself refuses anything else; the other tables are what follows from it and can change.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from paraloom.judgments.store.columns import Json, Moment, Number

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ID = String(64)

people = Table(
    "people",
    metadata,
    Column("person_id", ID, primary_key=True),
    Column("name", String(200), unique=True),  # null once the identity was erased
    Column("name_key", String(400)),  # the name as it is compared: no database folds É and é alike
    Column("password", Text),
    Column("role", String(20), nullable=False),
    Column("language", String(20)),
    Column("created_at", Moment, nullable=False),
    Column("erased_at", Moment),
    Column("blocked_at", Moment),
    Index("ix_people_name_key", "name_key", unique=True),
)

invitations = Table(
    "invitations",
    metadata,
    Column("key_hash", ID, primary_key=True),
    Column("role", String(20), nullable=False),
    Column("campaign_id", ID, ForeignKey("campaigns.campaign_id")),
    Column("note", Text, nullable=False),
    Column("uses_left", Integer, nullable=False),
    Column("expires_at", Moment, nullable=False),
    Column("created_by", ID, nullable=False),
    Column("created_at", Moment, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("key_hash", ID, primary_key=True),
    Column("person_id", ID, ForeignKey("people.person_id"), nullable=False, index=True),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("key_hash", ID, primary_key=True),
    Column("token_id", ID, nullable=False, unique=True),
    Column("person_id", ID, ForeignKey("people.person_id"), nullable=False, index=True),
    Column("name", String(200), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("revoked_at", Moment),
)

failed_sign_ins = Table(
    "failed_sign_ins",
    metadata,
    Column("about", String(200), primary_key=True),  # name:… or address:…
    Column("failures", Integer, nullable=False),
    Column("last_at", Moment, nullable=False),
)

campaigns = Table(
    "campaigns",
    metadata,
    Column("campaign_id", ID, primary_key=True),
    Column("task", String(20), nullable=False),
    Column("title", String(300), nullable=False),
    Column("state", String(20), nullable=False),  # draft, open, paused, ended
    Column("settings", Json, nullable=False),
    Column("version", Integer, nullable=False),  # of the instructions that hold now
    Column("created_at", Moment, nullable=False),
    Column("ended_at", Moment),
)

members = Table(
    "members",
    metadata,
    Column("campaign_id", ID, ForeignKey("campaigns.campaign_id"), primary_key=True),
    Column("person_id", ID, ForeignKey("people.person_id"), primary_key=True),
    Column("added_at", Moment, nullable=False),
)

instructions = Table(
    "instructions",
    metadata,
    Column("campaign_id", ID, ForeignKey("campaigns.campaign_id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("change", Text, nullable=False),
    Column("created_by", ID, nullable=False),
    Column("created_at", Moment, nullable=False),
)

items = Table(
    "items",
    metadata,
    Column("campaign_id", ID, ForeignKey("campaigns.campaign_id"), primary_key=True),
    Column("item_id", ID, primary_key=True),
    Column("position", Number, nullable=False),
    Column("content", Json, nullable=False),
    Column("is_test", Boolean, nullable=False),
    Column("expected", Json),  # the right answer of a test question
    Column("explanation", Text),  # shown on a mistake
    Column("is_closed", Boolean, nullable=False),
    Column("wanted", Integer, nullable=False),
    Column("held", Integer, nullable=False),  # answers that count and leases that run
    Column("judged", Integer, nullable=False),  # answers that count
    Column("group_id", ID),
    Column("round", Integer, nullable=False),
    Column("proposed_by", String(200)),
    Column(
        "origin", Json, nullable=False
    ),  # where it comes from: ids of pair, sentences, documents; a rewrite's judgment
    Column("created_at", Moment, nullable=False),
    Index("ix_items_next", "campaign_id", "is_test", "is_closed", "held", "position"),
    Index("ix_items_group", "campaign_id", "group_id"),
)

groups = Table(
    "groups",
    metadata,
    Column("campaign_id", ID, ForeignKey("campaigns.campaign_id"), primary_key=True),
    Column("group_id", ID, primary_key=True),
    Column("sentences", Json, nullable=False),  # id and text, the best ranked first: what later rounds draw from
    Column("topic", Text),
    Column("state", String(20), nullable=False),  # open, grown, closed
    Column("paraphrases", Integer),  # found in the first round, once it is over
    Column("created_at", Moment, nullable=False),
    Column("examined_at", Moment),
    Index("ix_groups_state", "campaign_id", "state"),
)

assignments = Table(
    "assignments",
    metadata,
    Column("campaign_id", ID, primary_key=True),
    Column("item_id", ID, primary_key=True),
    Column("person_id", ID, ForeignKey("people.person_id"), primary_key=True),
    Column("state", String(20), nullable=False),  # leased, expired, answered, set_aside, barred
    Column("purpose", String(20), nullable=False),  # work, test, qualification, proposed
    Column("leased_at", Moment, nullable=False),
    Column("expires_at", Moment),
    ForeignKeyConstraint(["campaign_id", "item_id"], ["items.campaign_id", "items.item_id"]),
    Index("ix_assignments_person", "campaign_id", "person_id", "state", "leased_at"),
    Index("ix_assignments_expiry", "state", "expires_at"),
)

judgments = Table(
    "judgments",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("judgment_id", ID, nullable=False, unique=True),
    Column("campaign_id", ID, nullable=False),
    Column("item_id", ID, nullable=False),
    Column("person_id", ID, ForeignKey("people.person_id"), nullable=False),
    Column("answer", Json, nullable=False),
    Column("instructions_version", Integer, nullable=False),
    Column("seconds", Float),
    Column("created_at", Moment, nullable=False),
    Column("is_test", Boolean, nullable=False),
    Column("is_right", Boolean),  # of a test question alone
    Column("client_id", String(100), nullable=False),
    Column("replaces", ID),  # the judgment that this change of mind takes the place of
    Column("purpose", String(20), nullable=False),  # work, test, qualification, review, imported
    UniqueConstraint("person_id", "client_id"),
    ForeignKeyConstraint(["campaign_id", "item_id"], ["items.campaign_id", "items.item_id"]),
    Index("ix_judgments_item", "campaign_id", "item_id", "person_id", "number"),
    Index("ix_judgments_person", "campaign_id", "person_id", "number"),
    sqlite_autoincrement=True,
)

votes = Table(
    "votes",
    metadata,
    Column("campaign_id", ID, primary_key=True),
    Column("unit", String(200), primary_key=True),  # what is voted on: the item, or one of its candidates or aspects
    Column("person_id", ID, primary_key=True),
    Column("value", String(200), nullable=False),
    Column("number", Number, ForeignKey("judgments.number"), nullable=False),
    Column("counts", Boolean, nullable=False),  # false for test questions and for work that was set aside
    Index("ix_votes_person", "campaign_id", "person_id"),
    Index("ix_votes_number", "number"),
)

checks = Table(
    "checks",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("check_id", ID, nullable=False, unique=True),
    Column("campaign_id", ID, nullable=False),
    Column("item_id", ID, nullable=False),
    Column("person_id", ID, ForeignKey("people.person_id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("implication", Float, nullable=False),
    Column("similarity", Float, nullable=False),
    Column("reward", Float, nullable=False),
    Column("passes", Boolean, nullable=False),
    Column("judged_by", Text, nullable=False),
    Column("client_id", String(100), nullable=False),
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("person_id", "client_id"),
    ForeignKeyConstraint(["campaign_id", "item_id"], ["items.campaign_id", "items.item_id"]),
    Index("ix_checks_item", "campaign_id", "item_id", "person_id"),
    sqlite_autoincrement=True,
)

notes = Table(
    "notes",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("campaign_id", ID, nullable=False),
    Column("item_id", ID, nullable=False),
    Column("person_id", ID, ForeignKey("people.person_id"), nullable=False),
    Column("text", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("client_id", String(100)),  # null for notes from before they had one
    ForeignKeyConstraint(["campaign_id", "item_id"], ["items.campaign_id", "items.item_id"]),
    Index("ix_notes_item", "campaign_id", "item_id"),
    Index("ix_notes_client", "person_id", "client_id", unique=True),
    sqlite_autoincrement=True,
)

decisions = Table(
    "decisions",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("campaign_id", ID, nullable=False),
    Column("item_id", ID, nullable=False),
    Column("answer", Json, nullable=False),
    Column("decided_by", ID, ForeignKey("people.person_id"), nullable=False),
    Column("reason", Text, nullable=False),
    Column("judgment_ids", Json, nullable=False),  # what the conflict was made of
    Column("instructions_version", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    ForeignKeyConstraint(["campaign_id", "item_id"], ["items.campaign_id", "items.item_id"]),
    Index("ix_decisions_item", "campaign_id", "item_id", "number"),
    sqlite_autoincrement=True,
)

marks = Table(
    "marks",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("judgment_id", ID, ForeignKey("judgments.judgment_id"), nullable=False, index=True),
    Column("mark", String(40), nullable=False),  # set_aside, restored
    Column("reason", Text, nullable=False),
    Column("made_by", ID, nullable=False),
    Column("created_at", Moment, nullable=False),
    sqlite_autoincrement=True,
)

reviews = Table(
    "reviews",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("campaign_id", ID, nullable=False),
    Column("item_id", ID, nullable=False),
    Column("person_id", ID, ForeignKey("people.person_id"), nullable=False),
    Column("judgment_id", ID, nullable=False),  # the early answer
    Column("reason", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("done_by", ID),  # the judgment that confirmed or changed it
    UniqueConstraint("judgment_id"),
    Index("ix_reviews_person", "campaign_id", "person_id", "done_by"),
    sqlite_autoincrement=True,
)

standings = Table(
    "standings",
    metadata,
    Column("campaign_id", ID, ForeignKey("campaigns.campaign_id"), primary_key=True),
    Column("person_id", ID, ForeignKey("people.person_id"), primary_key=True),
    Column("state", String(20), nullable=False),  # qualifying, working, stopped
    Column("reason", Text),
    Column("served", Integer, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("tests", Integer, nullable=False),
    Column("tests_right", Integer, nullable=False),
    Column("kappa", Float),
    Column("compared", Integer, nullable=False),
    Column("earned", Number, nullable=False),  # millionths of the campaign's currency
    Column("position", Number, nullable=False, server_default="0"),  # of the item handed out last
    Column("started_at", Moment, nullable=False),
    Column("last_at", Moment, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("number", Number, primary_key=True, autoincrement=True),
    Column("at", Moment, nullable=False),
    Column("who", ID),
    Column("what", String(60), nullable=False),
    Column("about", String(200)),
    Column("detail", Json, nullable=False),
    sqlite_autoincrement=True,
)

APPENDED = (judgments, checks, notes, decisions, marks, audit)
"""Tables whose rows are never changed and never deleted."""
