"""An expert's answer in, a decision out; and what was said about an item before it was decided.

A decision keeps what it was made of: the judgments, the reason, the version of the instructions. It is never changed;
whoever thinks better of it makes another one, and the latest holds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import Clash, InputError, NotAllowed, NotFound
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.client_ids import is_client_id
from paraloom.judgments.conflicts import Decision, Judged, decision_of, judged_item, same_substance
from paraloom.judgments.items import item_of
from paraloom.judgments.people import Person
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import key_of_new
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.reading import checked_text
from paraloom.tables import make_id

MOST_REASON = 5_000
MOST_NOTE = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenDecision:
    """What an expert sends: an answer of their own, or whose they accept."""

    item_id: str
    seen: Collection[str]
    """Ids of the judgments that were before their eyes."""
    after: int | None
    """Number of the decision that held when they began; None where there was none."""
    answer: Mapping[str, Any] | None = None
    accepted: str | None = None
    """Id of the judgment whose answer is taken over."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something said about an item. Never changed."""

    number: int
    person_id: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """The note is stored."""

    number: int
    repeated: bool
    """It was stored before: this was the same note sent again."""


def may_decide(connection: Connection, campaign: Campaign, person: Person) -> bool:
    """Admins decide everywhere; experts where a campaign is not for members alone, or they are members."""
    if person.role == "admin":
        return True
    if person.role != "expert":
        return False
    return not campaign.settings.members_only or _is_member(connection, campaign.campaign_id, person.person_id)


def _is_member(connection: Connection, campaign_id: str, person_id: str) -> bool:
    asked = sa.select(sa.literal(1)).select_from(schema.members)
    return connection.execute(asked.filter_by(campaign_id=campaign_id, person_id=person_id)).first() is not None


def decide(
    connection: Connection, campaign: Campaign, person: Person, given: GivenDecision, *, now: datetime
) -> Decision:
    """Store a decision; refused if an answer or another decision came in that its author had not seen."""
    if not may_decide(connection, campaign, person):
        raise NotAllowed("Only experts and admins decide, in the campaigns that are open to them.")
    _lock(connection, campaign.campaign_id, given.item_id)
    judged = _decidable(connection, campaign, given.item_id)
    answer = _checked_answer(connection, campaign, judged, given)
    latest = judged.decision
    if latest is not None and latest.number != given.after:
        if _is_repeated(latest, person, answer, given):
            return latest
        raise Clash("Somebody decided this meanwhile. Load the page again to see it.")
    if unseen := [one for one in judged.said if one.judgment_id not in given.seen]:
        raise Clash(f"{len(unseen)} new answer(s) came in meanwhile. Load the page again to see them.")
    table = schema.decisions
    number = connection.execute(
        table.insert()
        .values(
            campaign_id=campaign.campaign_id,
            item_id=given.item_id,
            answer=answer,
            decided_by=person.person_id,
            reason=checked_text(given.reason.strip(), "reason", most=MOST_REASON, empty=True),
            judgment_ids=[one.judgment_id for one in judged.said],
            instructions_version=campaign.version,
            created_at=now,
        )
        .returning(table.c.number)
    ).scalar_one()
    about = f"{campaign.campaign_id}/{given.item_id}"
    note_action(connection, who=person.person_id, what="decided", about=about, now=now, detail={"number": number})
    return decision_of(connection.execute(sa.select(table).filter_by(number=number)).one())


def _lock(connection: Connection, campaign_id: str, item_id: str) -> None:
    """Two experts, or an expert and an answer, one after the other. SQLite has one writer anyway."""
    items = schema.items
    connection.execute(sa.select(items.c.item_id).filter_by(campaign_id=campaign_id, item_id=item_id).with_for_update())


def _decidable(connection: Connection, campaign: Campaign, item_id: str) -> Judged:
    item = item_of(connection, campaign.campaign_id, item_id)
    if item.is_test:
        raise NotAllowed("A test question has its right answer already.")
    judged = judged_item(connection, campaign.campaign_id, item_id)
    if judged is None or (not judged.is_complete and judged.decision is None):
        raise NotAllowed("This item is still being judged. Decide once all its judgments are in.")
    return judged


