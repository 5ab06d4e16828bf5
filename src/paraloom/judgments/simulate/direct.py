"""Profiles and a campaign in, its judgments out, without HTTP and without a clock on the wall: for many repetitions.

The same functions decide as behind the service: who gets what, what counts, who is stopped. Only the way there is
shorter, and time passes by one second an answer.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from paraloom.judgments.answers import GivenAnswer, record_answer
from paraloom.judgments.assign import Handed, NothingNow, hand_out
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.people import SERVICE, Person, add_person
from paraloom.judgments.simulate.profiles import Profile, Truth
from paraloom.judgments.simulate.work import OVER
from paraloom.judgments.store.database import Database

TURNS = 200
"""Turns in one transaction: what is not acknowledged to anybody need not be durable at once."""


@dataclass(slots=True)
class WorkedDirectly:
    """What came of it."""

    profiles: Mapping[str, Profile]
    """By person id."""
    answers: int = 0
    ended_for: Counter[str] = field(default_factory=Counter)
    """Why people ended, by kind and reason: `adversary: stopped`."""


def work_directly(
    database: Database, campaign_id: str, profiles: Sequence[Profile], truth: Truth, *, seed: int, now: datetime
) -> WorkedDirectly:
    """Everybody takes turns in an order that is drawn, quick people more often, until nobody is given anything."""

    def begin(connection: Connection) -> tuple[Campaign, list[Person]]:
        people = [
            add_person(connection, name=f"sim-{number:03d}", hashed=None, role="annotator", now=now, by=SERVICE)
            for number in range(len(profiles))
        ]
        return campaign_of(connection, campaign_id), people

    campaign, people = database.write(begin)
    turns = _Turns(campaign, people, list(profiles), truth, random.Random(f"direct:{seed}"), now)
    while database.write(turns.some):
        pass
    return turns.worked


class _Turns:
    def __init__(
        self,
        campaign: Campaign,
        people: Sequence[Person],
        profiles: Sequence[Profile],
        truth: Truth,
        dice: random.Random,
        now: datetime,
    ) -> None:
        self._campaign, self._truth, self._dice, self._now = campaign, truth, dice, now
        self._people = {person.person_id: person for person in people}
        of = {person.person_id: profile for person, profile in zip(people, profiles, strict=True)}
        self.worked = WorkedDirectly(of)
        self._active = list(of)
        self._hold: dict[str, Handed] = {}
        self._waiting: set[str] = set()

    def some(self, connection: Connection) -> bool:
        """Some turns; whether there is more to do."""
        for _ in range(TURNS):
            if len(self._waiting) == len(self._active):
                for who in self._active:
                    self.worked.ended_for[f"{self.worked.profiles[who].name}: waiting"] += 1
                return False
            weights = [1 / max(self.worked.profiles[who].pace, 0.01) for who in self._active]
            self._turn(connection, self._dice.choices(self._active, weights)[0])
        return True

    def _turn(self, connection: Connection, who: str) -> None:
        self._now += timedelta(seconds=1)
        person, profile, dice = self._people[who], self.worked.profiles[who], self._dice
        held = self._hold.pop(who, None)
        if held is not None:
            content = held.item.content
            given = GivenAnswer(
                item_id=held.item.item_id,
                answer=profile.answers(self._truth.task, content, self._truth.of(held.item.item_id, content), dice),
                client_id=f"{dice.getrandbits(128):032x}",
                instructions_version=self._campaign.version,
                seconds=profile.thinks(1.0, dice),
            )
            record_answer(connection, self._campaign, person, given, now=self._now)
            self.worked.answers += 1
            self._waiting.clear()  # an answer may have set somebody's work aside
        up = hand_out(connection, self._campaign, person, now=self._now)
        if isinstance(up, Handed):
            self._hold[who] = up
            self._waiting.discard(who)
        else:
            self._nothing(who, up)

    def _nothing(self, who: str, up: NothingNow) -> None:
        if up.why not in OVER:
            self._waiting.add(who)
            return
        self.worked.ended_for[f"{self.worked.profiles[who].name}: {up.why}"] += 1
        self._active.remove(who)
        self._waiting.discard(who)
