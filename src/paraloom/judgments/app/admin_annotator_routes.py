"""An admin's pages about the people of one campaign: how each of them works, who is stopped, who gets a bonus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import APIRouter, Form, Query, Response
from sqlalchemy import Connection

from paraloom.errors import InputError, NotFound
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.changing import When, change_in_campaign
from paraloom.judgments.app.shown import go_to, show
from paraloom.judgments.app.visitors import Admin, InService
from paraloom.judgments.app.watching import Measuring, figures_for
from paraloom.judgments.app.words import answer_words, content_words
from paraloom.judgments.audit import note_action
from paraloom.judgments.bonus import as_csv, bonuses
from paraloom.judgments.browse import told_judgments
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.figures.live import AnnotatorRow
from paraloom.judgments.invitations import add_member
from paraloom.judgments.people import Person, everybody, person_of
from paraloom.judgments.stop import reinstate_person, republish_work, stop_person
from paraloom.judgments.store import schema

router = APIRouter(prefix="/admin/campaigns/{campaign_id}")

Reason = Annotated[str, Form(max_length=500)]
Ticked = Annotated[bool, Form()]
People = Annotated[list[Annotated[str, Form(max_length=64)]], Form()]

ORDERS: dict[str, tuple[str, Callable[[AnnotatorRow], Any]]] = {
    "last": ("Last at work", lambda row: -row.standing.last_at.timestamp()),
    "kappa": ("Lowest κ", lambda row: (row.kappa is None, row.kappa or 0.0)),
    "tests": (
        "Most test mistakes",
        lambda row: (row.standing.test_accuracy is None, row.standing.test_accuracy or 0.0),
    ),
    "answers": ("Most answers", lambda row: -row.standing.answered),
    "fastest": ("Fastest", lambda row: (row.median_seconds is None, row.median_seconds or 0.0)),
    "name": ("Name", lambda row: row.person.shown_name.casefold()),
}
"""By what people can be sorted."""


@router.get("/people")
async def annotators_page(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    measuring: Measuring,
    sort: str = "last",
    done: str = "",
    count: int = 0,
) -> Response:
    """Everybody who worked on a campaign, and who may."""
    figures = await figures_for(service, measuring, campaign_id)
    order = sort if sort in ORDERS else "last"
    members, others = await service.database.reading(lambda connection: _members(connection, campaign_id))
    return show(
        service,
        asking,
        "admin/annotators.html",
        done=done,
        count=count,
        campaign=figures.campaign,
        figures=figures,
        annotators=sorted(figures.annotators, key=ORDERS[order][1]),
        orders=[(key, words) for key, (words, _) in ORDERS.items()],
        order=order,
        members=members,
        others=others,
    )


def _members(connection: Connection, campaign_id: str) -> tuple[list[Person], list[Person]]:
    """Who was added to a campaign, and who could be."""
    ids = set(connection.scalars(sa.select(schema.members.c.person_id).filter_by(campaign_id=campaign_id)))
    people = [person for person in everybody(connection) if person.is_active or person.person_id in ids]
    return [one for one in people if one.person_id in ids], [one for one in people if one.person_id not in ids]


@router.post("/members")
async def new_members(campaign_id: CampaignName, asking: Admin, service: InService, person: People = []) -> Response:  # noqa: B006
    """Add people to a campaign that is for its members alone."""
    now = service.clock()

    def job(connection: Connection) -> None:
        campaign_of(connection, campaign_id)
        for person_id in person:
            add_member(connection, campaign_id, person_of(connection, person_id).person_id, now)
            note_action(
                connection,
                who=asking.person.person_id,
                what="member added",
                about=campaign_id,
                now=now,
                detail={"person": person_id},
            )

    await service.database.writing(job)
    return go_to(f"/admin/campaigns/{campaign_id}/people", "member-added", count=len(person))


@router.post("/members/remove")
async def end_membership(
    campaign_id: CampaignName, asking: Admin, service: InService, person: Annotated[str, Form(max_length=64)] = ""
) -> Response:
    """Take somebody from the members; what they answered stays."""
    now = service.clock()

    def job(connection: Connection) -> None:
        removed = connection.execute(schema.members.delete().filter_by(campaign_id=campaign_id, person_id=person))
        if not removed.rowcount:
            raise NotFound("This person is no member of the campaign.")
        note_action(
            connection,
            who=asking.person.person_id,
            what="member removed",
            about=campaign_id,
            now=now,
            detail={"person": person},
        )

    await service.database.writing(job)
    return go_to(f"/admin/campaigns/{campaign_id}/people", "member-removed")


@router.get("/people/{person_id}")
async def annotator_page(
    campaign_id: CampaignName,
    person_id: str,
    asking: Admin,
    service: InService,
    measuring: Measuring,
    done: str = "",
    count: int = 0,
) -> Response:
    """One person in one campaign: figures, latest answers, and what can be done."""
    figures = await figures_for(service, measuring, campaign_id)
    row = next((row for row in figures.annotators if row.person.person_id == person_id), None)
    if row is None:
        raise NotFound("This person has not worked on this campaign.")
    judgments = await service.database.reading(
        lambda connection: told_judgments(connection, campaign_id, person_id=person_id, most=30)
    )
    return show(
        service,
        asking,
        "admin/annotator.html",
        done=done,
        count=count,
        campaign=figures.campaign,
        row=row,
        judgments=judgments[::-1],
        answer_words=answer_words,
        content_words=content_words,
    )


@router.post("/people/{person_id}/stop")
async def stop(
    campaign_id: CampaignName,
    person_id: str,
    asking: Admin,
    service: InService,
    reason: Reason = "",
    set_aside: Ticked = False,
) -> Response:
    """End somebody's work on the campaign."""
    if not reason.strip():
        raise InputError("Say why: the person reads it.")
    aside = await change_in_campaign(
        service,
        asking,
        campaign_id,
        lambda connection, campaign, when: stop_person(
            connection, campaign, person_id, reason=reason.strip(), set_aside=set_aside, **when
        ),
    )
    return go_to(f"/admin/campaigns/{campaign_id}/people/{person_id}", "stopped", count=aside)


