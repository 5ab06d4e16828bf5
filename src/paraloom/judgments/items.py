"""Contents in, items of a campaign out: checked, numbered in their order, never twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError, NotFound
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.names import key_of_name
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new
from paraloom.judgments.store.one_at_a_time import one_at_a_time
from paraloom.judgments.tasks import read_expected, task_named
from paraloom.tables import make_id


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """Something to judge, before it is one of a campaign's items."""

    content: Mapping[str, Any]
    item_id: str | None = None
    """The id of the pair, group or document pair; else the content's hash."""
    expected: Mapping[str, Any] | None = None
    """The right answer: this is a test question."""
    explanation: str | None = None
    """Shown to whoever gets the test question wrong."""
    group_id: str | None = None
    round: int = 1
    proposed_by: str | None = None
    """Who found or wrote it, a person or a program."""
    not_for: tuple[str, ...] = ()
    """Ids of people who may not judge it, besides those who proposed it: they judged it before."""
    for_proposers: bool = False
    """Whoever proposed it may judge it all the same."""
    origin: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: ids of sentences and documents, what it was made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something to judge."""

    campaign_id: str
    item_id: str
    position: int
    content: Mapping[str, Any]
    is_test: bool
    expected: Mapping[str, Any] | None
    explanation: str | None
    is_closed: bool
    wanted: int
    held: int
    judged: int
    group_id: str | None
    round: int
    proposed_by: str | None
    origin: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What became of items that were given."""

    added: int
    tests: int
    """How many of those are test questions."""
    there_already: int


def add_items(connection: Connection, campaign: Campaign, new: Iterable[NewItem], *, now: datetime) -> Added:
    """Add items; one whose id is there already is left as it is and counted."""
    task = task_named(campaign.task)
    one_at_a_time(connection, campaign.campaign_id, "positions")  # no two items have the same one
    position: int = connection.scalars(
        sa.select(sa.func.coalesce(sa.func.max(schema.items.c.position), 0)).filter_by(campaign_id=campaign.campaign_id)
    ).one()
    added = tests = repeated = 0
    proposers: dict[str, tuple[str, ...]] = {}
    for number, item in enumerate(new, start=1):
        try:
            content = task.read_content(with_topics(campaign, item).content)
            expected = None if item.expected is None else asdict(read_expected(task, item.expected, content))
        except InputError as error:
            raise InputError(f"Item {number}: {error}") from None
        item_id = item.item_id or make_id(campaign.task, *_flat(asdict(content)))
        values = {
            "campaign_id": campaign.campaign_id,
            "item_id": item_id,
            "position": position + number,
            "content": asdict(content),
            "is_test": expected is not None,
            "expected": expected,
            "explanation": item.explanation,
            "is_closed": False,
            "wanted": campaign.settings.judgments_per_item,
            "held": 0,
            "judged": 0,
            "group_id": item.group_id,
            "round": item.round,
            "proposed_by": item.proposed_by,
            "origin": dict(item.origin),
            "created_at": now,
        }
        if not insert_new(connection, schema.items, values):
            repeated += 1
            continue
        added += 1
        tests += expected is not None
        if item.proposed_by is not None and not item.for_proposers and item.proposed_by not in proposers:
            proposers[item.proposed_by] = proposers_of(connection, item.proposed_by)
        own = () if item.for_proposers else proposers.get(item.proposed_by or "", ())
        for person_id in {*item.not_for, *own}:
            bar(connection, campaign.campaign_id, item_id, person_id, now)
    return Added(added=added, tests=tests, there_already=repeated)


def with_topics(campaign: Campaign, item: NewItem) -> NewItem:
    """A group to name the topic of keeps the categories it was asked under, whatever the campaign's become later."""
    if campaign.task != "topic" or not campaign.settings.topics or item.content.get("topics"):
        return item
    return replace(item, content={**item.content, "topics": list(campaign.settings.topics)})


def proposers_of(connection: Connection, proposed_by: str) -> tuple[str, ...]:
    """Ids of the people behind a name: their own id or name, or the judgment or try by which they made a pair."""
    people, said, tries = schema.people.c, schema.judgments.c, schema.checks.c
    _, _, made = proposed_by.partition(":")  # as exports name them: rewrite:JUDGMENT, extract:PERSON (who decided) …
    asked = sa.union(
        sa.select(people.person_id).where(
            sa.or_(people.person_id.in_((proposed_by, made)), people.name_key == key_of_name(proposed_by))
        ),
        sa.select(said.person_id).where(said.judgment_id == made),
        sa.select(tries.person_id).where(tries.check_id == made),
    )
    return tuple(sorted(connection.scalars(asked)))


def bar(connection: Connection, campaign_id: str, item_id: str, person_id: str, now: datetime) -> None:
    """This person may never judge this item."""
    values = {
        "campaign_id": campaign_id,
        "item_id": item_id,
        "person_id": person_id,
        "state": "barred",
        "purpose": "proposed",
        "leased_at": now,
        "expires_at": None,
    }
    insert_new(connection, schema.assignments, values)


_ITEM = sa.select(schema.items).where(
    schema.items.c.campaign_id == sa.bindparam("campaign_id"), schema.items.c.item_id == sa.bindparam("item_id")
)


def item_of(connection: Connection, campaign_id: str, item_id: str) -> Item:
    """One item."""
    row = connection.execute(_ITEM, {"campaign_id": campaign_id, "item_id": item_id}).one_or_none()
    if row is None:
        raise NotFound(f"The campaign {campaign_id!r} has no item {item_id!r}.")
    return Item(**row._mapping)


def _flat(value: Any) -> Iterable[object]:
    if isinstance(value, Mapping):
        for name in sorted(value):
            yield name
            yield from _flat(value[name])
    elif isinstance(value, (list, tuple)):
        yield len(value)
        for one in value:
            yield from _flat(one)
    else:
        yield value
