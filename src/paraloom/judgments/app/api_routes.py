"""The API for programs: fill campaigns, work on them, read what was judged. A token opens it, or a page's session."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import orjson
import sqlalchemy as sa
from fastapi import APIRouter, Query, Response
from sqlalchemy import Connection

from paraloom.errors import NotAllowed
from paraloom.judgments.app import bodies
from paraloom.judgments.app.game import check_text, submit_text
from paraloom.judgments.app.visitors import Admin, Anybody, InService
from paraloom.judgments.app.work import (
    NextUp,
    acknowledgement_as_json,
    answer_and_next,
    campaign_for,
    give_back,
    next_for,
    standing_as_json,
)
from paraloom.judgments.assign import NothingNow
from paraloom.judgments.campaigns import (
    Campaign,
    campaign_of,
    change_settings,
    change_state,
    create_campaign,
    instructions_of,
    publish_instructions,
)
from paraloom.judgments.decide import Noted, write_note
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.members import campaigns_for
from paraloom.judgments.people import Person, add_person, block, has_password, person_of
from paraloom.judgments.progress import progress_of
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import make_token, revoke_token
from paraloom.judgments.store import schema
from paraloom.judgments.store.one_at_a_time import wait_for_appended

REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": bodies.ErrorTold, "description": words}
    for code, words in {
        400: "The request is malformed",
        401: "No token, or one that is not in use",
        403: "Not for this role, or not now",
        404: "Not there",
        409: "It contradicts what is stored",
        413: "Too large",
        422: "Something in the request cannot be used",
        503: "The database does not answer: try again",
    }.items()
}

router = APIRouter(prefix="/api/v1", responses=REFUSALS)

After = Annotated[int, Query(ge=0, le=2**62, description="Rows after this number.")]
Most = Annotated[int, Query(ge=1, le=1000, description="At most so many rows.")]


@router.get("/me", tags=["people"])
async def me(asking: Anybody) -> bodies.Me:
    """Who the token belongs to."""
    person = asking.person
    return bodies.Me(person_id=person.person_id, name=person.name, role=person.role)


@router.get("/campaigns", tags=["campaigns"])
async def list_campaigns(asking: Anybody, service: InService) -> list[bodies.CampaignTold]:
    """The campaigns that the asker may work on."""

    def job(connection: Connection) -> list[bodies.CampaignTold]:
        return [_told(connection, campaign, asking.person) for campaign in campaigns_for(connection, asking.person)]

    return await service.database.reading(job)


@router.post("/campaigns", tags=["campaigns"], status_code=201)
async def make_campaign(new: bodies.NewCampaign, asking: Admin, service: InService) -> bodies.CampaignTold:
    """Make a campaign, a draft at first."""
    settings = CampaignSettings().changed(new.settings)
    now = service.clock()

    def job(connection: Connection) -> bodies.CampaignTold:
        made = create_campaign(
            connection,
            task=new.task,
            title=new.title,
            campaign_id=new.campaign_id,
            settings=settings,
            instructions=new.instructions,
            now=now,
            by=asking.person.person_id,
        )
        return _told(connection, made, asking.person)

    return await service.database.writing(job)


@router.get("/campaigns/{campaign_id}", tags=["campaigns"])
async def show_campaign(campaign_id: bodies.CampaignName, asking: Anybody, service: InService) -> bodies.CampaignTold:
    """One campaign."""
    return await service.database.reading(
        lambda c: _told(c, campaign_for(c, campaign_id, asking.person), asking.person)
    )


@router.patch("/campaigns/{campaign_id}", tags=["campaigns"])
async def change_campaign(
    campaign_id: bodies.CampaignName, change: bodies.ChangedCampaign, asking: Admin, service: InService
) -> bodies.CampaignTold:
    """Open, pause or end it, or change its settings."""
    now, by = service.clock(), asking.person.person_id

    def job(connection: Connection) -> bodies.CampaignTold:
        campaign = campaign_of(connection, campaign_id)
        if change.settings is not None:
            settings = campaign.settings.changed(change.settings)
            change_settings(connection, campaign_id, settings, now=now, by=by)
        if change.state is not None:
            change_state(connection, campaign_id, change.state, now=now, by=by)
        return _told(connection, campaign_of(connection, campaign_id), asking.person)

    return await service.database.writing(job)


@router.get("/campaigns/{campaign_id}/instructions", tags=["campaigns"])
async def show_instructions(campaign_id: bodies.CampaignName, asking: Anybody, service: InService) -> Response:
    """Every version of the instructions, the newest first."""

    def job(connection: Connection) -> list[dict[str, Any]]:
        campaign_for(connection, campaign_id, asking.person)
        return [asdict(one) for one in instructions_of(connection, campaign_id)]

    return _json(await service.database.reading(job))


@router.post("/campaigns/{campaign_id}/instructions", tags=["campaigns"], status_code=201)
async def new_instructions(
    campaign_id: bodies.CampaignName, sent: bodies.SentInstructions, asking: Admin, service: InService
) -> dict[str, int]:
    """Publish a new version of the instructions."""
    now, by = service.clock(), asking.person.person_id
    version = await service.database.writing(
        lambda c: publish_instructions(c, campaign_id, sent.text, sent.change, now=now, by=by)
    )
    return {"version": version}


@router.post("/campaigns/{campaign_id}/items", tags=["items"], status_code=201)
async def add_to_campaign(
    campaign_id: bodies.CampaignName, sent: bodies.SentItems, asking: Admin, service: InService
) -> dict[str, int]:
    """Add items; with `expected` an item is a test question."""
    now = service.clock()
    new = [NewItem(**one.model_dump()) for one in sent.items]

    def job(connection: Connection) -> dict[str, int]:
        return asdict(add_items(connection, campaign_of(connection, campaign_id), new, now=now))

    return await service.database.writing(job)


@router.get("/campaigns/{campaign_id}/items", tags=["items"])
async def list_items(
    campaign_id: bodies.CampaignName, asking: Admin, service: InService, after: After = 0, most: Most = 100
) -> Response:
    """Items in their order; page on with the last `position`."""

    def job(connection: Connection) -> list[dict[str, Any]]:
        campaign_of(connection, campaign_id)
        table = schema.items
        rows = connection.execute(
            sa.select(table)
            .where(table.c.campaign_id == campaign_id, table.c.position > after)
            .order_by(table.c.position)
            .limit(most)
        )
        return [dict(row._mapping) for row in rows]

    return _json(await service.database.reading(job))


@router.get("/campaigns/{campaign_id}/judgments", tags=["judgments"])
async def list_judgments(
    campaign_id: bodies.CampaignName, asking: Admin, service: InService, after: After = 0, most: Most = 100
) -> Response:
    """Judgments in the order they were stored; page on with the last `number`. Nothing is left out, ever."""

    def job(connection: Connection) -> list[dict[str, Any]]:
        campaign_of(connection, campaign_id)
        wait_for_appended(connection)
        table = schema.judgments
        rows = connection.execute(
            sa.select(table)
            .where(table.c.campaign_id == campaign_id, table.c.number > after)
            .order_by(table.c.number)
            .limit(most)
        )
        return [dict(row._mapping) for row in rows]

    database = service.database
    return _json(await (database.reading(job) if database.is_sqlite else database.writing(job)))


@router.post("/campaigns/{campaign_id}/next", tags=["work"])
async def next_item(
    campaign_id: bodies.CampaignName, wanted: bodies.Wanted, asking: Anybody, service: InService
) -> Response:
    """Get the next item, on a lease; `item` is null where there is none, and `why` says why."""
    up = await next_for(service, campaign_id, asking.person, wanted.holding)
    return _json({**_next(up), "standing": standing_as_json(up.standing)})


@router.post("/campaigns/{campaign_id}/answers", tags=["work"])
async def answer(
    campaign_id: bodies.CampaignName, sent: bodies.SentAnswer, asking: Anybody, service: InService
) -> Response:
    """Answer an item. The reply means that the answer is stored for good."""
    given = await submit_text(service, campaign_id, asking.person, sent.given())
    stored, up = await answer_and_next(service, campaign_id, asking.person, given, sent.holding)
    return _json({**acknowledgement_as_json(stored), **({} if up is None else {"next": _next(up)})})


@router.post("/campaigns/{campaign_id}/items/{item_id}/hand-back", tags=["work"])
async def hand_back(
    campaign_id: bodies.CampaignName, item_id: bodies.ItemName, asking: Anybody, service: InService
) -> dict[str, bool]:
    """Give an item back unanswered."""
    return {"handed_back": await give_back(service, campaign_id, asking.person, item_id)}


@router.post("/campaigns/{campaign_id}/items/{item_id}/check", tags=["work"])
async def check(
    campaign_id: bodies.CampaignName,
    item_id: bodies.ItemName,
    sent: bodies.SentText,
    asking: Anybody,
    service: InService,
) -> Response:
    """In the game: what a text would earn. Every check is stored."""
    return _json(await check_text(service, campaign_id, asking.person, item_id, sent.text, sent.client_id))


@router.post("/campaigns/{campaign_id}/notes", tags=["work"])
async def note(
    campaign_id: bodies.CampaignName, sent: bodies.SentNote, asking: Anybody, service: InService
) -> dict[str, int | bool]:
    """Say something about an item that one has judged, or decides about. The reply means that it is stored for good."""
    now = service.clock()

    def job(connection: Connection) -> Noted:
        campaign = campaign_of(connection, campaign_id)
        return write_note(
            connection, campaign, asking.person, sent.item_id, sent.text, client_id=sent.client_id, now=now
        )

    return asdict(await service.database.writing(job))


@router.post("/people", tags=["people"], status_code=201)
async def make_person(new: bodies.NewPerson, asking: Admin, service: InService) -> bodies.Me:
    """Make an account without a password: it works by token alone."""
    now, by = service.clock(), asking.person.person_id
    person = await service.database.writing(
        lambda c: add_person(c, name=new.name, hashed=None, role=new.role, now=now, by=by)
    )
    return bodies.Me(person_id=person.person_id, name=person.name, role=person.role)


@router.patch("/people/{person_id}", tags=["people"])
async def change_person(
    person_id: bodies.ItemName, change: bodies.ChangedPerson, asking: Admin, service: InService
) -> dict[str, bool]:
    """Shut the door to somebody, or open it again: a program that makes accounts can end them, too."""
    now, by = service.clock(), asking.person.person_id
    await service.database.writing(lambda c: block(c, person_id, blocked=change.blocked, now=now, by=by))
    return {"blocked": change.blocked}


@router.post("/people/{person_id}/tokens", tags=["people"], status_code=201)
async def new_token(
    person_id: bodies.ItemName, new: bodies.NewToken, asking: Admin, service: InService
) -> dict[str, str]:
    """A token for an account that has no password; it is shown this once."""
    now = service.clock()

    def job(connection: Connection) -> dict[str, str]:
        person = person_of(connection, person_id)
        if has_password(connection, person_id):
            raise NotAllowed("This person has a password and makes tokens for themselves.")
        token, key = make_token(connection, person.person_id, new.name, now)
        return {"token_id": token.token_id, "token": key}

    return await service.database.writing(job)


@router.delete("/tokens/{token_id}", tags=["people"])
async def end_token(token_id: bodies.ItemName, asking: Anybody, service: InService) -> dict[str, bool]:
    """Revoke a token of one's own."""
    now = service.clock()
    await service.database.writing(lambda c: revoke_token(c, asking.person.person_id, token_id, now))
    return {"revoked": True}


