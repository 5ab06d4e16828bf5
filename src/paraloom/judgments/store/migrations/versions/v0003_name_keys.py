"""Names are compared by a key of their own, so that ÉVA and éva are one name in every database."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from paraloom.judgments.names import key_of_name

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Every name gets its key; of names that only now turn out to be alike, the oldest account has it."""
    op.add_column("people", sa.Column("name_key", sa.String(length=400), nullable=True))
    people = sa.table("people", *(sa.column(name) for name in ("person_id", "name", "name_key", "created_at")))
    connection = op.get_bind()
    named = sa.select(people.c.person_id, people.c.name).where(people.c.name.is_not(None))
    taken: set[str] = set()
    for person_id, name in connection.execute(named.order_by(people.c.created_at, people.c.person_id)).all():
        key = key_of_name(name)
        key = f"{key} {person_id}" if key in taken else key
        taken.add(key)
        connection.execute(people.update().where(people.c.person_id == person_id).values(name_key=key))
    op.create_index("ix_people_name_key", "people", ["name_key"], unique=True)
