"""An item and what people say of it in, what pages about it show out: for those who decide and those who judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from fastapi import Response
from markupsafe import Markup
from sqlalchemy import Connection

from paraloom.errors import NotFound
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.visitors import Visitor
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.conflicts import (
    REASONS,
    Decision,
    Judged,
    decisions_on,
    in_batches,
    judged_item,
    open_conflicts,
)
from paraloom.judgments.decide import Note, blind_order, notes_on
from paraloom.judgments.differences import Compared, compare_answers, headlines, short_label
from paraloom.judgments.items import Item, item_of
from paraloom.judgments.people import everybody
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named
from paraloom.web.keys import new_key

LONG = 8
"""Of a list with more rows than this, what differs comes first."""


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


def address_of_item(campaign_id: str, item_id: str, *, at: str = "decide") -> str:
    """Where the page about an item is.

    >>> address_of_item("storms", "pair 1/2")
    '/decide/storms/pair%201/2'
    """
    return f"/{at}/{campaign_id}/{quote(item_id)}"


def conflict_page(service: Service, asking: Visitor, template: str, **values: Any) -> Response:
    return service.pages.response(
        template,
        visitor=asking,
        csrf=asking.csrf,
        person_name=asking.person.shown_name,
        address=address_of_item,
        short=short_label,
        reasons=REASONS,
        client_id=new_key(),
        **values,
    )


def discussed_item(connection: Connection, campaign: Campaign, item_id: str) -> Discussed:
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
        names=names_of_people(connection),
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


def form_of(service: Service, found: Discussed, given: Mapping[str, Any] | None) -> Markup:
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


def names_of_people(connection: Connection) -> dict[str, str]:
    return {person.person_id: person.shown_name for person in everybody(connection)}


def queue_rows(
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
