"""A choice of early judgments in, requests to look at them again out; and whether that was worth it.

Kanerva et al. (2023, section 5.4): when guidelines have changed, the labels they changed for are looked at again, the
earliest first, until nothing systematic is found any more. They inspected 5.7% of their examples and corrected 30% of
those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError, NotFound
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.conflicts import REMARKS, counted_numbers, same_substance
from paraloom.judgments.differences import short_label
from paraloom.judgments.people import person_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new
from paraloom.judgments.tasks.reading import checked_text

MOST_REASON = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewChoice:
    """Which judgments are looked at again: those that fit all that is said here, the earliest first."""

    label: str | None = None
    """The vote itself, such as `4>s`."""
    label_holds: str | None = None
    """A part of the vote, such as the flag `s`; large and small letters differ."""
    until: datetime | None = None
    """Given before this moment."""
    version_below: int | None = None
    """Given under instructions before this version."""
    person_id: str | None = None
    """Of this person alone."""
    reviewer_id: str | None = None
    """Who looks at them; None for whoever gave them."""
    limit: int | None = None
    """At most so many, the earliest."""

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise InputError(f"`limit` is {self.limit}, but must be at least 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a choice comes to."""

    fitting: int
    """Judgments that count, were not yet sent to review, and fit."""
    left_out: int
    """Of those, how many nobody could look at: their author cannot work any more, or the reviewer judged the item."""
    judgments: tuple[tuple[str, str, str], ...]
    """Judgment, item and person to look at it, up to the limit."""
    first_at: datetime | None
    last_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """What came of reviews of one kind: of a label, or of a month."""

    name: str
    inspected: int
    changed: int

    @property
    def share(self) -> float | None:
        """Of those inspected, the share that was changed."""
        return self.changed / self.inspected if self.inspected else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewProgress:
    """How far the review is, and whether it still finds something."""

    judgments: int
    """That count, in the whole campaign."""
    waiting: int
    total: Corrected
    by_label: tuple[Corrected, ...]
    """By the label that the early answer had; the most inspected first."""
    by_month: tuple[Corrected, ...]
    """By the month of the early answer, the earliest first."""

    @property
    def share_inspected(self) -> float | None:
        """Of all judgments."""
        return self.total.inspected / self.judgments if self.judgments else None


def choose_for_review(connection: Connection, campaign: Campaign, choice: ReviewChoice) -> Chosen:
    """What the choice comes to; nothing is stored."""
    said = schema.judgments.c
    counted = counted_numbers(campaign.campaign_id)
    asked = (
        sa.select(said.judgment_id, said.item_id, said.person_id, said.created_at)
        .join(counted, counted.c.number == said.number)
        .where(said.campaign_id == campaign.campaign_id, *_fitting(choice))
        .order_by(said.created_at, said.number)
    )
    rows = connection.execute(asked).all()
    able = _able(connection, campaign.campaign_id, choice, rows)
    taken = able[: choice.limit]
    return Chosen(
        fitting=len(rows),
        left_out=len(rows) - len(able),
        judgments=tuple((row.judgment_id, row.item_id, choice.reviewer_id or row.person_id) for row in taken),
        first_at=taken[0].created_at if taken else None,
        last_at=taken[-1].created_at if taken else None,
    )


def open_reviews(
    connection: Connection, campaign: Campaign, choice: ReviewChoice, *, reason: str, now: datetime, by: str
) -> int:
    """Ask for these judgments to be looked at again; how many. They are handed out before all other work."""
    told = checked_text(reason.strip(), "reason", most=MOST_REASON)
    opened = 0
    for judgment_id, item_id, person_id in choose_for_review(connection, campaign, choice).judgments:
        values = {
            "campaign_id": campaign.campaign_id,
            "item_id": item_id,
            "person_id": person_id,
            "judgment_id": judgment_id,
            "reason": told,
            "created_at": now,
        }
        opened += insert_new(connection, schema.reviews, values)
    note_action(
        connection, who=by, what="reviews opened", about=campaign.campaign_id, now=now, detail={"count": opened}
    )
    return opened


def withdraw_reviews(connection: Connection, campaign: Campaign, *, now: datetime, by: str) -> int:
    """Whatever nobody has looked at yet need not be looked at; how many reviews that were."""
    table = schema.reviews
    gone = connection.execute(
        table.delete().where(table.c.campaign_id == campaign.campaign_id, table.c.done_by.is_(None))
    ).rowcount
    note_action(
        connection, who=by, what="reviews withdrawn", about=campaign.campaign_id, now=now, detail={"count": gone}
    )
    return gone


