"""Outputs with what people said of them in, summaries of each aspect out: mean, spread, distribution, agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.agreement.coefficient import Coefficient, coefficient_intervals
from paraloom.metrics.agreement.counts import AnswerCounts
from paraloom.metrics.agreement.krippendorff import alpha_of_times, krippendorff_alpha
from paraloom.metrics.agreement.scale import Scale
from paraloom.metrics.measured import Measured, signature
from paraloom.metrics.significance import RESAMPLES, SEED, Interval, bootstrap_interval

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

OVERALL = "overall"
"""The sum of an output's aspects, as in Dou et al. (2022), appendix F."""

LIKERT = (1.0, 2.0, 3.0, 4.0, 5.0)
MOST_POINTS = 12
"""Ratings with more distinct values are shown in ten bins."""

ONE_POINT = 0.9
"""Where more than this share of the ratings is the same point, alpha is low however well people agree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """The ratings of one aspect: one row each, with the item it is about; what nobody rated is not held."""

    item: Integers
    value: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedOutputs:
    """What systems wrote and people rated. One item is one output for one source, by one system."""

    sources: Sequence[str]
    outputs: Sequence[str]
    systems: Sequence[str]
    """Of each item; the same everywhere where there is one."""
    references: Sequence[Sequence[str]]
    """Of each item; empty where its source has none."""
    ratings: Mapping[str, Ratings]
    """By aspect."""
    notes: Sequence[str] = field(default=())
    """What was seen while reading them."""

    def __post_init__(self) -> None:
        lengths = {len(self.sources), len(self.outputs), len(self.systems), len(self.references)}
        if len(lengths) > 1:
            raise InputError("Sources, outputs, systems and references must be as many as there are items.")
        if not self.sources or not self.ratings:
            raise InputError("There is no rated output. Give at least one, with at least one aspect.")

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def system_names(self) -> tuple[str, ...]:
        """Systems in the order they are met."""
        return tuple(dict.fromkeys(self.systems))

    def means(self, aspect: str) -> Floats:
        """Of each item the mean of its ratings; NaN where it has none. Of `overall`, the sum over all aspects."""
        if aspect == OVERALL:
            return np.asarray(np.sum([self.means(name) for name in self.ratings], axis=0))
        ratings = self.ratings[aspect]
        counts = np.bincount(ratings.item, minlength=len(self))
        sums = np.bincount(ratings.item, ratings.value, len(self))
        return np.asarray(np.divide(sums, counts, out=np.full(len(self), np.nan), where=counts > 0))

    @property
    def scored(self) -> tuple[str, ...]:
        """The aspects, and `overall` where there are several."""
        return (*self.ratings, OVERALL) if len(self.ratings) > 1 else tuple(self.ratings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point of the scale, or a bin of it, and how often it was given."""

    name: str
    count: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectSummary:
    """What people said of one aspect of one system's outputs (of all systems', where `system` is None)."""

    aspect: str
    system: str | None
    items: int
    ratings: int
    mean: float
    interval: Interval | None
    """Of the mean, over draws of items."""
    deviation: float
    """Of the ratings."""
    points: tuple[Point, ...]
    """Empty for `overall`, which nobody gave."""
    alpha: Coefficient | None
    """Krippendorff's, on an ordinal scale; None for `overall`."""
    note: str | None


