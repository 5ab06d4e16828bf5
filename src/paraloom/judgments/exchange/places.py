"""What an import brought to a person's place at an item in, the place as it then is out: does their work count?

Work counts unless it was set aside. The file says so as of its moment; what was marked here later holds against it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.assign import count_held
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.exchange.remark_rows import GivenMark
from paraloom.judgments.exchange.remarks_kept import marks_on
from paraloom.judgments.kappa import kappa_against_others
from paraloom.judgments.standing import keep_standing, standing_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_or_change
from paraloom.judgments.store.one_at_a_time import one_at_a_time

ANSWERED, SET_ASIDE = "answered", "set_aside"

_items, _held, _said, _votes = schema.items, schema.assignments, schema.judgments, schema.votes

_PLACE = (
    sa.select(_held.c.state, _items.c.is_test)
    .select_from(_items)
    .outerjoin(
        _held,
        sa.and_(
            _held.c.campaign_id == _items.c.campaign_id,
            _held.c.item_id == _items.c.item_id,
            _held.c.person_id == sa.bindparam("person"),
        ),
    )
    .where(_items.c.campaign_id == sa.bindparam("campaign"), _items.c.item_id == sa.bindparam("item"))
)

_COUNT_VOTES = (
    _votes.update()
    .where(
        _votes.c.number.in_(
            sa.select(_said.c.number).where(
                _said.c.campaign_id == sa.bindparam("campaign"),
                _said.c.item_id == sa.bindparam("item"),
                _said.c.person_id == sa.bindparam("person"),
            )
        )
    )
    .values(counts=sa.bindparam("counting"))
)


@dataclass(slots=True)
class Place:
    """What a file tells of one person's work on one item."""

    is_set_aside: bool = False
    has_new_judgment: bool = False
    new_marks: list[GivenMark] = field(default_factory=list)
    told_marks: dict[str, Sequence[GivenMark]] = field(default_factory=dict)
    """Every mark that the file tells, by judgment."""

    @property
    def is_changed(self) -> bool:
        """Whether the file brought anything that was not here."""
        return self.has_new_judgment or bool(self.new_marks)


class Places:
    """Everybody's place at every item that a file tells of, by item and person."""

    def __init__(self, connection: Connection, campaign: Campaign, now: datetime) -> None:
        self._connection = connection
        self._campaign = campaign
        self._now = now
        self.told: defaultdict[tuple[str, str], Place] = defaultdict(Place)

    def settle(self) -> None:
        """Bring places, votes and counts in line with what was brought; whatever it did not touch stays."""
        changed = {key: place for key, place in self.told.items() if place.is_changed}
        people = list(dict.fromkeys(person_id for _, person_id in changed))
        for person_id in people:
            one_at_a_time(self._connection, self._campaign.campaign_id, person_id)
        for (item_id, person_id), place in changed.items():
            self._settle(item_id, person_id, place)
        for person_id in people:
            self._count_anew(person_id)

    def _settle(self, item_id: str, person_id: str, place: Place) -> None:
        where = {"campaign_id": self._campaign.campaign_id, "item_id": item_id, "person_id": person_id}
        asked = {"campaign": self._campaign.campaign_id, "item": item_id, "person": person_id}
        before, is_test = self._connection.execute(_PLACE, asked).one()
        after = SET_ASIDE if place.is_set_aside else ANSWERED
        if before in (ANSWERED, SET_ASIDE) and before != after and self._is_marked_here_later(where, place):
            after = before
        if before != after:
            values = {**where, "state": after, "purpose": "test" if is_test else "work", "leased_at": self._now}
            insert_or_change(self._connection, schema.assignments, {**values, "expires_at": None})
            counts = int(after == ANSWERED)
            held, judged = before in (ANSWERED, "leased"), before == ANSWERED
            count_held(self._connection, self._campaign.campaign_id, item_id, counts - held, counts - judged)
        self._connection.execute(_COUNT_VOTES, {**asked, "counting": after == ANSWERED and not is_test})

    def _is_marked_here_later(self, where: Mapping[str, str], place: Place) -> bool:
        """Whether the last word on this work was spoken here, and not where the file comes from."""
        stored = marks_on(self._connection, *(schema.judgments.c[name] == value for name, value in where.items()))
        told = [(judgment_id, mark) for judgment_id, marks in place.told_marks.items() for mark in marks]
        here = [mark.created_at for _, mark in Counter(stored) - Counter(told)]
        if not here or not place.new_marks:
            return bool(here)
        return max(here) > max(mark.created_at for mark in place.new_marks)

    def _count_anew(self, person_id: str) -> None:
        """What a person did here; no rule is applied to work that was done elsewhere."""
        table = schema.judgments
        at_first = table.c.replaces.is_(None)
        said = sa.select(
            sa.func.count(sa.distinct(table.c.item_id)).label("answered"),
            sa.func.count(sa.distinct(table.c.item_id)).filter(table.c.is_test).label("tests"),
            sa.func.count(sa.distinct(table.c.item_id)).filter(table.c.is_right, at_first).label("right"),
        ).filter_by(campaign_id=self._campaign.campaign_id, person_id=person_id)
        row = self._connection.execute(said).one()
        kappa = kappa_against_others(self._connection, self._campaign, person_id)
        standing = standing_of(self._connection, self._campaign, person_id, self._now)
        keep_standing(
            self._connection,
            replace(
                standing,
                answered=row.answered,
                tests=row.tests,
                tests_right=row.right,
                kappa=kappa.kappa,
                compared=kappa.compared,
                last_at=self._now,
            ),
        )
