"""Pages about oneself: joining, signing in and out, the way to one's work."""

from __future__ import annotations

import asyncio
from hmac import compare_digest
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import Connection

from paraloom.errors import Clash, InputError, NotFound
from paraloom.judgments.app.password_checks import TooManyTries, person_behind
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import (
    Anybody,
    InService,
    address_of,
    before_key,
    clear_session,
    refuse_forged,
    set_before,
    set_session,
)
from paraloom.judgments.assign import why_nothing_to_do
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.invitations import accept, invitation_of
from paraloom.judgments.members import campaigns_for
from paraloom.judgments.people import DEMO_NAME, Person, person_named
from paraloom.judgments.progress import Progress, progress_of
from paraloom.judgments.sign_in import close_session, open_session
from paraloom.judgments.standing import Standing, standing_of
from paraloom.web.keys import csrf_token
from paraloom.web.passwords import hash_password, refuse_weak

router = APIRouter(include_in_schema=False)

Short = Annotated[str, Form(max_length=300)]
Password = Annotated[str, Form(max_length=2000)]


@router.get("/")
async def home(asking: Anybody, service: InService) -> Response:
    """Where to go from here: the campaigns that this person may work on, how far they are, and what is left to do."""
    now = service.clock()

    def job(connection: Connection) -> list[tuple[Campaign, Standing, Progress, str | None]]:
        return [
            (
                campaign,
                standing_of(connection, campaign, asking.person.person_id, now),
                progress_of(connection, campaign.campaign_id),
                why_nothing_to_do(connection, campaign, asking.person, now=now),
            )
            for campaign in campaigns_for(connection, asking.person)
        ]

    entries = await service.database.reading(job)
    return service.pages.response(
        "home.html", visitor=asking, csrf=asking.csrf, person_name=asking.person.shown_name, entries=entries
    )


@router.get("/sign-in")
async def sign_in_page(request: Request, service: InService, next: str = "/") -> Response:
    """The form to sign in with."""
    return _sign_in_form(request, service, next=_inside(next))


@router.post("/sign-in")
async def sign_in(
    request: Request, service: InService, name: Short = "", password: Password = "", next: Short = "/"
) -> Response:
    """Check name and password; a new session, or the form again."""
    await refuse_forged(request, before_key(request))
    goal = _inside(next)
    try:
        person = await person_behind(service, name, password, place=address_of(request, service))
    except TooManyTries as error:
        return _sign_in_form(request, service, next=goal, name=name, error=str(error), status=429)
    if person is None:
        told = "Name and password do not fit together."
        return _sign_in_form(request, service, next=goal, name=name, error=told, status=401)
    return await _signed_in(service, person, goal)


@router.get("/demo/{key}")
async def demo(key: str, service: InService) -> Response:
    """Sign in to the demonstration; the key is drawn when it starts, printed once, and good while it runs."""
    if service.demo_key is None or not compare_digest(service.demo_key.encode(), key.encode()):
        raise NotFound("There is no such page.")
    person = await service.database.reading(lambda c: person_named(c, DEMO_NAME))
    if person is None:
        raise NotFound("The demonstration's account is gone.")
    return await _signed_in(service, person, "/")


@router.post("/sign-out")
async def sign_out(asking: Anybody, service: InService) -> Response:
    """End this session, here and in the database."""
    key = asking.session_key
    if key is not None:
        await service.database.writing(lambda c: close_session(c, key, service.clock()))
    response = RedirectResponse("/sign-in", status_code=HTTPStatus.SEE_OTHER)
    clear_session(response, service)
    response.headers["clear-site-data"] = '"cache"'
    return response


@router.get("/join/{key}")
async def join_page(request: Request, key: str, service: InService) -> Response:
    """The form to make an account with, for whoever has an invitation."""
    now = service.clock()
    invitation = await service.database.reading(lambda c: invitation_of(c, key, now))
    return _join_form(request, service, key, invitation)


@router.post("/join/{key}")
async def join(
    request: Request,
    key: str,
    service: InService,
    name: Short = "",
    password: Password = "",
    language: Annotated[str, Form(max_length=20)] = "",
) -> Response:
    """Make the account and sign in."""
    await refuse_forged(request, before_key(request))
    now = service.clock()
    invitation = await service.database.reading(lambda c: invitation_of(c, key, now))
    try:
        refuse_weak(password, name)
        hashed = await asyncio.to_thread(hash_password, password)
        person = await service.database.writing(
            lambda c: accept(c, key, name=name, hashed=hashed, language=language or None, now=now)
        )
    except (InputError, Clash) as error:
        return _join_form(request, service, key, invitation, name=name, error=str(error), status=422)
    goal = "/" if invitation.campaign_id is None else f"/judge/{invitation.campaign_id}"
    return await _signed_in(service, person, goal)


async def _signed_in(service: Service, person: Person, goal: str) -> Response:
    now = service.clock()
    key = await service.database.writing(lambda c: open_session(c, person, now))
    response = RedirectResponse(goal, status_code=HTTPStatus.SEE_OTHER)
    set_session(response, service, key)
    return response


def _sign_in_form(request: Request, service: Service, *, status: int = 200, **values: Any) -> Response:
    return _form(request, service, "sign_in.html", status, {"name": "", "error": "", "next": "/"} | values)


def _join_form(
    request: Request, service: Service, key: str, invitation: Any, *, status: int = 200, **values: Any
) -> Response:
    shown = {"name": "", "error": "", "key": key, "invitation": invitation}
    return _form(request, service, "join.html", status, shown | values)


def _form(request: Request, service: Service, template: str, status: int, values: dict[str, Any]) -> Response:
    """A form for somebody who is not signed in yet, guarded by a cookie of its own."""
    key = before_key(request)
    response = service.pages.response(template, status=status, csrf=csrf_token(key), **values)
    set_before(response, service, key)
    return response


def _inside(goal: str) -> str:
    """An address within the service: nobody is sent elsewhere after signing in.

    >>> _inside("/judge/storms"), _inside("//evil.example"), _inside("https://evil.example"), _inside("/\\\\evil")
    ('/judge/storms', '/', '/', '/')
    """
    return goal if goal.startswith("/") and not goal.startswith(("//", "/\\")) and goal.isprintable() else "/"
