"""Pages where people work: an item, its answer, the next one. What the page's script sends and gets is JSON."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body, Response
from markupsafe import Markup

from paraloom.judgments.app.bodies import CampaignName, ItemName, SentAnswer, SentText, Wanted
from paraloom.judgments.app.game import check_text, checks_shown, submit_text
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import Anybody, InService
from paraloom.judgments.app.work import (
    NextUp,
    acknowledgement_as_json,
    answer_and_next,
    campaign_for,
    give_back,
    next_for,
    standing_as_json,
)
from paraloom.judgments.assign import Handed, NothingNow
from paraloom.judgments.campaigns import instructions_of
from paraloom.judgments.tasks import task_named

router = APIRouter(include_in_schema=False)


@router.get("/judge/{campaign_id}")
async def work_page(campaign_id: CampaignName, asking: Anybody, service: InService) -> Response:
    """The page where a campaign's items are answered one after another."""
    up = await next_for(service, campaign_id, asking.person)
    instructions = await service.database.reading(lambda connection: instructions_of(connection, campaign_id)[0])
    return service.pages.response(
        "work.html",
        visitor=asking,
        campaign=up.campaign,
        task=task_named(up.campaign.task),
        instructions=instructions,
        standing=up.standing,
        first=Markup(_item_html(service, up)),
        csrf=asking.csrf,
        person_name=asking.person.shown_name,
    )


@router.post("/judge/{campaign_id}/next")
async def next_item(campaign_id: CampaignName, asking: Anybody, service: InService, wanted: Wanted) -> Response:
    """One more item, for the page to have ready."""
    up = await next_for(service, campaign_id, asking.person, wanted.holding)
    return _json({"next": _next_as_json(service, up), "standing": standing_as_json(up.standing)})


@router.post("/judge/{campaign_id}/answers")
async def answer_item(campaign_id: CampaignName, asking: Anybody, service: InService, sent: SentAnswer) -> Response:
    """Store an answer; the reply says that it is stored, and brings the next item."""
    given = await submit_text(service, campaign_id, asking.person, sent.given())
    stored, up = await answer_and_next(service, campaign_id, asking.person, given, sent.holding)
    reply = acknowledgement_as_json(stored)
    if up is not None:
        reply["next"] = _next_as_json(service, up)
    return _json(reply)


@router.post("/judge/{campaign_id}/hand-back")
async def hand_back_item(
    campaign_id: CampaignName,
    asking: Anybody,
    service: InService,
    item_id: Annotated[str, Body(embed=True, max_length=64)],
) -> Response:
    """Give an item back unanswered."""
    return _json({"handed_back": await give_back(service, campaign_id, asking.person, item_id)})


@router.post("/judge/{campaign_id}/items/{item_id}/check")
async def check_item(
    campaign_id: CampaignName, item_id: ItemName, asking: Anybody, service: InService, sent: SentText
) -> Response:
    """In the game: what a text would earn."""
    return _json(await check_text(service, campaign_id, asking.person, item_id, sent.text, sent.client_id))


@router.get("/judge/{campaign_id}/instructions/{version}")
async def instructions_page(campaign_id: CampaignName, version: int, asking: Anybody, service: InService) -> Response:
    """One version of the instructions, as it was when judgments were made under it."""

    def job(connection: Any) -> Any:
        campaign = campaign_for(connection, campaign_id, asking.person)
        return campaign, instructions_of(connection, campaign_id)

    campaign, versions = await service.database.reading(job)
    shown = next((one for one in versions if one.version == version), versions[0])
    return service.pages.response(
        "instructions.html",
        visitor=asking,
        campaign=campaign,
        versions=versions,
        shown_version=shown,
        csrf=asking.csrf,
        person_name=asking.person.shown_name,
    )


def _next_as_json(service: Service, up: NextUp) -> dict[str, Any]:
    if isinstance(up.handed, NothingNow):
        return {"item_id": None, "why": up.handed.why, "html": _item_html(service, up)}
    return {
        "item_id": up.handed.item.item_id,
        "expires_at": up.handed.expires_at.isoformat(),
        "instructions_version": up.campaign.version,
        "html": _item_html(service, up),
    }


def _item_html(service: Service, up: NextUp) -> str:
    if isinstance(up.handed, NothingNow):
        return service.pages.render("nothing_now.html", nothing=up.handed, campaign=up.campaign, standing=up.standing)
    return item_html(service, up, up.handed)


def item_html(service: Service, up: NextUp, handed: Handed) -> str:
    """The fragment that shows one item; nothing in it tells a test question from work."""
    task = task_named(up.campaign.task)
    return service.pages.render(
        "item.html",
        template=f"tasks/{task.name}.html",
        campaign=up.campaign,
        handed=handed,
        content=task.read_content(handed.item.content),
        shown=up.campaign.shown(),
        given=handed.answer_before,
        keys=task.keys,
        checks=checks_shown(up.campaign, up.checks),
    )


def _json(value: dict[str, Any]) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")
