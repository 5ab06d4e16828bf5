"""An answer in, an acknowledgement out, in one transaction with all that follows from it.

Nothing that a person said is refused because it comes late: not after its lease ran out, not when the campaign ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import Clash, InputError, NotAllowed
from paraloom.judgments.assign import count_held, hand_back_all
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.client_ids import is_client_id
from paraloom.judgments.game import payment
from paraloom.judgments.items import Item, item_of
from paraloom.judgments.kappa import kappa_against_others
from paraloom.judgments.people import SERVICE, Person
from paraloom.judgments.set_aside import has_work_aside, set_aside_work
from paraloom.judgments.standing import Standing, judged_by_rules, keep_standing, money, standing_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_or_change, key_of_new
from paraloom.judgments.store.one_at_a_time import append_beside_others, one_at_a_time
from paraloom.judgments.tasks import read_expected, task_named
from paraloom.judgments.tasks.task import Vote
from paraloom.tables import make_id

KAPPA_EVERY = 10
"""Answers after which a person's kappa is measured anew."""

LONGEST_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswer:
    """What a person, or a program, sends."""

    item_id: str
    answer: Mapping[str, Any]
    client_id: str
    """Drawn by the client for this answer. Sent again with the same one, it is not a second answer."""
    instructions_version: int
    seconds: float | None = None
    reward: float | None = None
    """In the game: what the service found the submitted text to be worth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """A test question was answered wrongly."""

    expected: Mapping[str, Any]
    explanation: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledged:
    """The answer is stored."""

    judgment_id: str
    repeated: bool
    """It was stored before: this was the same answer sent again."""
    feedback: Feedback | None
    standing: Standing


def record_answer(
    connection: Connection, campaign: Campaign, person: Person, given: GivenAnswer, *, now: datetime
) -> Acknowledged:
    """Store an answer, once, and all that follows from it."""
    _check(given, campaign)
    one_at_a_time(connection, campaign.campaign_id, person.person_id)
    append_beside_others(connection)
    judgment_id = make_id("judgment", person.person_id, given.client_id)
    item = item_of(connection, campaign.campaign_id, given.item_id)
    task = task_named(campaign.task)
    content = task.read_content(item.content)
    answer = task.read_answer(given.answer, content)
    expected = None if item.expected is None else read_expected(task, item.expected, content)
    is_right = None if expected is None else task.is_right(answer, expected)
    mistake = Feedback(expected=item.expected or {}, explanation=item.explanation) if is_right is False else None
    place = _place(connection, item, person)
    values = {
        "judgment_id": judgment_id,
        "campaign_id": campaign.campaign_id,
        "item_id": item.item_id,
        "person_id": person.person_id,
        "answer": asdict(answer),
        "instructions_version": given.instructions_version,
        "seconds": given.seconds,
        "created_at": now,
        "is_test": item.is_test,
        "is_right": is_right,
        "client_id": given.client_id,
        "replaces": place.replaces,
        "purpose": place.purpose,
    }
    number = key_of_new(connection, schema.judgments, values)
    if number is None:
        is_first = _check_same(connection, judgment_id, values)
        standing = standing_of(connection, campaign, person.person_id, now)
        feedback = mistake if is_first else None
        return Acknowledged(judgment_id=judgment_id, repeated=True, feedback=feedback, standing=standing)
    votes = task.votes(item.item_id, content, answer)
    counts = not item.is_test and place.state != "set_aside"
    keep_votes(connection, item, person.person_id, number, votes, counts=counts)
    _answered(connection, campaign, person, item, place, now)
    standing = standing_of(connection, campaign, person.person_id, now)
    was_stopped = standing.state == "stopped"
    if place.replaces is None:  # a second answer to an item is neither paid nor tested again
        pay = _pay(campaign, standing, given)
        standing = _moved_on(connection, campaign, standing, is_right, pay, now)
    if was_stopped and has_work_aside(
        connection, campaign, person.person_id
    ):  # it was on its way when they were stopped
        reason = f"stopped: {standing.reason}"
        set_aside_work(
            connection, campaign, person.person_id, reason=reason, now=now, by=SERVICE, only_item=item.item_id
        )
    # Whoever could try one answer after another would learn which questions are tests.
    feedback = mistake if place.replaces is None else None
    return Acknowledged(judgment_id=judgment_id, repeated=False, feedback=feedback, standing=standing)


def check_handed(connection: Connection, item: Item, person: Person) -> None:
    """Raise unless this item was handed to this person, so that an answer of theirs would be taken."""
    _place(connection, item, person)


def _check(given: GivenAnswer, campaign: Campaign) -> None:
    if not is_client_id(given.client_id):
        raise InputError("`client_id` must be 8 to 100 plain characters, drawn anew for each answer.")
    if not 1 <= given.instructions_version <= campaign.version:
        raise InputError(f"`instructions_version` must be from 1 to {campaign.version}.")
    if given.seconds is not None and not 0 <= given.seconds <= LONGEST_SECONDS:
        raise InputError("`seconds` must be from 0 to those of a day.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """What this answer is to its item: the first of this person, a change of mind, a review."""

    purpose: str
    state: str
    """Of the assignment before: leased, expired, answered, set_aside; or `review`."""
    replaces: str | None
    reviewed: str | None
    """The judgment whose review this is."""


_REVIEW = (
    sa.select(schema.reviews.c.judgment_id)
    .where(
        schema.reviews.c.campaign_id == sa.bindparam("campaign"),
        schema.reviews.c.item_id == sa.bindparam("item"),
        schema.reviews.c.person_id == sa.bindparam("person"),
        schema.reviews.c.done_by.is_(None),
    )
    .order_by(schema.reviews.c.number)
    .limit(1)
)

_ASSIGNMENT = (
    sa.select(schema.assignments.c.state, schema.assignments.c.purpose)
    .where(
        schema.assignments.c.campaign_id == sa.bindparam("campaign"),
        schema.assignments.c.item_id == sa.bindparam("item"),
        schema.assignments.c.person_id == sa.bindparam("person"),
    )
    .with_for_update()  # its lease may run out, to somebody else, at this very moment
)

_LATEST = (
    sa.select(schema.judgments.c.judgment_id)
    .where(
        schema.judgments.c.campaign_id == sa.bindparam("campaign"),
        schema.judgments.c.item_id == sa.bindparam("item"),
        schema.judgments.c.person_id == sa.bindparam("person"),
    )
    .order_by(schema.judgments.c.number.desc())
    .limit(1)
)

_BEFORE = sa.select(_REVIEW.scalar_subquery().label("reviewed"), _LATEST.scalar_subquery().label("latest"))


def _place(connection: Connection, item: Item, person: Person) -> _Place:
    asked = {"campaign": item.campaign_id, "item": item.item_id, "person": person.person_id}
    row = connection.execute(_ASSIGNMENT, asked).one_or_none()
    reviewed, before = connection.execute(_BEFORE, asked).one()
    if reviewed is not None:
        state = "review" if row is None or row.state in ("barred", "expired") else row.state
        return _Place(purpose="review", state=state, replaces=before or reviewed, reviewed=reviewed)
    if row is None or row.state == "barred":
        raise NotAllowed("This item was not handed to you, so it cannot be answered by you.")
    return _Place(purpose=row.purpose, state=row.state, replaces=before, reviewed=None)


def _check_same(connection: Connection, judgment_id: str, values: Mapping[str, Any]) -> bool:
    """Raise unless what is stored under this id is the same answer; whether it was the person's first to its item."""
    table = schema.judgments.c
    stored = connection.execute(
        sa.select(table.item_id, table.campaign_id, table.answer, table.replaces).where(
            table.judgment_id == judgment_id
        )
    ).one()
    if (stored.campaign_id, stored.item_id, _plain(stored.answer)) != (
        values["campaign_id"],
        values["item_id"],
        _plain(values["answer"]),
    ):
        raise Clash("This client id was used for another answer already. Draw a new one for each answer.")
    return stored.replaces is None


