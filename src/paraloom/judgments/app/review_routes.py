"""An admin's page where early work is chosen to be looked at again, and where one sees whether it finds something."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any, Literal

import sqlalchemy as sa
from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import RedirectResponse
from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import Admin, InService, Visitor
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.people import everybody
from paraloom.judgments.review import (
    ReviewChoice,
    choose_for_review,
    open_reviews,
    review_progress,
    withdraw_reviews,
)
from paraloom.judgments.store import schema
from paraloom.web.filters import number

router = APIRouter(prefix="/admin/campaigns", include_in_schema=False)

DEFAULT_LIMIT = 100
MOST_LIMIT = 100_000
DONE = {
    "opened": "Judgments to be looked at again: {count}. They are handed out before all other work.",
    "withdrawn": "Reviews that nobody has to do any more: {count}.",
}

Text = Annotated[str, Query(max_length=200)]
FormText = Annotated[str, Form(max_length=200)]


@router.get("/{campaign_id}/review")
async def review_page(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    match: Literal["any", "is", "holds"] = "any",
    label: Text = "",
    until: Text = "",
    version_below: Text = "",
    person: Text = "",
    reviewer: Text = "",
    limit: Text = str(DEFAULT_LIMIT),
    look: bool = False,
    done: Literal["", "opened", "withdrawn"] = "",
    count: Annotated[int, Query(ge=0)] = 0,
) -> Response:
    """The form, what it would come to, and what the reviews so far have found."""
    given = {
        "match": match,
        "label": label,
        "until": until,
        "version_below": version_below,
        "person": person,
        "reviewer": reviewer,
        "limit": limit,
    }
    told = DONE[done].format(count=number(count)) if done else ""
    return await _page(service, asking, campaign_id, given, look=look, told=told)


@router.post("/{campaign_id}/review")
async def send_reviews(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    match: Annotated[Literal["any", "is", "holds"], Form()] = "any",
    label: FormText = "",
    until: FormText = "",
    version_below: FormText = "",
    person: FormText = "",
    reviewer: FormText = "",
    limit: FormText = str(DEFAULT_LIMIT),
    reason: Annotated[str, Form(max_length=5000)] = "",
) -> Response:
    """Ask for the chosen judgments to be looked at again."""
    given = {
        "match": match,
        "label": label,
        "until": until,
        "version_below": version_below,
        "person": person,
        "reviewer": reviewer,
        "limit": limit,
    }
    now = service.clock()

    def job(connection: Connection) -> int:
        campaign = campaign_of(connection, campaign_id)
        return open_reviews(
            connection, campaign, read_choice(given), reason=reason, now=now, by=asking.person.person_id
        )

    try:
        opened = await service.database.writing(job)
    except InputError as error:
        return await _page(service, asking, campaign_id, given, look=True, reason=reason, error=str(error))
    return RedirectResponse(f"/admin/campaigns/{campaign_id}/review?done=opened&count={opened}", status_code=303)


@router.post("/{campaign_id}/review/withdraw")
async def withdraw(campaign_id: CampaignName, asking: Admin, service: InService) -> Response:
    """Nothing systematic is found any more: the rest need not be looked at."""
    now = service.clock()

    def job(connection: Connection) -> int:
        campaign = campaign_of(connection, campaign_id)
        return withdraw_reviews(connection, campaign, now=now, by=asking.person.person_id)

    gone = await service.database.writing(job)
    return RedirectResponse(f"/admin/campaigns/{campaign_id}/review?done=withdrawn&count={gone}", status_code=303)


def read_choice(given: dict[str, str]) -> ReviewChoice:
    """The form's fields, checked. A day counts to its end, in UTC.

    >>> read_choice({"match": "holds", "label": "s", "until": "2026-03-31", "limit": "20"}).until.isoformat()
    '2026-04-01T00:00:00+00:00'
    """
    label = given.get("label", "").strip()
    match = given.get("match", "any") if label else "any"
    return ReviewChoice(
        label=label if match == "is" else None,
        label_holds=label if match == "holds" else None,
        until=_end_of(given.get("until", "")),
        version_below=_whole(given.get("version_below", ""), "Instructions before version", 1_000_000),
        person_id=given.get("person") or None,
        reviewer_id=given.get("reviewer") or None,
        limit=_whole(given.get("limit", ""), "How many", MOST_LIMIT),
    )


def _end_of(day: str) -> datetime | None:
    if not day.strip():
        return None
    try:
        found = date.fromisoformat(day.strip()) + timedelta(days=1)
    except (ValueError, OverflowError):
        raise InputError(f"{day!r} is no day. Write it as 2026-12-31.") from None
    return datetime.combine(found, time(), tzinfo=UTC)


def _whole(value: str, what: str, most: int) -> int | None:
    if not value.strip():
        return None
    try:
        found = int(value)
    except ValueError:
        found = 0
    if not 1 <= found <= most:
        raise InputError(f"“{what}” must be a whole number from 1 to {most:,}.")
    return found


async def _page(
    service: Service,
    asking: Visitor,
    campaign_id: str,
    given: dict[str, str],
    *,
    look: bool,
    reason: str = "",
    error: str = "",
    told: str = "",
) -> Response:
    """The page; what is wrong with the form is told in it."""
    choice = ReviewChoice(limit=1)
    try:
        choice = read_choice(given)
    except InputError as wrong:
        error, look = error or str(wrong), False

    def job(connection: Connection) -> dict[str, Any]:
        campaign = campaign_of(connection, campaign_id)
        known = {person.person_id: person for person in everybody(connection)}
        said = schema.judgments.c
        workers = connection.scalars(sa.select(said.person_id).where(said.campaign_id == campaign_id).distinct()).all()
        values = schema.votes.c
        labels = connection.scalars(
            sa.select(values.value)
            .where(values.campaign_id == campaign_id, values.counts)
            .group_by(values.value)
            .order_by(sa.func.count().desc(), values.value)
            .limit(40)
        ).all()
        return {
            "campaign": campaign,
            "progress": review_progress(connection, campaign),
            "labels": labels,
            "authors": sorted((known[one] for one in workers if one in known), key=lambda one: one.shown_name),
            "reviewers": sorted((one for one in known.values() if one.is_active), key=lambda one: one.shown_name),
            "chosen": choose_for_review(connection, campaign, replace(choice)) if look else None,
        }

    values = await service.database.reading(job)
    return service.pages.response(
        "review/review.html",
        status=422 if error else 200,
        visitor=asking,
        csrf=asking.csrf,
        person_name=asking.person.shown_name,
        told=told,
        error=error,
        reason=reason,
        given=given,
        now=service.clock(),
        **values,
    )
