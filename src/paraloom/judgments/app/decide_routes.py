"""Pages where conflicts are resolved: what waits, one item with its judgments side by side, what is said about it.

Who said what stays hidden until it is decided, unless one asks: a decision is about the item, not about the people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Annotated, Any, Literal
from urllib.parse import quote

import orjson
import sqlalchemy as sa
from fastapi import APIRouter, Form, Query, Response
from fastapi.responses import RedirectResponse
from markupsafe import Markup
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from paraloom.errors import NotAllowed, NotFound
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import Anybody, Expert, InService, Visitor
from paraloom.judgments.campaigns import Campaign, all_campaigns, campaign_of
from paraloom.judgments.conflicts import (
    REASONS,
    Conflict,
    Decision,
    Judged,
    decisions_on,
    in_batches,
    judged_item,
    judged_items,
    open_conflicts,
)
from paraloom.judgments.consensus import AGREED, AgreementWithConsensus, agreement_with_consensus, consensus
from paraloom.judgments.decide import (
    GivenDecision,
    Note,
    blind_order,
    decide,
    may_decide,
    may_discuss,
    note_counts,
    notes_on,
    write_note,
)
from paraloom.judgments.differences import Compared, compare_answers, headlines, short_label
from paraloom.judgments.items import Item, item_of
from paraloom.judgments.people import everybody
from paraloom.judgments.progress import progress_of
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named

router = APIRouter(include_in_schema=False)

A_PAGE = 50
"""Rows of the queue on one page."""
WITH_NOTES = "notes"
LONG = 8


class SentDecision(BaseModel, extra="forbid"):
    """A decision as the page sends it."""

    item_id: str = Field(max_length=64)
    seen: list[Annotated[str, Field(max_length=64)]] = Field(max_length=1000)
    after: int | None = None
    answer: dict[str, Any] | None = None
    accepted: str | None = Field(default=None, max_length=64)
    reason: str = Field(default="", max_length=5000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a queue."""

    item_id: str
    headlines: Sequence[str]
    labels: Sequence[str]
    """Of the judgments, in the order that tells nothing."""
    why: str | None
    notes: int
    decision: Decision | None
    decided: str
    """The decision in a word; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discussed:
    """All that a page about one item shows."""

    campaign: Campaign
    item: Item
    judged: Judged
    compared: Sequence[Compared]
    letters: Mapping[str, str]
    """By person: A, B …"""
    names: Mapping[str, str]
    notes: Sequence[Note]
    decisions: Sequence[Decision]
    before: str | None
    """The conflict before this one in the queue, and the next."""
    after: str | None
    place: int | None
    waiting: int


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
    return _page(service, asking, "decide/campaigns.html", entries=entries)


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
            "rows": _rows(connection, campaign_id, shown, notes),
            "fitting": len(found),
            "waiting": len(conflicts),
            "decided": len(decided),
            "labels": _labels(conflicts),
            "pages": pages,
            "page": min(page, pages),
            "names": _names(connection),
        }

    values = await service.database.reading(job)
    return _page(service, asking, "decide/queue.html", shown=show, why=why, label=label, reasons=REASONS, **values)


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
            "names": _names(connection),
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
        return _discussed(connection, campaign, item_id)

    found = await service.database.reading(job)
    if not found.judged.is_complete and found.judged.decision is None:
        raise NotAllowed("This item is still being judged. Decide once all its judgments are in.")
    is_blind = found.judged.decision is None and names == "hidden"
    decided = found.judged.decision
    return _page(
        service,
        asking,
        "decide/item.html",
        found=found,
        is_blind=is_blind,
        form=_form(service, found, given=None if decided is None else decided.answer),
        why=found.judged.why_open(),
        reasons=REASONS,
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


@router.get("/discuss/{campaign_id}")
async def discussions_page(campaign_id: CampaignName, asking: Anybody, service: InService) -> Response:
    """What this person judged and others saw otherwise: to talk about before somebody decides."""

    def job(connection: Connection) -> tuple[Campaign, list[Row]]:
        campaign = campaign_of(connection, campaign_id)
        if not campaign.settings.adjudicate:
            raise NotFound(f"Nothing is discussed in the campaign {campaign_id!r}.")
        own = [
            (one.judged, one.why)
            for one in open_conflicts(connection, campaign)
            if any(said.person_id == asking.person.person_id for said in one.judged.said)
        ]
        return campaign, _rows(connection, campaign_id, own[:200], note_counts(connection, campaign_id))

    campaign, rows = await service.database.reading(job)
    return _page(service, asking, "decide/discussions.html", campaign=campaign, rows=rows, reasons=REASONS)


@router.post("/discuss/{campaign_id}/notes")
async def send_note(
    campaign_id: CampaignName,
    asking: Anybody,
    service: InService,
    item_id: Annotated[str, Form(max_length=64)],
    text: Annotated[str, Form(max_length=20_000)] = "",
    back: Annotated[Literal["decide", "discuss"], Form()] = "discuss",
) -> Response:
    """Say something about an item."""
    now = service.clock()

    def job(connection: Connection) -> None:
        write_note(connection, campaign_of(connection, campaign_id), asking.person, item_id, text, now=now)

    await service.database.writing(job)
    return RedirectResponse(f"{address_of_item(campaign_id, item_id, at=back)}#notes", status_code=303)


@router.get("/discuss/{campaign_id}/{item_id:path}")
async def discuss_item_page(campaign_id: CampaignName, item_id: str, asking: Anybody, service: InService) -> Response:
    """One item for those who judged it: what the others said, without names, and what is said about it."""

    def job(connection: Connection) -> Discussed:
        campaign = campaign_of(connection, campaign_id)
        if not may_discuss(connection, campaign, asking.person, item_id):
            raise NotFound(f"There is no item {item_id!r} for you to talk about.")
        return _discussed(connection, campaign, item_id)

    found = await service.database.reading(job)
    own = next((one for one in found.judged.said if one.person_id == asking.person.person_id), None)
    form = _form(service, found, given=None if own is None else own.answer)
    return _page(
        service,
        asking,
        "decide/discuss.html",
        found=found,
        is_blind=True,
        form=form,
        why=found.judged.why_open(),
        reasons=REASONS,
    )


def address_of_item(campaign_id: str, item_id: str, *, at: str = "decide") -> str:
    """Where the page about an item is.

    >>> address_of_item("storms", "pair 1/2")
    '/decide/storms/pair%201/2'
    """
    return f"/{at}/{campaign_id}/{quote(item_id)}"


def _page(service: Service, asking: Visitor, template: str, **values: Any) -> Response:
    return service.pages.response(
        template,
        visitor=asking,
        csrf=asking.csrf,
        person_name=asking.person.shown_name,
        address=address_of_item,
        short=short_label,
        **values,
    )


def _campaign(connection: Connection, campaign_id: str, asking: Visitor) -> Campaign:
    """A campaign whose conflicts are decided, by this person."""
    campaign = campaign_of(connection, campaign_id)
    if not may_decide(connection, campaign, asking.person):
        raise NotFound(f"There is no campaign {campaign_id!r}.")
    if not campaign.settings.adjudicate:
        raise NotAllowed("Nobody decides conflicts in this campaign. Its setting `adjudicate` would change that.")
    return campaign


def _discussed(connection: Connection, campaign: Campaign, item_id: str) -> Discussed:
    item = item_of(connection, campaign.campaign_id, item_id)
    found = judged_item(connection, campaign.campaign_id, item_id)
    if found is None:
        raise NotFound(f"Nobody has judged the item {item_id!r} of {campaign.campaign_id!r}.")
    judged = blind_order(found)
    queue = open_conflicts(connection, campaign)
    earlier = [one.item_id for one in queue if one.position < item.position]
    later = [one.item_id for one in queue if one.position > item.position]
    here = [one.item_id for one in queue].index(item_id) + 1 if any(one.item_id == item_id for one in queue) else None
    return Discussed(
        campaign=campaign,
        item=item,
        judged=judged,
        compared=_compared(campaign, item, judged),
        letters={one.person_id: _letter(place) for place, one in enumerate(judged.said)},
        names=_names(connection),
        notes=notes_on(connection, campaign.campaign_id, item_id),
        decisions=decisions_on(connection, campaign.campaign_id, item_id),
        before=earlier[-1] if earlier else None,
        after=later[0] if later else None,
        place=here,
        waiting=len(queue),
    )


def _compared(campaign: Campaign, item: Item, judged: Judged) -> list[Compared]:
    """What was asked and answered; in a long list, what differs comes first."""
    rows = compare_answers(campaign.task, item.content, [one.answer for one in judged.said])
    return sorted(rows, key=lambda row: not row.differs) if len(rows) > LONG else rows


def _letter(place: int) -> str:
    return ascii_uppercase[place] if place < len(ascii_uppercase) else f"A{place + 1}"


def _form(service: Service, found: Discussed, given: Mapping[str, Any] | None) -> Markup:
    """The item as it was judged, with the same form: what is decided is checked by the same task."""
    task = task_named(found.campaign.task)
    html = service.pages.render(
        f"tasks/{task.name}.html",
        campaign=found.campaign,
        content=task.read_content(found.item.content),
        shown=found.campaign.shown(),
        given=given,
        keys=task.keys,
    )
    return Markup(html)  # rendered, and escaped, by a template of ours


def _names(connection: Connection) -> dict[str, str]:
    return {person.person_id: person.shown_name for person in everybody(connection)}


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


def _rows(
    connection: Connection, campaign_id: str, shown: Sequence[tuple[Judged, str | None]], notes: Mapping[str, int]
) -> list[Row]:
    items = schema.items.c
    contents: dict[str, Mapping[str, Any]] = {}
    for some in in_batches(judged.item_id for judged, _ in shown):
        asked = sa.select(items.item_id, items.content).where(items.campaign_id == campaign_id, items.item_id.in_(some))
        contents.update({row.item_id: row.content for row in connection.execute(asked)})
    return [
        Row(
            item_id=judged.item_id,
            headlines=headlines(contents[judged.item_id]),
            labels=[short_label(one.answer) for one in blind_order(judged).said],
            why=why,
            notes=notes.get(judged.item_id, 0),
            decision=judged.decision,
            decided="" if judged.decision is None else short_label(judged.decision.answer),
        )
        for judged, why in shown
    ]
