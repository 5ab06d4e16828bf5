"""Contents and right answers in, test questions out; and what may happen to one that turns out to be doubtful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import Clash, NotAllowed
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.items import Item, NewItem, add_items, item_of
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import read_expected, task_named
from paraloom.judgments.tasks.reading import checked_text

MOST_EXPLANATION = 5000


def add_question(
    connection: Connection,
    campaign: Campaign,
    *,
    content: Mapping[str, Any],
    expected: Mapping[str, Any],
    explanation: str,
    now: datetime,
    by: str,
) -> None:
    """A new test question."""
    checked_text(explanation, "explanation", most=MOST_EXPLANATION, empty=True)
    new = NewItem(content=content, expected=expected, explanation=explanation.strip() or None, proposed_by=by)
    if not add_items(connection, campaign, [new], now=now).added:
        raise Clash(
            "The campaign has this item already. Look for it among the items, and make it a test question there."
        )
    note_action(connection, who=by, what="test question added", about=campaign.campaign_id, now=now)


def change_question(
    connection: Connection,
    campaign: Campaign,
    item_id: str,
    *,
    expected: Mapping[str, Any],
    explanation: str,
    now: datetime,
    by: str,
) -> None:
    """Another right answer or explanation from now on, or an item that nobody has seen made a test question.

    What was answered before stays right or wrong as it was told.
    """
    item = item_of(connection, campaign.campaign_id, item_id)
    if not item.is_test and _was_seen(connection, item):
        raise NotAllowed("Somebody has seen this item as work already, so it cannot become a test question.")
    checked_text(explanation, "explanation", most=MOST_EXPLANATION, empty=True)
    task = task_named(campaign.task)
    right = asdict(read_expected(task, expected, task.read_content(item.content)))
    values = {"is_test": True, "expected": right, "explanation": explanation.strip() or None}
    connection.execute(
        schema.items.update().filter_by(campaign_id=campaign.campaign_id, item_id=item_id).values(**values)
    )
    what = "test question changed" if item.is_test else "test question added"
    note_action(connection, who=by, what=what, about=campaign.campaign_id, now=now, detail={"item": item_id})


def retire_question(
    connection: Connection, campaign: Campaign, item_id: str, *, retired: bool, now: datetime, by: str
) -> None:
    """A test question is not asked any more, or is asked again."""
    if not item_of(connection, campaign.campaign_id, item_id).is_test:
        raise NotAllowed("This item is no test question.")
    connection.execute(
        schema.items.update().filter_by(campaign_id=campaign.campaign_id, item_id=item_id).values(is_closed=retired)
    )
    what = "test question retired" if retired else "test question asked again"
    note_action(connection, who=by, what=what, about=campaign.campaign_id, now=now, detail={"item": item_id})


def can_become_question(connection: Connection, item: Item) -> bool:
    """Whether an item is work that nobody has seen yet."""
    return not item.is_test and not _was_seen(connection, item)


def _was_seen(connection: Connection, item: Item) -> bool:
    handed = sa.select(sa.literal(1)).where(
        schema.assignments.c.campaign_id == item.campaign_id,
        schema.assignments.c.item_id == item.item_id,
        schema.assignments.c.state != "barred",
    )
    return connection.execute(handed.limit(1)).first() is not None
