"""People and campaigns in, who may work on what out."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign, all_campaigns
from paraloom.judgments.people import Person
from paraloom.judgments.store import schema


def may_work(connection: Connection, campaign: Campaign, person: Person) -> bool:
    """Whether a campaign is for this person."""
    if person.role not in campaign.settings.roles:
        return False
    if not campaign.settings.members_only:
        return campaign.state != "draft" or person.role == "admin"
    found = sa.select(sa.literal(1)).select_from(schema.members)
    return (
        connection.execute(found.filter_by(campaign_id=campaign.campaign_id, person_id=person.person_id)).first()
        is not None
    )


def campaigns_for(connection: Connection, person: Person) -> list[Campaign]:
    """Every campaign that this person may work on, the newest first."""
    return [campaign for campaign in all_campaigns(connection) if may_work(connection, campaign, person)]
