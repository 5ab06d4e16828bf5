"""What systems wrote in, items to be rated blind out: which system it was stands in an item's origin alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import SERVICE
from paraloom.judgments.store import schema
from paraloom.judgments.store.one_at_a_time import one_at_a_time
from paraloom.judgments.tasks.rate import GENERATION_ASPECTS, SYSTEMS, RateTask, systems_named
from paraloom.tables import make_id


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenOutput:
    """One text for one source, and every system that wrote it."""

    source: str
    generated: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedOutputs:
    """What became of outputs that were given."""

    added: int
    there_already: int
    credited: int
    """Of these, items that did not name one of the systems before."""


def check_is_rated(campaign: Campaign) -> None:
    """An error where a campaign does not ask for ratings."""
    if campaign.task != RateTask.name:
        raise InputError(
            f"Outputs of generators are rated, but {campaign.campaign_id!r} is of the kind {campaign.task!r}. "
            "Make a campaign for them: `paraloom annotate create NAME --task rate`."
        )


def add_outputs(
    connection: Connection, campaign: Campaign, outputs: Sequence[WrittenOutput], *, now: datetime
) -> AddedOutputs:
    """Add outputs in the order they are given. A text that is there already is named as that of these systems, too."""
    check_is_rated(campaign)
    one_at_a_time(connection, campaign.campaign_id, "positions")  # before looking at what is there
    there, tests = _there(connection, campaign.campaign_id)
    _refuse_rewritten(campaign, there.values(), outputs)
    known = {(one.source, one.generated): item_id for item_id, one in there.items()}
    new = [one for one in outputs if (one.source, one.generated) not in known]
    added = add_items(connection, campaign, [_item(one, (one.source, one.generated) in tests) for one in new], now=now)
    credited = 0
    for one in outputs:
        item_id = known.get((one.source, one.generated))
        if item_id is not None and not set(one.systems) <= set(there[item_id].systems):
            _credit(connection, campaign.campaign_id, item_id, one.systems)
            credited += 1
    systems = sorted({system for one in outputs for system in one.systems})
    note_action(
        connection,
        who=SERVICE,
        what="items imported",
        about=campaign.campaign_id,
        now=now,
        detail={"added": added.added, "credited": credited, "outputs of": systems},
    )
    return AddedOutputs(added=added.added, there_already=len(outputs) - added.added, credited=credited)


def _there(connection: Connection, campaign_id: str) -> tuple[dict[str, WrittenOutput], set[tuple[str, str]]]:
    """The outputs that a campaign has, by item id; and the sources and texts of its test questions."""
    found: dict[str, WrittenOutput] = {}
    tests: set[tuple[str, str]] = set()
    table = schema.items.c
    asked = sa.select(table.item_id, table.content, table.origin, table.is_test).where(table.campaign_id == campaign_id)
    for row in connection.execute(asked.order_by(table.position)):
        content = row.content
        if tuple(content.get("aspects", ())) != GENERATION_ASPECTS:  # a phrase, or asked about otherwise
            continue
        if row.is_test:
            tests.add((content["source"], content["generated"]))
        else:
            found[row.item_id] = WrittenOutput(
                source=content["source"], generated=content["generated"], systems=systems_named(row.origin)
            )
    return found, tests


def _refuse_rewritten(campaign: Campaign, there: Iterable[WrittenOutput], outputs: Sequence[WrittenOutput]) -> None:
    """One system has one output a source: of two, nobody could tell later which one its mean is about."""
    before = {(one.source, system): one.generated for one in there for system in one.systems}
    for one in outputs:
        for system in one.systems:
            if before.get((one.source, system), one.generated) != one.generated:
                raise InputError(
                    f"The campaign {campaign.campaign_id!r} has another output of {system} for the source "
                    f"{one.source[:60]!r}. Give the system another name, or fill another campaign."
                )


def _item(one: WrittenOutput, is_test: bool) -> NewItem:
    """The id is that of the content, unless it is a test question's: what is answered to that is no rating."""
    return NewItem(
        content={"source": one.source, "generated": one.generated},
        item_id=make_id(RateTask.name, "output", one.source, one.generated) if is_test else None,
        origin={SYSTEMS: sorted(one.systems)},
    )


def _credit(connection: Connection, campaign_id: str, item_id: str, systems: Sequence[str]) -> None:
    """Name more systems in an item's origin; what it tells besides stays."""
    table = schema.items
    of_it = (table.c.campaign_id == campaign_id, table.c.item_id == item_id)
    origin = connection.execute(sa.select(table.c.origin).where(*of_it)).scalar_one()
    named = sorted({*systems_named(origin), *systems})
    connection.execute(table.update().where(*of_it).values(origin={**origin, SYSTEMS: named}))