def _told(connection: Connection, campaign: Campaign, person: Person) -> bodies.CampaignTold:
    progress = progress_of(connection, campaign.campaign_id)
    return bodies.CampaignTold(
        campaign_id=campaign.campaign_id,
        task=campaign.task,
        title=campaign.title,
        state=campaign.state,
        instructions_version=campaign.version,
        created_at=campaign.created_at,
        settings=_settings_for(person, campaign),
        items=progress.items,
        complete=progress.complete,
        judgments=progress.judgments,
        wanted=progress.wanted,
    )


PUBLIC = ("definition", "pay", "currency", "cap", "most_earned", "lease_minutes", "ends_at", "show_leader_board")
"""Settings that concern whoever works; when a test comes and what stops people is not for them to know."""


def _settings_for(person: Person, campaign: Campaign) -> dict[str, Any]:
    every = campaign.settings.as_json()
    return every if person.role == "admin" else {name: every[name] for name in PUBLIC}


def _next(up: NextUp) -> dict[str, Any]:
    if isinstance(up.handed, NothingNow):
        return {"item": None, "why": up.handed.why}
    return {
        "item": {
            "item_id": up.handed.item.item_id,
            "content": up.handed.item.content,
            "expires_at": up.handed.expires_at,
            "instructions_version": up.campaign.version,
            "answer_before": up.handed.answer_before,
        },
        "why": None,
    }


def _json(value: Any) -> Response:
    names = orjson.OPT_NON_STR_KEYS  # SQLAlchemy's names of columns are a kind of str of its own
    return Response(orjson.dumps(value, option=names), media_type="application/json")
