"""A person in, the next item for them out, on a lease.

Nobody gets an item twice, or one they proposed; items with the fewest answers come first; what is handed out and not
answered goes back when its lease runs out. Test questions look like all others and stand at places nobody can foresee.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.items import Item, item_of
from paraloom.judgments.people import Person
from paraloom.judgments.standing import Standing, keep_standing, money, standing_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_or_change
from paraloom.judgments.store.one_at_a_time import one_at_a_time

DRAWN_FROM = 8
"""Which of the least used test questions comes is drawn from so many, so that nobody can tell others which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """An item on lease."""

    item: Item
    purpose: str
    """work, test, qualification or review; for the service's eyes alone."""
    expires_at: datetime
    answer_before: dict[str, object] | None = None
    """What this person, or the one whose work is reviewed, answered earlier."""
    why_review: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingNow:
    """There is nothing to hand out, and why."""

    why: str
    """done, waiting, not_open, paused, ended, stopped, cap, earned, budget."""
    detail: str | None = None


def hand_out(
    connection: Connection, campaign: Campaign, person: Person, *, now: datetime, holding: Collection[str] = ()
) -> Handed | NothingNow:
    """What this person does next. `holding` are items that their page has already, so that it can fetch ahead."""
    if (closed := campaign.why_closed(now)) is not None:
        return NothingNow(why=closed)
    one_at_a_time(connection, campaign.campaign_id, person.person_id)
    standing = standing_of(connection, campaign, person.person_id, now)
    if standing.state == "stopped":
        return NothingNow(why="stopped", detail=standing.reason)
    if (review := _review(connection, campaign, person, holding, now)) is not None:
        return review
    if (leased := _still_leased(connection, campaign, person, holding, now)) is not None:
        return leased
    if campaign.settings.budget is not None:
        one_at_a_time(connection, campaign.campaign_id, "budget")  # two at once would spend what is left twice
    if (limit := _limit(connection, campaign, standing, now)) is not None:
        return NothingNow(why=limit)
    hand_back_expired(connection, campaign, now)
    found = _new_item(connection, campaign, person, standing, now)
    if isinstance(found, NothingNow):
        return found
    item, purpose = found
    lease = timedelta(minutes=campaign.settings.lease_minutes)
    _lease(connection, item, person, purpose, now, now + lease)
    position = standing.position if item.is_test else item.position
    keep_standing(connection, replace(standing, served=standing.served + 1, position=position, last_at=now))
    return Handed(item=item, purpose=purpose, expires_at=now + lease)


def why_nothing_to_do(connection: Connection, campaign: Campaign, person: Person, *, now: datetime) -> str | None:
    """Why there is nothing for this person to do now, or None where there is; nothing is handed out, or changed.

    The reasons are those of `NothingNow` as this person sees them: `done` where no item is left for them to judge.
    """
    if (closed := campaign.why_closed(now)) is not None:
        return closed
    standing = standing_of(connection, campaign, person.person_id, now)
    if standing.state == "stopped":
        return "stopped"
    if _review(connection, campaign, person, (), now) or _still_leased(connection, campaign, person, (), now):
        return None
    if (limit := _limit(connection, campaign, standing, now)) is not None:
        return limit
    asked = {"campaign": campaign.campaign_id, "person": person.person_id, "moment": now}
    is_free, is_unfinished = connection.execute(_LEFT, asked).one()
    if not is_unfinished:
        return "done"
    has_test = standing.state != "qualifying" or connection.execute(_tests("", is_new=False), asked).first() is not None
    return None if is_free and has_test else "waiting"


def hand_back(connection: Connection, campaign: Campaign, person: Person, item_id: str) -> bool:
    """Give a leased item back unanswered; whether there was such a lease."""
    return bool(
        _release(
            connection,
            schema.assignments.c.campaign_id == campaign.campaign_id,
            schema.assignments.c.person_id == person.person_id,
            schema.assignments.c.item_id == item_id,
        )
    )


def hand_back_all(connection: Connection, campaign_id: str, person_id: str) -> int:
    """Whatever this person holds goes back; how many items that were."""
    table = schema.assignments.c
    return _release(connection, table.campaign_id == campaign_id, table.person_id == person_id)


