"""The game's checks: a text that somebody tries in, how it would do out, and every try is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import NotAllowed
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.game import Check
from paraloom.judgments.items import Item, item_of
from paraloom.judgments.people import Person
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new
from paraloom.tables import make_id


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptCheck:
    """One try, as it was judged."""

    check_id: str
    text: str
    implication: float
    similarity: float
    reward: float
    passes: bool
    created_at: datetime


def item_to_check(connection: Connection, campaign: Campaign, person: Person, item_id: str) -> tuple[Item, int]:
    """The item, if this person has it and may check once more; and how many checks are left."""
    item = item_of(connection, campaign.campaign_id, item_id)
    table = schema.assignments.c
    state = connection.scalar(
        sa.select(table.state).where(
            table.campaign_id == campaign.campaign_id, table.item_id == item_id, table.person_id == person.person_id
        )
    )
    if state not in ("leased", "expired"):
        raise NotAllowed("This sentence is not yours to rewrite, or you have submitted it already.")
    left = campaign.settings.most_checks - len(checks_of(connection, campaign, person.person_id, item_id))
    if left <= 0:
        raise NotAllowed(f"You have checked this sentence {campaign.settings.most_checks} times. Submit or give up.")
    return item, left


def keep_check(
    connection: Connection,
    campaign: Campaign,
    person: Person,
    item_id: str,
    text: str,
    check: Check,
    *,
    judged_by: str,
    client_id: str,
    now: datetime,
) -> str:
    """Store a try, once for each client id."""
    check_id = make_id("check", person.person_id, client_id)
    values = {
        "check_id": check_id,
        "campaign_id": campaign.campaign_id,
        "item_id": item_id,
        "person_id": person.person_id,
        "text": text,
        "implication": check.implication,
        "similarity": check.similarity,
        "reward": check.reward,
        "passes": check.passes,
        "judged_by": judged_by,
        "client_id": client_id,
        "created_at": now,
    }
    insert_new(connection, schema.checks, values)
    return check_id


def checks_of(connection: Connection, campaign: Campaign, person_id: str, item_id: str) -> list[KeptCheck]:
    """A person's tries at one sentence, the oldest first."""
    table = schema.checks
    rows = connection.execute(
        sa.select(*(table.c[name] for name in KeptCheck.__dataclass_fields__))
        .filter_by(campaign_id=campaign.campaign_id, item_id=item_id, person_id=person_id)
        .order_by(table.c.number)
    )
    return [KeptCheck(**row._mapping) for row in rows]
