"""Pages where conflicts are resolved: what waits, one item with its judgments side by side, what is said about it.

Who said what stays hidden until it is decided, unless one asks: a decision is about the item, not about the people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import orjson
import sqlalchemy as sa
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from paraloom.errors import NotAllowed, NotFound
from paraloom.judgments.app import discuss_routes
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.discussed import (
    Discussed,
    address_of_item,
    conflict_page,
    discussed_item,
    form_of,
    names_of_people,
    queue_rows,
)
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import Expert, InService, Visitor
from paraloom.judgments.campaigns import Campaign, all_campaigns, campaign_of
from paraloom.judgments.conflicts import (
    REASONS,
    Conflict,
    Decision,
    Judged,
    judged_items,
    open_conflicts,
)
from paraloom.judgments.consensus import AGREED, AgreementWithConsensus, agreement_with_consensus, consensus
from paraloom.judgments.decide import (
    GivenDecision,
    decide,
    may_decide,
    note_counts,
)
from paraloom.judgments.differences import short_label
from paraloom.judgments.items import item_of
from paraloom.judgments.progress import progress_of
from paraloom.judgments.rewrites import is_rewrite_check, rewrite_check_of
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named

router = APIRouter(include_in_schema=False)
router.include_router(discuss_routes.router)

A_PAGE = 50
"""Rows of the queue on one page."""
WITH_NOTES = "notes"


class SentDecision(BaseModel, extra="forbid"):
    """A decision as the page sends it."""

    item_id: str = Field(max_length=64)
    seen: list[Annotated[str, Field(max_length=64)]] = Field(max_length=1000)
    after: int | None = Field(default=None, ge=0, le=2**62)
    answer: dict[str, Any] | None = None
    accepted: str | None = Field(default=None, max_length=64)
    reason: str = Field(default="", max_length=5000)


@router.get("/decide")
async def decide_page(asking: Expert, service: InService) -> Response:
    """The campaigns whose conflicts this person may decide."""

    def job(connection: Connection) -> list[tuple[Campaign, int, Any]]:
        return [
            (campaign, len(open_conflicts(connection, campaign)), progress_of(connection, campaign.campaign_id))
            for campaign in all_campaigns(connection)
            if campaign.settings.adjudicate and may_decide(connection, campaign, asking.person)
        ]

    entries = sorted(await service.database.reading(job), key=lambda entry: entry[1] == 0)
    return conflict_page(service, asking, "decide/campaigns.html", entries=entries)


@router.get("/decide/{campaign_id}")
async def queue_page(
    campaign_id: CampaignName,
    asking: Expert,
    service: InService,
    show: Literal["waiting", "decided"] = "waiting",
    why: Annotated[str, Query(max_length=20)] = "",
    label: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
    part: Literal["", "agreement"] = "",
) -> Response:
    """What waits for a decision, or what was decided; how far people agree comes a moment later, as a part."""
    if part == "agreement":
        return await _agreement(service, campaign_id, asking)

    def job(connection: Connection) -> dict[str, Any]:
        campaign = _campaign(connection, campaign_id, asking)
        conflicts = open_conflicts(connection, campaign)
        notes = note_counts(connection, campaign_id)
        decided = _decided(connection, campaign_id)
        found: list[tuple[Judged, str | None]] = (
            [(one.judged, one.why) for one in conflicts if _fits(one, why, label, notes)]
            if show == "waiting"
            else [(one, None) for one in decided]
        )
        pages = max(1, -(-len(found) // A_PAGE))
        shown = found[(min(page, pages) - 1) * A_PAGE : min(page, pages) * A_PAGE]
        return {
            "campaign": campaign,
            "rows": queue_rows(connection, campaign_id, shown, notes),
            "fitting": len(found),
            "waiting": len(conflicts),
            "decided": len(decided),
            "labels": _labels(conflicts),
            "pages": pages,
            "page": min(page, pages),
            "names": names_of_people(connection),
        }

    values = await service.database.reading(job)
    return conflict_page(service, asking, "decide/queue.html", shown=show, why=why, label=label, **values)


async def _agreement(service: Service, campaign_id: str, asking: Visitor) -> Response:
    def job(connection: Connection) -> dict[str, Any]:
        campaign = _campaign(connection, campaign_id, asking)
        agreed = consensus(connection, campaign)
        measured: list[AgreementWithConsensus] = agreement_with_consensus(connection, campaign)
        return {
            "campaign": campaign,
            "progress": progress_of(connection, campaign_id),
            "agreed": sum(one.how == AGREED for one in agreed),
            "decided": sum(one.how != AGREED for one in agreed),
            "people": measured,
            "check": rewrite_check_of(connection, campaign) if is_rewrite_check(connection, campaign) else None,
            "names": names_of_people(connection),
        }

    values = await service.database.reading(job)
    return service.pages.response("decide/agreement.html", **values)


@router.get("/decide/{campaign_id}/{item_id:path}")
async def decide_item_page(
    campaign_id: CampaignName,
    item_id: str,
    asking: Expert,
    service: InService,
    names: Literal["hidden", "shown"] = "hidden",
) -> Response:
    """One item to decide about, with its judgments side by side."""

    def job(connection: Connection) -> Discussed:
        campaign = _campaign(connection, campaign_id, asking)
        return discussed_item(connection, campaign, item_id)

    found = await service.database.reading(job)
    if not found.judged.is_complete and found.judged.decision is None:
        raise NotAllowed("This item is still being judged. Decide once all its judgments are in.")
    is_blind = found.judged.decision is None and names == "hidden"
    decided = found.judged.decision
    return conflict_page(
        service,
        asking,
        "decide/item.html",
        found=found,
        is_blind=is_blind,
        form=form_of(service, found, given=None if decided is None else decided.answer),
        why=found.judged.why_open(),
        task=task_named(found.campaign.task),
    )


@router.post("/decide/{campaign_id}/decisions")
async def send_decision(campaign_id: CampaignName, asking: Expert, service: InService, sent: SentDecision) -> Response:
    """Store a decision; the reply says where the next conflict is."""
    now = service.clock()
    given = GivenDecision(**sent.model_dump())

    def job(connection: Connection) -> tuple[Decision, str | None, int]:
        campaign = _campaign(connection, campaign_id, asking)
        decision = decide(connection, campaign, asking.person, given, now=now)
        left = open_conflicts(connection, campaign)
        item = item_of(connection, campaign_id, given.item_id)
        later = next((one.item_id for one in left if one.position > item.position), None)
        return decision, later or next((one.item_id for one in left), None), len(left)

    decision, following, waiting = await service.database.writing(job)
    reply = {
        "number": decision.number,
        "waiting": waiting,
        "next": f"/decide/{campaign_id}" if following is None else address_of_item(campaign_id, following),
    }
    return Response(orjson.dumps(reply), media_type="application/json")


def _campaign(connection: Connection, campaign_id: str, asking: Visitor) -> Campaign:
    """A campaign whose conflicts are decided, by this person."""
    campaign = campaign_of(connection, campaign_id)
    if not may_decide(connection, campaign, asking.person):
        raise NotFound(f"There is no campaign {campaign_id!r}.")
    if not campaign.settings.adjudicate:
        raise NotAllowed("Nobody decides conflicts in this campaign. Its setting `adjudicate` would change that.")
    return campaign


def _decided(connection: Connection, campaign_id: str) -> list[Judged]:
    """Items with a decision, the latest first."""
    table = schema.decisions.c
    ids = connection.scalars(sa.select(table.item_id).where(table.campaign_id == campaign_id).distinct()).all()
    found = [one for one in judged_items(connection, campaign_id, ids) if one.decision is not None]
    return sorted(found, key=lambda one: -(one.decision.number if one.decision else 0))


def _fits(conflict: Conflict, why: str, label: str, notes: Mapping[str, int]) -> bool:
    if why == WITH_NOTES and not notes.get(conflict.item_id):
        return False
    if why in REASONS and conflict.why != why:
        return False
    return not label or label in {short_label(one.answer) for one in conflict.judged.said}


def _labels(conflicts: Sequence[Conflict]) -> list[tuple[str, int]]:
    """Labels in the queue, the most frequent first; for a choice few enough to read."""
    found = Counter(label for one in conflicts for label in {short_label(said.answer) for said in one.judged.said})
    return sorted(found.most_common(40), key=lambda entry: (-entry[1], entry[0]))
