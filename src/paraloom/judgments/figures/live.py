"""A campaign in, all that its dashboard shows out. What is dear to measure is measured once for each new judgment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.figures.forecast import Forecast, forecast
from paraloom.judgments.figures.measured import Measured, measure
from paraloom.judgments.figures.questions import QuestionFigures, question_figures
from paraloom.judgments.people import COLUMNS, Person
from paraloom.judgments.progress import Progress, progress_of
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.standing import Standing, standing_of
from paraloom.judgments.store import schema
from paraloom.metrics.significance import Interval
from paraloom.tables import make_id

AT_LEISURE = 20
"""Figures that took long stay for so many times as long: watching a large campaign takes a twentieth of one core."""
LONG = 0.25
"""Seconds; what is quicker than that is always measured anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorRow:
    """One person in one campaign."""

    person: Person
    standing: Standing
    counted: int
    """Answers that count; test questions never do."""
    set_aside: int
    """Answers that were set aside."""
    tests_unseen: int
    """Test questions that are left for this person."""
    kappa: float | None
    """Against the majority of the others, of all votes that count."""
    kappa_is_past: bool = False
    """No vote of theirs counts any more: kappa is the one that the rules last went by."""
    interval: Interval | None
    compared: int
    agreement: float | None
    median_seconds: float | None
    mean_seconds: float | None
    per_hour: float | None

    def is_below(self, limit: float) -> bool:
        """Whether kappa is known and below."""
        return self.kappa is not None and self.kappa < limit


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignFigures:
    """What an admin watches."""

    campaign: Campaign
    progress: Progress
    measured: Measured
    measured_at: datetime
    is_behind: bool
    """Something was answered since it was measured, of a campaign that takes long to measure."""
    annotators: tuple[AnnotatorRow, ...]
    """Who answered last comes first."""
    questions: tuple[QuestionFigures, ...]
    """The test questions, those most often answered wrongly first."""
    forecast: Forecast
    seen: str
    """Another one as soon as anything was answered, marked, changed or measured anew."""

    @property
    def tests_right(self) -> float | None:
        """Share of all answers to test questions that were right."""
        asked = sum(row.standing.tests for row in self.annotators)
        return sum(row.standing.tests_right for row in self.annotators) / asked if asked else None

    @property
    def at_work(self) -> int:
        """People who may go on."""
        return sum(row.standing.state != "stopped" and row.person.is_active for row in self.annotators)


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """What the measured figures depend on."""

    last_judgment: int
    last_mark: int
    progress: Progress
    settings: CampaignSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """What was measured, of which state, when, and how long it took."""

    state: _State
    measured: Measured
    moment: datetime
    ended: float
    took: float


@dataclass(slots=True)
class MeasuredBefore:
    """The latest figures of each campaign, of one running service; any thread may ask."""

    clock: Callable[[], float] = time.monotonic
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def figures(self, connection: Connection, campaign: Campaign, now: datetime) -> CampaignFigures:
        """The dashboard of one campaign."""
        progress = progress_of(connection, campaign.campaign_id)
        state = _State(
            last_judgment=_last(connection, schema.judgments, campaign_id=campaign.campaign_id),
            last_mark=_last(connection, schema.marks),
            progress=progress,
            settings=campaign.settings,
        )
        return _figures(connection, campaign, self._measured(connection, campaign, state, now), state, now)

    def _measured(self, connection: Connection, campaign: Campaign, state: _State, now: datetime) -> _Kept:
        with self._lock:
            kept = self._kept.get(campaign.campaign_id)
        if kept is not None and self._is_fresh(kept, state):
            return kept
        begun = self.clock()
        measured = measure(connection, campaign)
        ended = self.clock()
        new = _Kept(state=state, measured=measured, moment=now, ended=ended, took=ended - begun)
        with self._lock:
            self._kept[campaign.campaign_id] = new
        return new

    def _is_fresh(self, kept: _Kept, state: _State) -> bool:
        if kept.state == state:
            return True
        only_more = kept.state.last_mark == state.last_mark and kept.state.settings == state.settings
        return only_more and kept.took > LONG and self.clock() - kept.ended < kept.took * AT_LEISURE