def hand_back_expired(connection: Connection, campaign: Campaign, now: datetime) -> int:
    """Leases that ran out go back to the others; how many. A late answer is still taken."""
    rows = connection.execute(_EXPIRED, {"campaign": campaign.campaign_id, "moment": now}).all()
    if not rows:
        return 0
    table = schema.assignments.c
    return _release(connection, table.campaign_id == campaign.campaign_id, table.expires_at < now)


_EXPIRED = (
    sa.select(sa.literal(1))
    .where(
        schema.assignments.c.state == "leased",
        schema.assignments.c.expires_at < sa.bindparam("moment"),
        schema.assignments.c.campaign_id == sa.bindparam("campaign"),
    )
    .limit(1)
)


def _release(connection: Connection, *which: sa.ColumnElement[bool]) -> int:
    table = schema.assignments
    rows = connection.execute(
        table.update()
        .where(table.c.state == "leased", *which)
        .values(state="expired", expires_at=None)
        .returning(table.c.campaign_id, table.c.item_id)
    ).all()
    for row in sorted(rows):  # in one order, so that two transactions never wait for each other
        count_held(connection, row.campaign_id, row.item_id, -1)
    return len(rows)


_COUNT = (
    schema.items.update()
    .where(schema.items.c.campaign_id == sa.bindparam("campaign"), schema.items.c.item_id == sa.bindparam("item"))
    .values(
        held=schema.items.c.held + sa.bindparam("more_held"), judged=schema.items.c.judged + sa.bindparam("more_judged")
    )
)


def count_held(connection: Connection, campaign_id: str, item_id: str, held: int, judged: int = 0) -> None:
    """Add to the numbers of leases and answers of one item."""
    counted = {"campaign": campaign_id, "item": item_id, "more_held": held, "more_judged": judged}
    connection.execute(_COUNT, counted)


_LEASED = (
    sa.select(schema.assignments.c.item_id, schema.assignments.c.purpose, schema.assignments.c.expires_at)
    .where(
        schema.assignments.c.campaign_id == sa.bindparam("campaign"),
        schema.assignments.c.person_id == sa.bindparam("person"),
        schema.assignments.c.state == "leased",
        schema.assignments.c.expires_at >= sa.bindparam("moment"),
    )
    .order_by(schema.assignments.c.leased_at, schema.assignments.c.item_id)
)


def _still_leased(
    connection: Connection, campaign: Campaign, person: Person, holding: Collection[str], now: datetime
) -> Handed | None:
    """The oldest item that this person has on lease: a page that is loaded again shows the same item."""
    asked = {"campaign": campaign.campaign_id, "person": person.person_id, "moment": now}
    rows = connection.execute(_LEASED, asked).all()
    row = next((one for one in rows if one.item_id not in holding), None)
    if row is None:
        return None
    item = item_of(connection, campaign.campaign_id, row.item_id)
    return Handed(item=item, purpose=row.purpose, expires_at=row.expires_at)


def _limit(connection: Connection, campaign: Campaign, standing: Standing, now: datetime) -> str | None:
    settings = campaign.settings
    if settings.cap is not None:
        leased = _running(connection, campaign, now, standing.person_id)
        if standing.answered + leased >= settings.cap:
            return "cap"
    if settings.most_earned is not None and standing.earned >= money(settings.most_earned):
        return "earned"
    if settings.budget is not None:
        table = schema.standings.c
        earned = sa.select(sa.func.sum(table.earned)).where(table.campaign_id == campaign.campaign_id)
        running = _leases(
            campaign, now
        )  # both in one question: an answer that comes meanwhile moves from one to the other
        spent, under_way = connection.execute(sa.select(earned.scalar_subquery(), running.scalar_subquery())).one()
        if int(spent or 0) + money(settings.pay) * (under_way + 1) > money(settings.budget):
            return "budget"
    return None


def _running(connection: Connection, campaign: Campaign, now: datetime, person_id: str) -> int:
    """How many leases of one person run."""
    return connection.scalar(_leases(campaign, now).where(schema.assignments.c.person_id == person_id)) or 0