def summarise_aspect(
    rated: RatedOutputs, aspect: str, system: str | None = None, *, resamples: int = RESAMPLES, seed: int = SEED
) -> AspectSummary:
    """The summary of one aspect over the outputs of one system, or of all.

    >>> ratings = Ratings(item=np.array([0, 0, 1, 1]), value=np.array([5.0, 4.0, 2.0, 2.0]))
    >>> rated = RatedOutputs(sources=["a", "b"], outputs=["c", "d"], systems=["", ""], references=[(), ()],
    ...     ratings={"fluency": ratings})
    >>> summary = summarise_aspect(rated, "fluency")
    >>> summary.mean, [point.count for point in summary.points], round(summary.alpha.value, 3)
    (3.25, [0, 2, 0, 1, 1], 0.833)
    """
    chosen = np.array([system is None or name == system for name in rated.systems])
    if aspect == OVERALL:
        means = rated.means(OVERALL)
        items = np.flatnonzero(chosen & np.isfinite(means))
        ratings = Ratings(item=items, value=means[items])
    else:
        kept = chosen[rated.ratings[aspect].item]
        ratings = Ratings(item=rated.ratings[aspect].item[kept], value=rated.ratings[aspect].value[kept])
    if not len(ratings.value):
        raise InputError(f"Nobody rated {aspect}{f' of {system}' if system else ''}. Leave it out with --aspects.")
    interval = bootstrap_interval(mean_rating(aspect, ratings), resamples=resamples, seed=seed)
    points = () if aspect == OVERALL else points_of(ratings.value, rated.ratings[aspect].value)
    return AspectSummary(
        aspect=aspect,
        system=system,
        items=len(np.unique(ratings.item)),
        ratings=len(ratings.value),
        mean=float(ratings.value.mean()),
        interval=interval,
        deviation=float(ratings.value.std()),
        points=points,
        alpha=None if aspect == OVERALL else _alpha(ratings, resamples, seed),
        note=_note(points),
    )


def mean_rating(aspect: str, ratings: Ratings, items: Integers | None = None) -> Measured:
    """The mean rating as a metric that can be resampled: whole items are drawn, with all their ratings.

    `items` says which items to count, in which order; by default all that were rated.
    """
    rated = np.unique(ratings.item) if items is None else items
    place = np.full(int(max(ratings.item.max(), rated.max())) + 1, -1)
    place[rated] = np.arange(len(rated))
    kept = place[ratings.item] >= 0
    where, values = place[ratings.item[kept]], ratings.value[kept]
    sums = np.column_stack([np.bincount(where, values, len(rated)), np.bincount(where, minlength=len(rated))])
    return Measured(
        name=aspect,
        value=float(values.mean()),
        items=np.empty(0),
        signature=signature(aspect, {"mean": "ratings", "drawn": "items"}),
        better="higher",
        statistics=sums.astype(np.float64),
        combine=lambda drawn: np.asarray(drawn[..., 0] / drawn[..., 1]),
    )


def points_of(values: Floats, of_all: Floats) -> tuple[Point, ...]:
    """How often each point of the scale was given, those that nobody gave among them.

    The points are 1 to 5 where all ratings of the aspect are; else the distinct ratings, or ten bins where these are
    many. `of_all` are those of every system, so that all are shown on one scale.

    >>> [(point.name, point.count) for point in points_of(np.array([0.2, 1.0]), np.array([0.2, 0.6, 1.0]))]
    [('0.2', 1), ('0.6', 0), ('1', 1)]
    """
    distinct = np.unique(of_all)
    if set(distinct) <= set(LIKERT):
        distinct = np.array(LIKERT)
    if len(distinct) <= MOST_POINTS:
        names = [f"{value:g}" for value in distinct]
        counts = np.bincount(np.searchsorted(distinct, values), minlength=len(distinct))
    else:
        counts, edges = np.histogram(values, bins=10, range=(float(distinct[0]), float(distinct[-1])))
        names = [f"{low:.3g} to {high:.3g}" for low, high in pairwise(edges)]
    return tuple(
        Point(name=name, count=count, share=count / len(values))
        for name, count in zip(names, counts.tolist(), strict=True)
    )


def _alpha(ratings: Ratings, resamples: int, seed: int) -> Coefficient:
    written = [repr(value) for value in ratings.value.tolist()]
    scale = Scale.of(written, "ordinal")
    _, item = np.unique(ratings.item, return_inverse=True)
    counts = AnswerCounts.of_codes(scale, item, scale.codes(written), int(item.max()) + 1)
    found = krippendorff_alpha(counts)
    if found.value is None:
        return found
    intervals = coefficient_intervals(counts, {found.name: alpha_of_times}, resamples=resamples, seed=seed)
    return Coefficient(name=found.name, value=found.value, interval=intervals[found.name])


def _note(points: Sequence[Point]) -> str | None:
    """Why alpha may be low although people agree (Dou et al., 2022, footnote 14)."""
    most = max(points, key=lambda point: point.share, default=None)
    if most is None or most.share <= ONE_POINT:
        return None
    return (
        f"{most.share:.1%} of the ratings are {most.name}: alpha stays low however often people agree, since agreement "
        "by chance is nearly complete"
    )
