"""Votes in, agreement out: of the whole, of each person, of each day, of each part of a label; and what is disputed.

The figures are those of `paraloom evaluate agreement` on the same votes: the same functions measure both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.figures.said import SaidJudgments, SaidVotes, read_said
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named
from paraloom.metrics.agreement.coefficient import Coefficient
from paraloom.metrics.agreement.cohen import pair_kappas
from paraloom.metrics.agreement.figures import AgreementFigures, measure_agreement
from paraloom.metrics.agreement.items import most_disputed
from paraloom.metrics.agreement.krippendorff import krippendorff_alpha
from paraloom.metrics.agreement.levels import Level
from paraloom.metrics.agreement.majority import majority
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.raw import raw_agreement
from paraloom.metrics.identification.graded import collapse

MOST_DISPUTED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class DayFigures:
    """One day, in UTC."""

    day: date
    judgments: int
    """First answers of people to items; test questions are counted apart."""
    tests: int
    people: int
    completed: int
    """Items that got the last judgment they wanted on this day."""
    alpha: float | None
    """Of the items completed on this day, as are the two below."""
    agreement: float | None
    kappa: float | None
    """Mean of every two people, by the items they share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFigures:
    """Agreement on a part of the answers: the label without its flags, one of several aspects."""

    name: str
    ratings: int
    alpha: float | None
    agreement: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelShare:
    """How often one answer was given."""

    value: str
    votes: int
    share: float
    majorities: int
    """Units of which it is the most frequent answer, alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """A unit on which people are divided."""

    item_id: str
    unit: str
    counts: Mapping[str, int]
    agreement: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast one person works, by the seconds that their page counted while it could be seen."""

    answers: int
    """First answers, test questions too."""
    median_seconds: float | None
    mean_seconds: float | None

    @property
    def per_hour(self) -> float | None:
        """Answers an hour at that speed."""
        return 3600 / self.mean_seconds if self.mean_seconds else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All that takes a look at every vote."""

    agreement: AgreementFigures | None
    """None where nothing was voted on."""
    days: tuple[DayFigures, ...]
    """The oldest first; days without an answer are left out."""
    parts: tuple[PartFigures, ...]
    labels: tuple[LabelShare, ...]
    disputed: tuple[Disputed, ...]
    pace: Pace
    """Of everybody together."""
    paces: Mapping[str, Pace]

    def pace_of(self, person_id: str) -> Pace:
        """Of one person; of somebody who answered nothing, nothing is known."""
        return self.paces.get(person_id, Pace(answers=0, median_seconds=None, mean_seconds=None))

    def coefficient(self, name: str) -> Coefficient:
        """One of the coefficients, by its name in `evaluate agreement`."""
        found = () if self.agreement is None else self.agreement.coefficients
        return next((one for one in found if one.name == name), Coefficient(name=name, value=None))


def measure(connection: Connection, campaign: Campaign) -> Measured:
    """Read and measure a campaign."""
    votes, judgments = read_said(connection, campaign.campaign_id)
    level: Level = "nominal" if task_named(campaign.task).scale == "nominal" else "ordinal"
    ratings = Ratings.of(votes.unit, votes.person, votes.value, level=level)
    agreement = None
    if len(ratings.answer):
        agreement = measure_agreement(ratings, min_kappa=campaign.settings.republish_below)
    item_of = dict(zip(votes.unit, votes.item, strict=True))
    return Measured(
        agreement=agreement,
        days=_days(ratings, votes, judgments, _complete(connection, campaign.campaign_id)),
        parts=tuple(_parts(campaign.task, votes, level)),
        labels=_labels(ratings),
        disputed=tuple(
            Disputed(item_id=item_of[one.item], unit=one.item, counts=one.counts, agreement=one.agreement)
            for one in most_disputed(ratings, MOST_DISPUTED)
        ),
        pace=_pace(judgments.seconds),
        paces=_paces(judgments),
    )


def _complete(connection: Connection, campaign_id: str) -> frozenset[str]:
    items = schema.items.c
    return frozenset(
        connection.scalars(
            sa.select(items.item_id).where(
                items.campaign_id == campaign_id, items.is_test.is_(False), items.judged >= items.wanted
            )
        )
    )


def _labels(ratings: Ratings) -> tuple[LabelShare, ...]:
    totals = ratings.counts().totals()
    most = np.bincount(_led(ratings), minlength=len(totals))
    every = max(1, int(totals.sum()))
    return tuple(
        LabelShare(value=value, votes=int(votes), share=float(votes / every), majorities=int(lead))
        for value, votes, lead in zip(ratings.scale.answers, totals, most, strict=True)
    )


def _led(ratings: Ratings) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    said = majority(ratings.counts())
    return np.asarray(said[said >= 0])


def _days(
    ratings: Ratings, votes: SaidVotes, judgments: SaidJudgments, complete: frozenset[str]
) -> tuple[DayFigures, ...]:
    place = {unit: number for number, unit in enumerate(ratings.items)}
    last = np.full(len(ratings.items), -1, dtype=np.int64)
    item_at: dict[int, str] = {}
    if len(place):
        codes = np.array([place[unit] for unit in votes.unit], dtype=np.int64)
        np.maximum.at(last, codes, votes.day)
        item_at = dict(zip(codes.tolist(), votes.item, strict=True))
        last[[code for code, item in item_at.items() if item not in complete]] = -1
    people = np.array(judgments.person, dtype=object)
    found = []
    for day in np.unique(judgments.day):
        today = judgments.day == day
        alpha, agreement, kappa = _agreement(_of_units(ratings, last == day))
        found.append(
            DayFigures(
                day=date.fromordinal(date(1970, 1, 1).toordinal() + int(day)),
                judgments=int((today & ~judgments.is_test).sum()),
                tests=int((today & judgments.is_test).sum()),
                people=len(set(people[today])),
                completed=len({item_at[code] for code in np.flatnonzero(last == day).tolist()}),
                alpha=alpha,
                agreement=agreement,
                kappa=kappa,
            )
        )
    return tuple(found)


def _of_units(ratings: Ratings, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Ratings:
    rows = kept[ratings.item]
    return replace(
        ratings, item=ratings.item[rows], annotator=ratings.annotator[rows], answer=ratings.answer[rows]
    ).narrowed()


def _agreement(ratings: Ratings) -> tuple[float | None, float | None, float | None]:
    counts = ratings.counts()
    return krippendorff_alpha(counts).value, raw_agreement(counts).value, pair_kappas(ratings).mean_by_items()


Column = Sequence[str]


def _of_grades(votes: SaidVotes) -> Iterator[tuple[str, Column, Column, Column]]:
    """Kanerva et al. (2023, section 6.1) look at the whole label, at base and direction, and at the base alone."""
    schemes = {"Whole label": "full", "Base and direction": "base-and-direction", "Base alone": "base"}
    for name, scheme in schemes.items():
        short = {label: collapse(label, scheme) for label in set(votes.value)}
        yield name, votes.unit, votes.person, [short[label] for label in votes.value]


def _of_aspects(votes: SaidVotes) -> Iterator[tuple[str, Column, Column, Column]]:
    aspects = [unit.rpartition(":")[2] for unit in votes.unit]
    for aspect in dict.fromkeys(aspects):
        rows = [row for row, its in enumerate(aspects) if its == aspect]
        yield (
            aspect.capitalize(),
            [votes.unit[row] for row in rows],
            [votes.person[row] for row in rows],
            [votes.value[row] for row in rows],
        )


PARTS: dict[str, Callable[[SaidVotes], Iterator[tuple[str, Column, Column, Column]]]] = {
    "grade": _of_grades,
    "rate": _of_aspects,
}
"""Kinds of task whose answers have parts to be looked at one by one."""


def _parts(task: str, votes: SaidVotes, level: Level) -> Iterator[PartFigures]:
    if task not in PARTS or not len(votes.unit):
        return
    for name, units, people, values in PARTS[task](votes):
        alpha, agreement, kappa = _agreement(Ratings.of(units, people, values, level=level))
        yield PartFigures(name=name, ratings=len(values), alpha=alpha, agreement=agreement, kappa=kappa)


def _paces(judgments: SaidJudgments) -> dict[str, Pace]:
    names, whose = np.unique(np.array(judgments.person, dtype=str), return_inverse=True)
    order = np.argsort(whose, kind="stable")
    edges = np.searchsorted(whose[order], np.arange(len(names) + 1))
    return {
        str(name): _pace(judgments.seconds[order[edges[place] : edges[place + 1]]]) for place, name in enumerate(names)
    }


def _pace(seconds: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Pace:
    told = seconds[~np.isnan(seconds)]
    return Pace(
        answers=len(seconds),
        median_seconds=float(np.median(told)) if len(told) else None,
        mean_seconds=float(told.mean()) if len(told) else None,
    )