def _leases(campaign: Campaign, now: datetime) -> sa.Select[int]:
    table = schema.assignments.c
    return (
        sa.select(sa.func.count())
        .select_from(schema.assignments)
        .where(table.campaign_id == campaign.campaign_id, table.state == "leased", table.expires_at >= now)
    )


def _new_item(
    connection: Connection, campaign: Campaign, person: Person, standing: Standing, now: datetime
) -> tuple[Item, str] | NothingNow:
    settings = campaign.settings
    if standing.state == "qualifying":
        asked = _running(connection, campaign, now, person.person_id)
        is_enough = asked > 0 and standing.tests + asked >= settings.qualification  # the next answer decides
        test = None if is_enough else _unseen_test(connection, campaign, person, standing.served)
        return (test, "qualification") if test is not None else NothingNow(why="waiting", detail="qualification")
    if is_test_due(settings.seed, person.person_id, standing.served, settings.tests_every):
        test = _unseen_test(connection, campaign, person, standing.served)
        if test is not None:
            return test, "test"
    work = _unseen_work(connection, campaign, person, standing.position)
    if work is not None:
        return work, "work"
    return NothingNow(why="done" if _is_complete(connection, campaign) else "waiting")


def is_test_due(seed: int, person_id: str, served: int, every: int) -> bool:
    """Whether the next question is a test: one in `every`, at a place that differs from block to block and by person.

    >>> [sum(is_test_due(1, "ann", served, 5) for served in range(start, start + 5)) for start in (0, 5, 10)]
    [1, 1, 1]
    """
    if every < 1:
        return False
    block, place = divmod(served, every)
    return random.Random(f"{seed}:{person_id}:{block}").randrange(every) == place


def _unseen_test(connection: Connection, campaign: Campaign, person: Person, served: int) -> Item | None:
    """One of the test questions used least, of those that this person has not seen."""
    asked = {"campaign": campaign.campaign_id, "person": person.person_id}
    rows = connection.execute(_tests(connection.dialect.name, is_new=True), asked).all()
    # One that was handed back comes after all others: at once again, it would show what it is.
    rows = rows or connection.execute(_tests(connection.dialect.name, is_new=False), asked).all()
    if not rows:
        return None
    least = [row for row in rows if row.held == rows[0].held]
    return Item(**random.Random(f"{campaign.settings.seed}:{person.person_id}:{served}").choice(least)._mapping)


def _unseen_work(connection: Connection, campaign: Campaign, person: Person, position: int) -> Item | None:
    """The next of the least covered items that this person has nothing to do with yet.

    The search begins behind the last one they got and goes round: otherwise two people who did one half of a large
    campaign each would pass over their own half again for every item of the other's.
    """
    asked = {"campaign": campaign.campaign_id, "person": person.person_id, "position": position}
    for held in range(campaign.settings.judgments_per_item):
        for is_behind in (True, False):
            row = connection.execute(_work(connection.dialect.name, is_behind), {**asked, "level": held}).first()
            if row is not None:
                return Item(**row._mapping)
    return None


def _unseen() -> sa.ColumnElement[bool]:
    """What is to be reviewed is not work besides; what went back unanswered may come again."""
    return sa.and_(~_held(schema.assignments.c.state != "expired"), ~_to_review())


def _to_review() -> sa.ColumnElement[bool]:
    items, reviews = schema.items, schema.reviews
    return (
        sa.select(sa.literal(1))
        .where(
            reviews.c.campaign_id == items.c.campaign_id,
            reviews.c.item_id == items.c.item_id,
            reviews.c.person_id == sa.bindparam("person"),
            reviews.c.done_by.is_(None),
        )
        .exists()
    )