def _plain(value: Any) -> Any:
    """Tuples and lists are the same in JSON."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def keep_votes(
    connection: Connection, item: Item, person_id: str, number: int, votes: Sequence[Vote], *, counts: bool
) -> None:
    """What the judgment of this number says; a person has one vote on each thing, their latest."""
    for vote in votes:
        values = {
            "campaign_id": item.campaign_id,
            "unit": vote.unit,
            "person_id": person_id,
            "value": vote.value,
            "number": number,
            "counts": counts,
        }
        insert_or_change(connection, schema.votes, values)


def _pay(campaign: Campaign, standing: Standing, given: GivenAnswer) -> int:
    pay = money(campaign.settings.pay)
    if campaign.task != "write":
        return pay
    cap = campaign.settings.most_earned
    return payment(given.reward or 0.0, pay=pay, earned=standing.earned, cap=None if cap is None else money(cap))


def _moved_on(
    connection: Connection, campaign: Campaign, before: Standing, is_right: bool | None, pay: int, now: datetime
) -> Standing:
    """Counts, pay and rules after a first answer to an item."""
    standing = replace(
        before,
        answered=before.answered + 1,
        tests=before.tests + (is_right is not None),
        tests_right=before.tests_right + bool(is_right),
        earned=before.earned + pay,
        last_at=now,
    )
    if standing.answered % KAPPA_EVERY == 0:
        found = kappa_against_others(connection, campaign, standing.person_id)
        standing = replace(standing, kappa=found.kappa, compared=found.compared)
    judged = judged_by_rules(standing, campaign.settings)
    keep_standing(connection, judged)
    if judged.state == "stopped" != before.state:
        stop_work(connection, campaign, judged, now=now)
    return judged


def stop_work(connection: Connection, campaign: Campaign, standing: Standing, *, now: datetime) -> None:
    """What follows when somebody is stopped: what they hold goes to others, and so does what they did if so set."""
    hand_back_all(connection, campaign.campaign_id, standing.person_id)
    if campaign.settings.set_aside_stopped:
        reason = f"stopped: {standing.reason}"
        set_aside_work(connection, campaign, standing.person_id, reason=reason, now=now, by=SERVICE)


def _answered(
    connection: Connection, campaign: Campaign, person: Person, item: Item, place: _Place, now: datetime
) -> None:
    values = {
        "campaign_id": item.campaign_id,
        "item_id": item.item_id,
        "person_id": person.person_id,
        "state": "answered",
        "purpose": place.purpose if place.purpose != "review" else "work",
        "leased_at": now,
        "expires_at": None,
    }
    if place.state not in ("answered", "set_aside"):
        insert_or_change(connection, schema.assignments, values)
        count_held(connection, item.campaign_id, item.item_id, 0 if place.state == "leased" else 1, 1)
    if place.reviewed is not None:
        _close_review(connection, campaign, person, item, place.reviewed, now)


def _close_review(
    connection: Connection, campaign: Campaign, person: Person, item: Item, reviewed: str, now: datetime
) -> None:
    said = schema.judgments
    asked = {"campaign": item.campaign_id, "item": item.item_id, "person": person.person_id}
    latest = connection.scalar(_LATEST, asked)
    connection.execute(schema.reviews.update().filter_by(judgment_id=reviewed).values(done_by=latest))
    author: str = connection.scalars(sa.select(said.c.person_id).filter_by(judgment_id=reviewed)).one()
    if author != person.person_id:
        set_aside_work(
            connection,
            campaign,
            author,
            reason="reviewed by somebody else",
            now=now,
            by=person.person_id,
            only_item=item.item_id,
        )