@router.post("/people/{person_id}/reinstate")
async def reinstate(
    campaign_id: CampaignName, person_id: str, asking: Admin, service: InService, restore: Ticked = False
) -> Response:
    """Let somebody go on."""
    restored = await change_in_campaign(
        service,
        asking,
        campaign_id,
        lambda connection, campaign, when: reinstate_person(connection, campaign, person_id, restore=restore, **when),
    )
    return go_to(f"/admin/campaigns/{campaign_id}/people/{person_id}", "reinstated", count=restored)


@router.get("/republish")
async def republish_page(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    measuring: Measuring,
    below: Annotated[float | None, Query(ge=-1, le=1)] = None,
) -> Response:
    """Whose work would be set aside and published again: to be looked at before it is done."""
    figures = await figures_for(service, measuring, campaign_id)
    limit = figures.campaign.settings.republish_below if below is None else below
    low = [row for row in figures.annotators if row.is_below(limit) and row.counted]
    return show(
        service,
        asking,
        "admin/republish.html",
        campaign=figures.campaign,
        limit=limit,
        low=sorted(low, key=ORDERS["kappa"][1]),
    )


@router.post("/republish")
async def republish(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    person: People = [],  # noqa: B006
    stop_them: Ticked = False,
    reason: Reason = "",
) -> Response:
    """Set aside the work of those who were ticked; they stay or are stopped."""
    told = reason.strip() or "kappa below the limit"

    def change(connection: Connection, campaign: Campaign, when: When) -> int:
        if stop_them:
            return sum(stop_person(connection, campaign, one, reason=told, set_aside=True, **when) for one in person)
        return sum(republish_work(connection, campaign, one, reason=told, **when) for one in person)

    aside = await change_in_campaign(service, asking, campaign_id, change)
    return go_to(f"/admin/campaigns/{campaign_id}/people", "republished", count=aside)


@router.get("/bonus")
async def bonus_page(campaign_id: CampaignName, asking: Admin, service: InService, measuring: Measuring) -> Response:
    """Who gets which bonus."""
    figures = await figures_for(service, measuring, campaign_id)
    found = bonuses(figures.annotators, figures.campaign.settings)
    return show(service, asking, "admin/bonus.html", campaign=figures.campaign, bonuses=found)


@router.get("/bonus.csv")
async def bonus_file(campaign_id: CampaignName, asking: Admin, service: InService, measuring: Measuring) -> Response:
    """The same as a file."""
    figures = await figures_for(service, measuring, campaign_id)
    text = as_csv(bonuses(figures.annotators, figures.campaign.settings), figures.campaign.settings.currency)
    name = {"content-disposition": f'attachment; filename="{campaign_id}-bonus.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=name)