def _held(*which: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    items, held = schema.items, schema.assignments
    return (
        sa.select(sa.literal(1))
        .where(
            held.c.campaign_id == items.c.campaign_id,
            held.c.item_id == items.c.item_id,
            held.c.person_id == sa.bindparam("person"),
            *which,
        )
        .exists()
    )


def _left() -> sa.Select[bool, bool]:
    """Whether there is work that this person has nothing to do with yet: that nobody else holds, and any at all."""
    items, held = schema.items.c, schema.assignments
    run_out = sa.and_(held.c.state == "leased", held.c.expires_at < sa.bindparam("moment"))
    expired = (
        sa.select(held.c.item_id, sa.func.count().label("leases"))
        .where(held.c.campaign_id == sa.bindparam("campaign"), run_out)
        .group_by(held.c.item_id)
        .subquery()
    )
    unfinished = (
        sa.select(sa.literal(1))
        .select_from(schema.items.outerjoin(expired, expired.c.item_id == items.item_id))
        .where(
            items.campaign_id == sa.bindparam("campaign"),
            items.is_test.is_(False),
            items.is_closed.is_(False),
            items.judged < items.wanted,
            ~_held(held.c.state != "expired", ~run_out),
            ~_to_review(),
        )
    )
    free = unfinished.where(items.held - sa.func.coalesce(expired.c.leases, 0) < items.wanted)
    return sa.select(free.exists(), unfinished.exists())


_LEFT = _left()


@cache
def _tests(dialect: str, *, is_new: bool) -> sa.Executable:
    items = schema.items.c
    open_ones = (items.campaign_id == sa.bindparam("campaign"), items.is_test.is_(True), items.is_closed.is_(False))
    unseen = ~_held() if is_new else _unseen()
    asked = sa.select(schema.items).where(*open_ones, unseen).order_by(items.held, items.position).limit(DRAWN_FROM)
    return _unlocked(asked, dialect)


@cache
def _work(dialect: str, is_behind: bool) -> sa.Executable:
    items = schema.items.c
    position: sa.BindParameter[int] = sa.bindparam("position")
    asked = (
        sa.select(schema.items)
        .where(
            items.campaign_id == sa.bindparam("campaign"),
            items.is_test.is_(False),
            items.is_closed.is_(False),
            items.held == sa.bindparam("level"),
            items.held < items.wanted,
            items.position > position if is_behind else items.position <= position,
            _unseen(),
        )
        .order_by(items.position)
        .limit(1)
    )
    return _unlocked(asked, dialect)


def _unlocked(asked: sa.Select[tuple[object, ...]], dialect: str) -> sa.Executable:
    """Whoever asks at the same moment gets another item, and does not wait for this one."""
    return asked.with_for_update(skip_locked=True) if dialect == "postgresql" else asked


def _is_complete(connection: Connection, campaign: Campaign) -> bool:
    items = schema.items
    unfinished = sa.select(sa.literal(1)).where(
        items.c.campaign_id == campaign.campaign_id,
        items.c.is_test.is_(False),
        items.c.is_closed.is_(False),
        items.c.judged < items.c.wanted,
    )
    return connection.execute(unfinished.limit(1)).first() is None


def _lease(
    connection: Connection, item: Item, person: Person, purpose: str, now: datetime, expires_at: datetime
) -> None:
    values = {
        "campaign_id": item.campaign_id,
        "item_id": item.item_id,
        "person_id": person.person_id,
        "state": "leased",
        "purpose": purpose,
        "leased_at": now,
        "expires_at": expires_at,
    }
    insert_or_change(connection, schema.assignments, values)
    count_held(connection, item.campaign_id, item.item_id, +1)


def _review(
    connection: Connection, campaign: Campaign, person: Person, holding: Collection[str], now: datetime
) -> Handed | None:
    """Early work that this person is asked to look at again."""
    asked = {"campaign": campaign.campaign_id, "person": person.person_id}
    row = next((one for one in connection.execute(_REVIEWS, asked) if one.item_id not in holding), None)
    if row is None:
        return None
    return Handed(
        item=item_of(connection, campaign.campaign_id, row.item_id),
        purpose="review",
        expires_at=now + timedelta(days=1),
        answer_before=row.answer,
        why_review=row.reason,
    )


_REVIEWS = (
    sa.select(schema.reviews.c.item_id, schema.reviews.c.reason, schema.judgments.c.answer)
    .join(schema.judgments, schema.judgments.c.judgment_id == schema.reviews.c.judgment_id)
    .where(
        schema.reviews.c.campaign_id == sa.bindparam("campaign"),
        schema.reviews.c.person_id == sa.bindparam("person"),
        schema.reviews.c.done_by.is_(None),
    )
    .order_by(schema.reviews.c.number)
    .limit(25)
)
"""More than any page holds at once."""
