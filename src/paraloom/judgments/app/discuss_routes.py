"""Pages where those who judged an item talk about it before somebody decides: without names, once all have judged."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import Connection

from paraloom.errors import NotFound
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.discussed import (
    Discussed,
    Row,
    address_of_item,
    conflict_page,
    discussed_item,
    form_of,
    queue_rows,
)
from paraloom.judgments.app.visitors import Anybody, InService
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.conflicts import open_conflicts
from paraloom.judgments.decide import may_discuss, note_counts, write_note
from paraloom.judgments.members import may_work
from paraloom.tables import make_id
from paraloom.web.keys import new_key

router = APIRouter(include_in_schema=False)


@router.get("/discuss/{campaign_id}")
async def discussions_page(campaign_id: CampaignName, asking: Anybody, service: InService) -> Response:
    """What this person judged and others saw otherwise: to talk about before somebody decides."""

    def job(connection: Connection) -> tuple[Campaign, list[Row]]:
        campaign = campaign_of(connection, campaign_id)
        if not campaign.settings.adjudicate or not may_work(connection, campaign, asking.person):
            raise NotFound(f"Nothing is discussed in the campaign {campaign_id!r}.")
        own = [
            (one.judged, one.why)
            for one in open_conflicts(connection, campaign)
            if any(said.person_id == asking.person.person_id for said in one.judged.said)
        ]
        return campaign, queue_rows(connection, campaign_id, own[:200], note_counts(connection, campaign_id))

    campaign, rows = await service.database.reading(job)
    return conflict_page(service, asking, "decide/discussions.html", campaign=campaign, rows=rows)


@router.post("/discuss/{campaign_id}/notes")
async def send_note(
    campaign_id: CampaignName,
    asking: Anybody,
    service: InService,
    item_id: Annotated[str, Form(max_length=64)],
    text: Annotated[str, Form(max_length=20_000)] = "",
    back: Annotated[Literal["decide", "discuss"], Form()] = "discuss",
    client_id: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Say something about an item. The same words from the same page are one note, however often they are sent."""
    now = service.clock()
    # A page that one went back to has the id of the note before: other words are another note all the same.
    drawn = make_id(client_id, item_id, text.strip()) if client_id else new_key()

    def job(connection: Connection) -> None:
        campaign = campaign_of(connection, campaign_id)
        write_note(connection, campaign, asking.person, item_id, text, client_id=drawn, now=now)

    await service.database.writing(job)
    return RedirectResponse(f"{address_of_item(campaign_id, item_id, at=back)}#notes", status_code=303)


@router.get("/discuss/{campaign_id}/{item_id:path}")
async def discuss_item_page(campaign_id: CampaignName, item_id: str, asking: Anybody, service: InService) -> Response:
    """One item for those who judged it: what the others said, without names, and what is said about it."""

    def job(connection: Connection) -> Discussed:
        campaign = campaign_of(connection, campaign_id)
        if not may_discuss(connection, campaign, asking.person, item_id):
            raise NotFound(f"There is no item {item_id!r} for you to talk about.")
        return discussed_item(connection, campaign, item_id)

    found = await service.database.reading(job)
    own = next((one for one in found.judged.said if one.person_id == asking.person.person_id), None)
    form = form_of(service, found, given=None if own is None else own.answer)
    return conflict_page(
        service, asking, "decide/discuss.html", found=found, is_blind=True, form=form, why=found.judged.why_open()
    )
