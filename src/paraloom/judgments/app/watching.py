"""A request in, figures of a campaign out: measured in a thread, never in the loop, kept until something changes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from paraloom.judgments.app.service import Service
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.figures.live import CampaignFigures, MeasuredBefore


def measured_before(request: Request) -> MeasuredBefore:
    """What was measured since the service began: one for each application."""
    state = request.app.state
    if not hasattr(state, "measured"):
        state.measured = MeasuredBefore()
    found: MeasuredBefore = state.measured
    return found


Measuring = Annotated[MeasuredBefore, Depends(measured_before)]


async def figures_for(service: Service, measuring: MeasuredBefore, campaign_id: str) -> CampaignFigures:
    """All that the dashboard of one campaign shows."""
    now = service.clock()
    return await service.database.reading(
        lambda connection: measuring.figures(connection, campaign_of(connection, campaign_id), now)
    )
