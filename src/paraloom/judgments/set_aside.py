"""A person's work in, the same work marked and no longer counted out; the judgments stay, the items go to others."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.assign import count_held
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.store import schema


def set_aside_work(
    connection: Connection,
    campaign: Campaign,
    person_id: str,
    *,
    reason: str,
    now: datetime,
    by: str,
    only_item: str | None = None,
) -> int:
    """Mark what this person answered; how many judgments that were. Items want other answers in their place."""
    return _move(connection, campaign, person_id, "answered", "set_aside", reason, now, by, only_item)


def restore_work(
    connection: Connection, campaign: Campaign, person_id: str, *, reason: str, now: datetime, by: str
) -> int:
    """Count again what was set aside, but for answers in whose place somebody else's stand, who reviewed them."""
    return _move(connection, campaign, person_id, "set_aside", "answered", reason, now, by, None)


def has_work_aside(connection: Connection, campaign: Campaign, person_id: str) -> bool:
    """Whether work of this person was set aside, other than what somebody else has reviewed."""
    table = schema.assignments.c
    asked = sa.select(sa.literal(1)).where(
        table.campaign_id == campaign.campaign_id,
        table.person_id == person_id,
        table.state == "set_aside",
        ~_reviewed_by_others(),
    )
    return connection.execute(asked.limit(1)).first() is not None


def _reviewed_by_others() -> sa.ColumnElement[bool]:
    held, reviews, said = schema.assignments.c, schema.reviews.c, schema.judgments.c
    return (
        sa.select(sa.literal(1))
        .select_from(schema.reviews.join(schema.judgments, said.judgment_id == reviews.judgment_id))
        .where(
            said.campaign_id == held.campaign_id,
            said.item_id == held.item_id,
            said.person_id == held.person_id,
            reviews.person_id != held.person_id,
            reviews.done_by.is_not(None),
        )
        .exists()
    )


def _move(
    connection: Connection,
    campaign: Campaign,
    person_id: str,
    before: str,
    after: str,
    reason: str,
    now: datetime,
    by: str,
    only_item: str | None,
) -> int:
    table, said, votes = schema.assignments, schema.judgments, schema.votes
    which = [table.c.campaign_id == campaign.campaign_id, table.c.person_id == person_id, table.c.state == before]
    if only_item is not None:
        which.append(table.c.item_id == only_item)
    if after == "answered":
        which.append(~_reviewed_by_others())
    moved = sorted(
        connection.scalars(table.update().where(*which).values(state=after).returning(table.c.item_id)).all()
    )
    change = -1 if after == "set_aside" else 1
    for item_id in moved:
        count_held(connection, campaign.campaign_id, item_id, change, change)
        rows = connection.execute(
            sa.select(said.c.judgment_id, said.c.number, said.c.is_test).filter_by(
                campaign_id=campaign.campaign_id, item_id=item_id, person_id=person_id
            )
        ).all()
        mark = "set_aside" if after == "set_aside" else "restored"
        for row in rows:
            connection.execute(
                schema.marks.insert().values(
                    judgment_id=row.judgment_id, mark=mark, reason=reason, made_by=by, created_at=now
                )
            )
        numbers = [row.number for row in rows]
        is_test = any(row.is_test for row in rows)
        connection.execute(
            votes.update()
            .where(votes.c.campaign_id == campaign.campaign_id, votes.c.number.in_(numbers))
            .values(counts=after == "answered" and not is_test)
        )
    return len(moved)