def _last(connection: Connection, table: sa.Table, **which: str) -> int:
    return connection.scalar(sa.select(sa.func.coalesce(sa.func.max(table.c.number), 0)).filter_by(**which)) or 0


def _figures(connection: Connection, campaign: Campaign, kept: _Kept, state: _State, now: datetime) -> CampaignFigures:
    measured = kept.measured
    standings = _standings(connection, campaign, measured)
    annotators = _annotators(connection, campaign, measured, standings, state.progress.tests)
    questions = tuple(question_figures(connection, campaign.campaign_id))
    coming = forecast(
        state.progress,
        measured.days,
        campaign.settings,
        remaining=_remaining(connection, campaign.campaign_id),
        earned=sum(standing.earned for _, standing in standings),
        started_at=min((standing.started_at for _, standing in standings), default=None),
        now=now,
    )
    seen = (
        state.last_judgment,
        state.last_mark,
        campaign,
        tuple(standing for _, standing in standings),
        len(questions),
        kept.moment,
    )
    return CampaignFigures(
        campaign=campaign,
        progress=state.progress,
        measured=measured,
        measured_at=kept.moment,
        is_behind=kept.state != state,
        annotators=annotators,
        questions=questions,
        forecast=coming,
        seen=make_id("figures", repr(seen)),
    )


def _standings(connection: Connection, campaign: Campaign, measured: Measured) -> list[tuple[Person, Standing]]:
    """Everybody who was handed an item or answered one; answers that were imported came without being handed out."""
    standings, people = schema.standings, schema.people
    rows = connection.execute(sa.select(standings).filter_by(campaign_id=campaign.campaign_id))
    found = {row.person_id: Standing(**row._mapping) for row in rows}
    for person_id in sorted(set(measured.paces) - set(found)):
        new = standing_of(connection, campaign, person_id, campaign.created_at)
        found[person_id] = replace(new, answered=measured.paces[person_id].answers)
    named = connection.execute(sa.select(*COLUMNS).where(people.c.person_id.in_(found)))
    both = [(Person(**row._mapping), found[row.person_id]) for row in named]
    return sorted(both, key=lambda one: (one[1].last_at, one[0].person_id), reverse=True)


def _annotators(
    connection: Connection, campaign: Campaign, measured: Measured, standings: list[tuple[Person, Standing]], tests: int
) -> tuple[AnnotatorRow, ...]:
    counted = _answers(connection, campaign.campaign_id)
    agreement = {} if measured.agreement is None else {one.name: one for one in measured.agreement.people}
    found = []
    for person, standing in standings:
        its, pace = agreement.get(person.person_id), measured.pace_of(person.person_id)
        found.append(
            AnnotatorRow(
                person=person,
                standing=standing,
                counted=counted.get((person.person_id, "answered"), 0),
                set_aside=counted.get((person.person_id, "set_aside"), 0),
                tests_unseen=max(0, tests - standing.tests),
                kappa=standing.kappa if its is None else its.kappa,
                kappa_is_past=its is None and standing.kappa is not None,
                interval=None if its is None else its.interval,
                compared=standing.compared if its is None else its.compared,
                agreement=None if its is None else its.agreement,
                median_seconds=pace.median_seconds,
                mean_seconds=pace.mean_seconds,
                per_hour=pace.per_hour,
            )
        )
    return tuple(found)


def _answers(connection: Connection, campaign_id: str) -> dict[tuple[str, str], int]:
    held, items = schema.assignments, schema.items
    rows = connection.execute(
        sa.select(held.c.person_id, held.c.state, sa.func.count())
        .join(items, sa.and_(items.c.campaign_id == held.c.campaign_id, items.c.item_id == held.c.item_id))
        .where(
            held.c.campaign_id == campaign_id,
            held.c.state.in_(("answered", "set_aside")),
            items.c.is_test.is_(False),
        )
        .group_by(held.c.person_id, held.c.state)
    )
    return {(person_id, state): count for person_id, state, count in rows}


def _remaining(connection: Connection, campaign_id: str) -> int:
    items = schema.items.c
    missing = sa.select(sa.func.coalesce(sa.func.sum(items.wanted - items.judged), 0)).where(
        items.campaign_id == campaign_id,
        items.is_test.is_(False),
        items.is_closed.is_(False),
        items.judged < items.wanted,
    )
    return int(connection.scalar(missing) or 0)