def review_progress(connection: Connection, campaign: Campaign) -> ReviewProgress:
    """What was inspected and what was changed, by label and by month."""
    reviews = schema.reviews
    early, late = schema.judgments.alias("early"), schema.judgments.alias("late")
    rows = connection.execute(
        sa.select(early.c.created_at, early.c.answer, late.c.answer.label("answer_now"))
        .select_from(reviews)
        .join(early, early.c.judgment_id == reviews.c.judgment_id)
        .join(late, late.c.judgment_id == reviews.c.done_by)
        .where(reviews.c.campaign_id == campaign.campaign_id)
    )
    inspected: Counter[tuple[str, str]] = Counter()
    changed: Counter[tuple[str, str]] = Counter()
    for row in rows:
        names = [("total", ""), ("label", short_label(row.answer)), ("month", f"{row.created_at:%Y-%m}")]
        inspected.update(names)
        if is_changed(row.answer, row.answer_now):
            changed.update(names)
    found: dict[str, list[Corrected]] = {"label": [], "month": []}
    for kind, name in sorted(inspected):
        one = Corrected(name=name, inspected=inspected[kind, name], changed=changed[kind, name])
        found.setdefault(kind, []).append(one)
    counted = counted_numbers(campaign.campaign_id)
    return ReviewProgress(
        judgments=connection.scalar(sa.select(sa.func.count()).select_from(counted)) or 0,
        waiting=connection.scalar(
            sa.select(sa.func.count())
            .select_from(reviews)
            .where(reviews.c.campaign_id == campaign.campaign_id, reviews.c.done_by.is_(None))
        )
        or 0,
        total=found.get("total", [Corrected(name="", inspected=0, changed=0)])[0],
        by_label=tuple(sorted(found["label"], key=lambda one: (-one.inspected, one.name))),
        by_month=tuple(found["month"]),
    )


def is_changed(early: Mapping[str, Any], late: Mapping[str, Any]) -> bool:
    """Whether a review corrected something; remarks about the answer are none.

    >>> is_changed({"label": "4s", "note": None}, {"label": "4", "note": "see guidelines"})
    True
    """
    return not same_substance(early, late, aside=REMARKS)


def _fitting(choice: ReviewChoice) -> list[sa.ColumnElement[bool]]:
    said, votes, reviews = schema.judgments.c, schema.votes.c, schema.reviews.c
    waiting = sa.and_(
        reviews.campaign_id == said.campaign_id,
        reviews.item_id == said.item_id,
        reviews.person_id == said.person_id,
        reviews.done_by.is_(None),  # of an answer that was changed since: once is enough
    )
    which = [~sa.exists().where(sa.or_(reviews.judgment_id == said.judgment_id, waiting))]
    if choice.until is not None:
        which.append(said.created_at < choice.until)
    if choice.version_below is not None:
        which.append(said.instructions_version < choice.version_below)
    if choice.person_id is not None:
        which.append(said.person_id == choice.person_id)
    wanted = []
    if choice.label is not None:
        wanted.append(votes.value == choice.label)
    if choice.label_holds:
        wanted.append(sa.func.replace(votes.value, choice.label_holds, "") != votes.value)  # LIKE ignores case in one
    if wanted:
        which.append(sa.exists().where(votes.campaign_id == said.campaign_id, votes.number == said.number, *wanted))
    return which


def _able(connection: Connection, campaign_id: str, choice: ReviewChoice, rows: Iterable[Any]) -> list[Any]:
    """Judgments that somebody can look at."""
    if choice.reviewer_id is None:
        gone = _gone(connection, campaign_id)
        return [row for row in rows if row.person_id not in gone]
    reviewer = choice.reviewer_id
    if not person_of(connection, reviewer).is_active or reviewer in _gone(connection, campaign_id):
        raise NotFound("The reviewer cannot work in this campaign any more. Choose somebody else.")
    held, reviews = schema.assignments.c, schema.reviews.c
    touched = set(
        connection.scalars(
            sa.select(held.item_id).where(
                held.campaign_id == campaign_id, held.person_id == reviewer, held.state != "expired"
            )
        )
    ) | set(
        connection.scalars(
            sa.select(reviews.item_id).where(reviews.campaign_id == campaign_id, reviews.person_id == reviewer)
        )
    )
    able = []
    for row in rows:  # a reviewer has one voice on an item: not one of their own besides, and not two
        if row.person_id == reviewer or row.item_id not in touched:
            able.append(row)
            touched.add(row.item_id)
    return able


def _gone(connection: Connection, campaign_id: str) -> set[str]:
    """People to whom nothing is handed out any more."""
    people, standings = schema.people.c, schema.standings.c
    left = sa.select(people.person_id).where(sa.or_(people.erased_at.is_not(None), people.blocked_at.is_not(None)))
    stopped = sa.select(standings.person_id).where(standings.campaign_id == campaign_id, standings.state == "stopped")
    return {*connection.scalars(left), *connection.scalars(stopped)}
