"""An admin's pages about a campaign's instructions: every version there was, and the next one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Response
from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.shown import go_to, show
from paraloom.judgments.app.visitors import Admin, InService, Visitor
from paraloom.judgments.campaigns import Campaign, Instructions, campaign_of, instructions_of, publish_instructions

router = APIRouter(prefix="/admin/campaigns/{campaign_id}/instructions")

Text = Annotated[str, Form(max_length=200_000)]
Change = Annotated[str, Form(max_length=2000)]


@router.get("")
async def instructions_page(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    version: Annotated[int | None, Query(ge=1)] = None,
    done: str = "",
) -> Response:
    """The version that holds, or an older one to go back to, ready to be changed."""
    return await _editor(service, asking, campaign_id, version=version, done=done)


@router.post("")
async def publish(
    campaign_id: CampaignName, asking: Admin, service: InService, text: Text = "", change: Change = ""
) -> Response:
    """A new version, from now on."""
    now = service.clock()
    try:
        if not change.strip():
            raise InputError("Say what changed: people see it beside the version.")
        await service.database.writing(
            lambda connection: publish_instructions(
                connection,
                campaign_id,
                text.replace("\r\n", "\n"),
                change.strip(),
                now=now,
                by=asking.person.person_id,
            )
        )
    except InputError as error:
        return await _editor(service, asking, campaign_id, text=text, change=change, error=str(error), status=422)
    return go_to(f"/admin/campaigns/{campaign_id}/instructions", "published")


@router.post("/preview")
async def preview(campaign_id: CampaignName, asking: Admin, service: InService, text: Text = "") -> Response:
    """The Markdown as people will see it."""
    return show(service, asking, "admin/preview.html", text=text)


async def _editor(
    service: Service,
    asking: Visitor,
    campaign_id: str,
    *,
    version: int | None = None,
    text: str | None = None,
    change: str = "",
    done: str = "",
    error: str = "",
    status: int = 200,
) -> Response:
    def job(connection: Connection) -> tuple[Campaign, list[Instructions]]:
        return campaign_of(connection, campaign_id), instructions_of(connection, campaign_id)

    campaign, versions = await service.database.reading(job)
    chosen = next((one for one in versions if one.version == version), versions[0])
    return show(
        service,
        asking,
        "admin/instructions.html",
        status=status,
        done=done,
        error=error,
        campaign=campaign,
        versions=versions,
        chosen=chosen,
        text=chosen.text if text is None else text,
        change=change,
    )
