"""The game's leader board: who asks and may see it in, a table for the page's dialog out."""

from __future__ import annotations

from fastapi import APIRouter, Response
from sqlalchemy import Connection

from paraloom.errors import NotFound
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.shown import show
from paraloom.judgments.app.visitors import Anybody, InService
from paraloom.judgments.app.work import campaign_for
from paraloom.judgments.board import board_of, names_of
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.game import Place

router = APIRouter(include_in_schema=False)


@router.get("/judge/{campaign_id}/board")
async def leader_board_part(campaign_id: CampaignName, asking: Anybody, service: InService) -> Response:
    """Who leads; to those who may not see it, there is none."""

    def job(connection: Connection) -> tuple[Campaign, list[Place], dict[str, str]]:
        campaign = campaign_for(connection, campaign_id, asking.person)
        if campaign.task != "write" or not campaign.settings.show_leader_board:
            raise NotFound(f"The campaign {campaign_id!r} has no leader board.")
        places = board_of(connection, campaign)
        return campaign, places, names_of(connection, [row.person for row in places])

    campaign, places, names = await service.database.reading(job)
    return show(service, asking, "board.html", campaign=campaign, places=places, names=names)
