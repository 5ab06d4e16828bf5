"""A change to a campaign in, what came of it out: in one transaction, at this moment, in the name of whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypedDict, TypeVar

from sqlalchemy import Connection

from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import Visitor
from paraloom.judgments.campaigns import Campaign, campaign_of

T = TypeVar("T")


class When(TypedDict):
    """When something is changed, and by whom: what the functions that change it are told besides."""

    now: datetime
    by: str


async def change_in_campaign(
    service: Service, asking: Visitor, campaign_id: str, change: Callable[[Connection, Campaign, When], T]
) -> T:
    """Do it, and give back what it gives."""
    when: When = {"now": service.clock(), "by": asking.person.person_id}
    return await service.database.writing(
        lambda connection: change(connection, campaign_of(connection, campaign_id), when)
    )
