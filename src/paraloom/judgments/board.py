"""A game in, who leads it out: submitted answers are worth what the check of the submitted text found."""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.game import Place, leader_board
from paraloom.judgments.people import COLUMNS, Person
from paraloom.judgments.store import schema

SUBMITTED = "submit:"
"""Begins the client id of the check that is made when a text is submitted; the answer's own client id follows."""
MOST_CLIENT_ID = 100


def check_id_of_answer(client_id: str) -> str:
    """The client id of the check that belongs to an answer.

    >>> check_id_of_answer("8c6976e5")
    'submit:8c6976e5'
    """
    return f"{SUBMITTED}{client_id}"[:MOST_CLIENT_ID]


def board_of(connection: Connection, campaign: Campaign) -> list[Place]:
    """Everybody who submitted something in this game, by their latest answers; set-aside work does not count."""
    said, checks, held = schema.judgments, schema.checks, schema.assignments
    latest = (
        sa.select(sa.func.max(said.c.number))
        .where(said.c.campaign_id == campaign.campaign_id)
        .group_by(said.c.item_id, said.c.person_id)
    )
    check_id = sa.func.substr(SUBMITTED + said.c.client_id, 1, MOST_CLIENT_ID)
    rows = connection.execute(
        sa.select(said.c.person_id, checks.c.reward)
        .join(checks, sa.and_(checks.c.person_id == said.c.person_id, checks.c.client_id == check_id))
        .join(
            held,
            sa.and_(
                held.c.campaign_id == said.c.campaign_id,
                held.c.item_id == said.c.item_id,
                held.c.person_id == said.c.person_id,
            ),
        )
        .where(said.c.number.in_(latest), held.c.state == "answered")
    )
    rewards: dict[str, list[float]] = {}
    for person_id, reward in rows:
        rewards.setdefault(person_id, []).append(reward)
    return leader_board(rewards.items())


def names_of(connection: Connection, person_ids: Collection[str]) -> dict[str, str]:
    """What pages call these people; somebody whose identity was erased keeps their place, without a name."""
    rows = connection.execute(sa.select(*COLUMNS).where(schema.people.c.person_id.in_(person_ids)))
    return {row.person_id: Person(**row._mapping).shown_name for row in rows}
