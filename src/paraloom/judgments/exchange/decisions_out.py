"""An open connection in, the decisions that hold out, each in the form of a judgment: labels are made of both.

A decision about an item counts in place of everybody's answers to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.exchange.snapshot import AT_ONCE, Said, decisions_about, every_judgment, notes_about
from paraloom.judgments.store import schema
from paraloom.tables import make_id

DECIDED = "decided"
"""The purpose of a decision, among those for which judgments are made."""


def every_decision(connection: Connection, campaign_id: str | None) -> Iterator[Said]:
    """Of every item that was decided the decision that holds, as a judgment of whoever decided; the oldest first."""
    table, items = schema.decisions, schema.items
    latest = sa.select(sa.func.max(table.c.number)).group_by(table.c.campaign_id, table.c.item_id)
    order = (table.c.created_at, table.c.campaign_id, table.c.item_id)  # the same in a store that imported them
    asked = sa.select(table.c.number).where(table.c.number.in_(latest)).order_by(*order)
    if campaign_id is not None:
        asked = asked.where(table.c.campaign_id == campaign_id)
    told = ("explanation", "group_id", "proposed_by", "origin", "content")
    of_item = sa.and_(items.c.campaign_id == table.c.campaign_id, items.c.item_id == table.c.item_id)
    for numbers in connection.scalars(asked.execution_options(yield_per=AT_ONCE)).partitions():
        rows = connection.execute(
            sa.select(table, schema.campaigns.c.task, schema.people.c.name, *(items.c[name] for name in told))
            .join(items, of_item)
            .join(schema.campaigns, schema.campaigns.c.campaign_id == table.c.campaign_id)
            .join(schema.people, schema.people.c.person_id == table.c.decided_by)
            .where(table.c.number.in_(numbers))
            .order_by(*order)
        ).all()
        yield from _as_judgments(connection, rows)


def _as_judgments(connection: Connection, rows: Sequence[sa.Row[Any]]) -> Iterator[Said]:
    """Rows of decisions, each with all that was decided and said about its item."""
    about = {(row.campaign_id, row.item_id) for row in rows}
    decisions, notes = decisions_about(connection, about), notes_about(connection, about)
    for row in rows:
        values = dict(row._mapping)
        person_id, reason, _ = values.pop("decided_by"), values.pop("reason"), values.pop("judgment_ids")
        yield Said(
            **values,
            judgment_id=decision_id(row.campaign_id, row.item_id, row.created_at, reason, row.answer),
            person_id=person_id,
            seconds=None,
            is_test=False,
            is_right=None,
            client_id=None,
            replaces=None,
            purpose=DECIDED,
            expected=None,
            not_counted_for=None,
            marks=(),
            decisions=decisions.get((row.campaign_id, row.item_id), []),
            notes=notes.get((row.campaign_id, row.item_id), []),
            is_decision=True,
        )


def decision_id(campaign_id: str, item_id: str, at: datetime, reason: str, answer: Mapping[str, Any]) -> str:
    """The id of a decision among judgments, made of what it is known again by, so that another store gives the same."""
    said = orjson.dumps(answer, option=orjson.OPT_SORT_KEYS).decode()
    return make_id("decision", campaign_id, item_id, at.astimezone(UTC).isoformat(), reason, said)


def everything_said(connection: Connection, campaign_id: str | None) -> Iterator[Said]:
    """All judgments in the order they were given in, then the decisions that hold."""
    yield from every_judgment(connection, campaign_id)
    yield from every_decision(connection, campaign_id)
