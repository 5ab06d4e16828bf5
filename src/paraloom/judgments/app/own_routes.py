"""One's own pages: the account, and what one answered. What the others answered is never shown here."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated

import orjson
from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import Connection

from paraloom.errors import Clash, InputError, NotAllowed
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.password_checks import person_behind
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.shown import go_to, show
from paraloom.judgments.app.visitors import Anybody, InService, Visitor, clear_session, set_session
from paraloom.judgments.app.words import answer_lines, content_words
from paraloom.judgments.app.work import NextUp, campaign_for, checks_before
from paraloom.judgments.app.work_routes import item_html
from paraloom.judgments.assign import why_nothing_to_do
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.mine import OwnAnswers, handed_again, own_answers
from paraloom.judgments.people import change_password, erase_identity, has_password
from paraloom.judgments.sign_in import make_token, open_session, revoke_token, tokens_of
from paraloom.judgments.standing import Standing, standing_of
from paraloom.web.passwords import hash_password, refuse_weak

router = APIRouter(include_in_schema=False)

Password = Annotated[str, Form(max_length=2000)]


@router.get("/account")
async def account_page(asking: Anybody, service: InService, done: str = "") -> Response:
    """Password, tokens, and the way out."""
    return await _account(service, asking, done=done)


@router.post("/account/password")
async def new_password(
    asking: Anybody, service: InService, old: Password = "", password: Password = "", again: Password = ""
) -> Response:
    """Another password, or the first: all sessions end, and this one begins anew."""
    _with_session(asking)
    now, had_one = service.clock(), await _has_password(service, asking)
    try:
        if had_one:
            await _check_password(service, asking, old)
        if password != again:
            raise InputError("The two new passwords are not the same.")
        refuse_weak(password, asking.person.name or "")
    except InputError as error:
        return await _account(service, asking, error=str(error), status=422)
    hashed = await asyncio.to_thread(hash_password, password)

    def job(connection: Connection) -> str:
        if has_password(connection, asking.person.person_id) != had_one:
            raise Clash("Somebody set a password for this account just now. Load the page again.")
        change_password(connection, asking.person.person_id, hashed, now=now, by=asking.person.person_id)
        return open_session(connection, asking.person, now)

    key = await service.database.writing(job)
    response = go_to("/account", "password" if had_one else "first-password")
    set_session(response, service, key)
    return response


@router.post("/account/tokens")
async def new_token(asking: Anybody, service: InService, name: Annotated[str, Form(max_length=200)] = "") -> Response:
    """A key for programs; it is shown on this very page and never again, so there is no page to go to."""
    now = service.clock()
    _with_session(asking)
    _, key = await service.database.writing(
        lambda connection: make_token(connection, asking.person.person_id, name, now)
    )
    return await _account(service, asking, key=key)


@router.post("/account/tokens/{token_id}/revoke")
async def end_token(token_id: str, asking: Anybody, service: InService) -> Response:
    """A key opens nothing any more."""
    now = service.clock()
    await service.database.writing(lambda connection: revoke_token(connection, asking.person.person_id, token_id, now))
    return go_to("/account", "revoked")


@router.post("/account/erase")
async def erase_own(asking: Anybody, service: InService, password: Password = "") -> Response:
    """Forget who I was. What I answered stays, under an id that leads nowhere."""
    _with_session(asking)
    now = service.clock()
    try:
        if not await _has_password(service, asking):
            raise InputError("Set a password first: typing it shows that it is you who wants to leave.")
        await _check_password(service, asking, password)
    except InputError as error:
        return await _account(service, asking, erase_error=str(error), status=422)
    await service.database.writing(
        lambda connection: erase_identity(connection, asking.person.person_id, now=now, by=asking.person.person_id)
    )
    response = RedirectResponse("/sign-in", status_code=HTTPStatus.SEE_OTHER)
    clear_session(response, service)
    response.headers["clear-site-data"] = '"cache", "storage"'
    return response


def _with_session(asking: Visitor) -> None:
    if asking.session_key is None:
        raise NotAllowed("This is for somebody who is signed in; a program's token is not enough.")


async def _check_password(service: Service, asking: Visitor, password: str) -> None:
    """Raise unless this is the password of whoever asks; guessing waits, as it does at the sign-in."""
    place = f"account of {asking.person.person_id}"  # wherever they sit: whoever is signed in is known already
    if await person_behind(service, asking.person.name or "", password, place=place) is None:
        raise InputError("That is not your password.")


async def _has_password(service: Service, asking: Visitor) -> bool:
    """Whoever came by the demonstration's link has none."""
    return await service.database.reading(lambda connection: has_password(connection, asking.person.person_id))


async def _account(
    service: Service,
    asking: Visitor,
    *,
    done: str = "",
    error: str = "",
    erase_error: str = "",
    key: str = "",
    status: int = 200,
) -> Response:
    who = asking.person.person_id
    known, tokens = await service.database.reading(lambda c: (has_password(c, who), tokens_of(c, who)))
    return show(
        service,
        asking,
        "account.html",
        status=status,
        done=done,
        error=error,
        erase_error=erase_error,
        key=key,
        tokens=tokens,
        known_by_password=known,
    )


@router.get("/judge/{campaign_id}/mine")
async def mine_page(
    campaign_id: CampaignName, asking: Anybody, service: InService, page: Annotated[int, Query(ge=1, le=1_000_000)] = 1
) -> Response:
    """How I stand, and what I answered."""
    now = service.clock()

    def job(connection: Connection) -> tuple[Campaign, Standing, str | None, OwnAnswers]:
        campaign = campaign_for(connection, campaign_id, asking.person)
        standing = standing_of(connection, campaign, asking.person.person_id, now)
        nothing = why_nothing_to_do(connection, campaign, asking.person, now=now)
        return campaign, standing, nothing, own_answers(connection, campaign_id, asking.person.person_id, page)

    campaign, standing, nothing, own = await service.database.reading(job)
    return show(
        service,
        asking,
        "mine.html",
        campaign=campaign,
        standing=standing,
        nothing=nothing,
        own=own,
        answer_lines=answer_lines,
        content_words=content_words,
    )


@router.get("/judge/{campaign_id}/answered/{item_id:path}")
async def answered_item(campaign_id: CampaignName, item_id: str, asking: Anybody, service: InService) -> Response:
    """An item that I answered, with my answer, for the page to show again."""
    now = service.clock()

    def job(connection: Connection) -> NextUp:
        campaign = campaign_for(connection, campaign_id, asking.person)
        again = handed_again(connection, campaign_id, asking.person.person_id, item_id, now + timedelta(days=1))
        standing = standing_of(connection, campaign, asking.person.person_id, now)
        checks = checks_before(connection, campaign, asking.person, again)
        return NextUp(campaign=campaign, handed=again, standing=standing, checks=checks)

    up = await service.database.reading(job)
    html = item_html(service, up, up.handed)  # type: ignore[arg-type]  # handed_again hands an item
    return Response(orjson.dumps({"item_id": item_id, "html": html}), media_type="application/json")
