"""An admin's pages about people: who there is, who is invited, what they may do; and the log of all that was done."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Form, Query, Request, Response
from sqlalchemy import Connection

from paraloom.errors import InputError, NotAllowed
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.shown import go_to, show
from paraloom.judgments.app.visitors import Admin, InService, Visitor
from paraloom.judgments.audit import Action, actions
from paraloom.judgments.campaigns import Campaign, all_campaigns
from paraloom.judgments.invitations import Invitation, invite, open_invitations, withdraw
from paraloom.judgments.people import (
    ROLES,
    Person,
    Role,
    block,
    change_password,
    change_role,
    erase_identity,
    everybody,
    person_of,
)
from paraloom.judgments.store import schema
from paraloom.web.passwords import hash_password

router = APIRouter(prefix="/admin")

Short = Annotated[str, Form(max_length=300)]
LOG_PAGE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """One person over all campaigns."""

    person: Person
    campaigns: int
    answers: int


@router.get("/people")
async def people_page(asking: Admin, service: InService, done: str = "") -> Response:
    """Everybody, and whoever is invited."""
    return await _people(service, asking, done=done)


async def _people(
    service: Service,
    asking: Visitor,
    *,
    done: str = "",
    link: str = "",
    error: str = "",
    status: int = 200,
) -> Response:
    now = service.clock()

    def job(connection: Connection) -> tuple[list[PersonRow], list[Invitation], list[Campaign]]:
        table = schema.standings.c
        done_by = {
            person_id: (count, int(answers))
            for person_id, count, answers in connection.execute(
                sa.select(table.person_id, sa.func.count(), sa.func.sum(table.answered)).group_by(table.person_id)
            )
        }
        rows = []
        for person in everybody(connection):
            count, answers = done_by.get(person.person_id, (0, 0))
            rows.append(PersonRow(person=person, campaigns=count, answers=answers))
        return rows, open_invitations(connection, now), all_campaigns(connection)

    rows, invitations, campaigns = await service.database.reading(job)
    return show(
        service,
        asking,
        "admin/people.html",
        status=status,
        done=done,
        error=error,
        rows=rows,
        invitations=invitations,
        campaigns=campaigns,
        roles=ROLES[::-1],
        link=link,
    )


@router.post("/people/invite")
async def new_invitation(
    asking: Admin,
    service: InService,
    request: Request,
    role: Short = "annotator",
    campaign_id: Short = "",
    note: Annotated[str, Form(max_length=500)] = "",
    uses: Annotated[int, Form()] = 1,
    days: Annotated[float, Form(allow_inf_nan=False)] = 14.0,
) -> Response:
    """Make an invitation; its link is shown on this very page and never again, so there is no page to go to."""
    now = service.clock()
    try:
        key = await service.database.writing(
            lambda connection: invite(
                connection,
                role=_role(role),
                now=now,
                by=asking.person.person_id,
                campaign_id=campaign_id or None,
                note=note,
                uses=uses,
                days=days,
            )
        )
    except InputError as error:
        return await _people(service, asking, error=str(error), status=422)
    link = request.url_for("join_page", key=key)
    return await _people(service, asking, link=str(link.replace(scheme="https") if service.secure else link))


@router.post("/people/withdraw")
async def withdraw_invitation(asking: Admin, service: InService, key_hash: Short = "") -> Response:
    """Make an invitation worth nothing."""
    now = service.clock()
    await service.database.writing(
        lambda connection: withdraw(connection, key_hash, now=now, by=asking.person.person_id)
    )
    return go_to("/admin/people", "withdrawn")


@router.get("/people/{person_id}")
async def person_page(person_id: str, asking: Admin, service: InService, done: str = "") -> Response:
    """One person: campaigns, role, and what can be done."""
    return await _person(service, asking, person_id, done=done)


async def _person(
    service: Service,
    asking: Visitor,
    person_id: str,
    *,
    done: str = "",
    error: str = "",
    secret: str = "",
    status: int = 200,
) -> Response:
    def job(connection: Connection) -> tuple[Person, list[tuple[Campaign, sa.Row[tuple[object, ...]]]]]:
        person = person_of(connection, person_id)
        rows = connection.execute(
            sa.select(schema.standings).filter_by(person_id=person_id).order_by(schema.standings.c.last_at.desc())
        ).all()
        by_name = {campaign.campaign_id: campaign for campaign in all_campaigns(connection)}
        return person, [(by_name[row.campaign_id], row) for row in rows]

    person, standings = await service.database.reading(job)
    return show(
        service,
        asking,
        "admin/person.html",
        status=status,
        done=done,
        error=error,
        person=person,
        standings=standings,
        roles=ROLES[::-1],
        secret=secret,
    )


@router.post("/people/{person_id}/role")
async def new_role(person_id: str, asking: Admin, service: InService, role: Short = "") -> Response:
    """Give another role."""
    now = service.clock()
    await service.database.writing(
        lambda connection: change_role(connection, person_id, _role(role), now=now, by=asking.person.person_id)
    )
    return go_to(f"/admin/people/{person_id}", "role")


@router.post("/people/{person_id}/block")
async def new_block(
    person_id: str, asking: Admin, service: InService, blocked: Annotated[bool, Form()] = False
) -> Response:
    """Shut the door, or open it."""
    now = service.clock()
    await service.database.writing(
        lambda connection: block(connection, person_id, blocked=blocked, now=now, by=asking.person.person_id)
    )
    return go_to(f"/admin/people/{person_id}", "blocked" if blocked else "unblocked")


@router.post("/people/{person_id}/password")
async def new_password(person_id: str, asking: Admin, service: InService) -> Response:
    """A new password for somebody who forgot theirs; it is shown once, to be handed over and changed by its owner."""
    now, password = service.clock(), "-".join(secrets.token_hex(2) for _ in range(5))
    hashed = await asyncio.to_thread(hash_password, password)

    def job(connection: Connection) -> None:
        if not person_of(connection, person_id).is_active:
            raise NotAllowed("This person cannot sign in, so a password would be of no use.")
        change_password(connection, person_id, hashed, now=now, by=asking.person.person_id)

    if person_id == asking.person.person_id:
        raise NotAllowed("Change your own password on the page of your account.")
    await service.database.writing(job)
    return await _person(service, asking, person_id, secret=password)


@router.post("/people/{person_id}/erase")
async def erase(person_id: str, asking: Admin, service: InService, name: Short = "") -> Response:
    """Forget who somebody was, once their name was typed."""
    now = service.clock()

    def job(connection: Connection) -> None:
        person = person_of(connection, person_id)
        if person.name is None or person.name != name.strip():
            raise InputError("The name that was typed is not the name of this person. Nothing was erased.")
        erase_identity(connection, person_id, now=now, by=asking.person.person_id)

    try:
        await service.database.writing(job)
    except InputError as error:
        return await _person(service, asking, person_id, error=str(error), status=422)
    return go_to(f"/admin/people/{person_id}", "erased")


def _role(name: str) -> Role:
    found = next((role for role in ROLES if role == name), None)
    if found is None:
        raise InputError(f"There is no role {name!r}. Choose one of: {', '.join(ROLES)}.")
    return found


@router.get("/log")
async def log_page(
    asking: Admin, service: InService, before: Annotated[int | None, Query(ge=1, le=2**62)] = None
) -> Response:
    """What was done, by whom, the newest first."""

    def job(connection: Connection) -> tuple[list[Action], dict[str, str]]:
        names = {person.person_id: person.shown_name for person in everybody(connection)}
        return actions(connection, before=before, most=LOG_PAGE + 1), names

    found, names = await service.database.reading(job)
    older = found[LOG_PAGE - 1].number if len(found) > LOG_PAGE else None
    return show(service, asking, "admin/log.html", actions=found[:LOG_PAGE], names=names, older=older, before=before)