def _checked_answer(connection: Connection, campaign: Campaign, judged: Judged, given: GivenDecision) -> dict[str, Any]:
    if (given.answer is None) == (given.accepted is None):
        raise InputError("A decision is either an answer or the id of a judgment to accept.")
    raw = given.answer
    if given.accepted is not None:
        found = next((one for one in judged.said if one.judgment_id == given.accepted), None)
        if found is None:
            raise Clash("The answer to accept does not count any more. Load the page again.")
        raw = found.answer
    task = task_named(campaign.task)
    content = task.read_content(item_of(connection, campaign.campaign_id, given.item_id).content)
    answer = asdict(task.read_answer(raw or {}, content))
    return answer | {"unsure": False} if "unsure" in answer else answer  # what is decided is settled


def _is_repeated(latest: Decision, person: Person, answer: Mapping[str, Any], given: GivenDecision) -> bool:
    """The same decision sent again, because its acknowledgement was lost."""
    return (
        latest.decided_by == person.person_id
        and (given.after is None or latest.number > given.after)
        and latest.reason == given.reason.strip()
        and same_substance(latest.answer, answer, aside=())
    )


def blind_order(judged: Judged) -> Judged:
    """The same item with its judgments in an order that tells neither who nor when."""
    said = sorted(judged.said, key=lambda one: make_id("blind", judged.item_id, one.person_id))
    return Judged(
        item_id=judged.item_id,
        position=judged.position,
        is_complete=judged.is_complete,
        said=tuple(said),
        decision=judged.decision,
    )


def may_discuss(connection: Connection, campaign: Campaign, person: Person, item_id: str) -> bool:
    """Whoever judged an item, once all its judgments are in, and whoever decides: before, each judges alone."""
    judged = judged_item(connection, campaign.campaign_id, item_id)
    if judged is None:
        return False
    if may_decide(connection, campaign, person):
        return True
    is_over = judged.is_complete or judged.decision is not None
    return campaign.settings.adjudicate and is_over and any(one.person_id == person.person_id for one in judged.said)


def write_note(
    connection: Connection,
    campaign: Campaign,
    person: Person,
    item_id: str,
    text: str,
    *,
    client_id: str,
    now: datetime,
) -> Noted:
    """Say something about an item, once for each client id."""
    if not is_client_id(client_id):
        raise InputError("`client_id` must be 8 to 100 plain characters, drawn anew for each note.")
    values = {
        "campaign_id": campaign.campaign_id,
        "item_id": item_id,
        "person_id": person.person_id,
        "text": checked_text(text.strip(), "note", most=MOST_NOTE),
        "created_at": now,
        "client_id": client_id,
    }
    if (before := _noted_before(connection, values)) is not None:  # whether or not it may still be talked about
        return before
    if not may_discuss(connection, campaign, person, item_id):
        raise NotFound(f"There is no item {item_id!r} for you to talk about.")
    number = key_of_new(connection, schema.notes, values)
    if number is None:  # the same note, sent at the same moment
        before = _noted_before(connection, values)
        assert before is not None
        return before
    return Noted(number=number, repeated=False)


def _noted_before(connection: Connection, values: Mapping[str, Any]) -> Noted | None:
    """The note that this person has sent under this id already; an error where that was another one."""
    table = schema.notes
    stored = connection.execute(
        sa.select(table).filter_by(person_id=values["person_id"], client_id=values["client_id"])
    ).one_or_none()
    if stored is None:
        return None
    if any(stored._mapping[name] != values[name] for name in ("campaign_id", "item_id", "text")):
        raise Clash("This client id was used for another note already. Draw a new one for each note.")
    return Noted(number=stored.number, repeated=True)


def notes_on(connection: Connection, campaign_id: str, item_id: str) -> list[Note]:
    """What was said about an item, in its order."""
    table = schema.notes.c
    rows = connection.execute(
        sa.select(table.number, table.person_id, table.text, table.created_at)
        .where(table.campaign_id == campaign_id, table.item_id == item_id)
        .order_by(table.number)
    )
    return [Note(**row._mapping) for row in rows]


def note_counts(connection: Connection, campaign_id: str) -> dict[str, int]:
    """How many notes each item has."""
    table = schema.notes.c
    rows = connection.execute(
        sa.select(table.item_id, sa.func.count().label("notes"))
        .where(table.campaign_id == campaign_id)
        .group_by(table.item_id)
    )
    return {row.item_id: row.notes for row in rows}
