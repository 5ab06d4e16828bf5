"""Pairs of answers in, Cohen's kappa out: of two raters, of every two raters, of anyone against anyone else's word.

All pairs of raters are measured at once from the cells of their tables that are not 0, so that a crowd of thousands,
of whom few met on an item, takes little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.agreement.counts import Floats, Integers, summed
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.scale import Scale
from paraloom.metrics.significance import LEVEL, RESAMPLES, SEED, Interval, check_resampling, percentile_interval

Weights = Literal["none", "linear", "quadratic"]
"""How much two answers that differ count: all the same, by their distance, or by its square."""

_HELD = 2_000_000
"""Pairs of answers, or cells of marginal tables, held at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusions:
    """Tables of answers against answers, one a pair of raters, their empty cells left out."""

    scale: Scale
    tables: int
    table: Integers
    """Of each cell."""
    one: Integers
    """Of each cell: the answer of the first."""
    other: Integers
    count: Integers | Floats

    @classmethod
    def of(cls, scale: Scale, table: Integers, one: Integers, other: Integers, tables: int) -> Confusions:
        """From one row for each time that both answered."""
        width = max(1, len(scale.answers))
        keys, count = np.unique((table * width + one) * width + other, return_counts=True)
        return cls._of_keys(scale, keys, count, tables)

    @classmethod
    def _of_keys(cls, scale: Scale, keys: Integers, count: Integers, tables: int) -> Confusions:
        width = max(1, len(scale.answers))
        table, cell = np.divmod(keys, width * width)
        return cls(scale=scale, tables=tables, table=table, one=cell // width, other=cell % width, count=count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kappas:
    """Cohen's kappa of each table, with what is needed to judge it."""

    shared: Integers
    """How many items both answered."""
    agreement: Floats
    """Of those, the share with the same answer; nan where there are none."""
    kappa: Floats
    """nan where there are no items, or both always gave the same one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairKappas:
    """Every two annotators who share an item."""

    one: Integers
    """Places in the ratings' annotators, the first before the second."""
    other: Integers
    confusions: Confusions
    kappas: Kappas

    @property
    def defined(self) -> NDArray[np.bool_]:
        """Which pairs have a kappa."""
        return ~np.isnan(self.kappas.kappa)

    def mean(self) -> float | None:
        """Each pair counts the same."""
        return float(self.kappas.kappa[self.defined].mean()) if self.defined.any() else None

    def mean_by_items(self) -> float | None:
        """Each pair counts by the items it shares, so that chance meetings on two items weigh little."""
        if not self.defined.any():
            return None
        return float(np.average(self.kappas.kappa[self.defined], weights=self.kappas.shared[self.defined]))


def cohen_kappa(confusions: Confusions, weights: Weights = "none") -> Kappas:
    """(observed - by chance) / (1 - by chance), chance from each rater's own frequencies (Cohen, 1960; weighted, 1968).

    >>> scale = Scale.of(["no", "yes"])
    >>> both = Confusions.of(scale, np.zeros(4, int), np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 1)
    >>> cohen_kappa(both).kappa.tolist()
    [0.5]
    """
    if weights not in _BY_CHANCE:
        raise InputError(f"There are no weights called {weights!r}. Choose one of {', '.join(_BY_CHANCE)}.")
    cells, values = confusions, _unit(confusions.scale.unit_values)
    shared = summed(cells.table, cells.count, cells.tables)
    apart = _APART[weights](values[cells.one], values[cells.other])
    seen = summed(cells.table, cells.count * apart, cells.tables)
    alike = summed(cells.table, cells.count * (cells.one == cells.other), cells.tables)
    expected = _by_chance(cells, weights, values, shared)
    some = np.maximum(shared, 1)
    ratio = np.divide(seen / some, expected, out=np.full(cells.tables, np.nan), where=expected > 1e-12)
    return Kappas(shared=shared.astype(np.int64), agreement=np.where(shared > 0, alike / some, np.nan), kappa=1 - ratio)


def kappa_intervals(
    confusions: Confusions, *, resamples: int = RESAMPLES, level: float = LEVEL, seed: int = SEED
) -> list[Interval | None]:
    """Of each table alone, by drawing its items again; None where it has fewer than two or always the same answer."""
    check_resampling(resamples, level)
    order = np.argsort(confusions.table, kind="stable")
    edges = np.searchsorted(confusions.table[order], np.arange(confusions.tables + 1))
    intervals: list[Interval | None] = []
    for place in range(confusions.tables):
        its = order[edges[place] : edges[place + 1]]
        items = int(confusions.count[its].sum())
        if items < 2 or len(its) < 2:
            intervals.append(None)  # one cell alone is the same in every draw
            continue
        random = np.random.default_rng(seed)  # for each anew, so that the order of tables does not matter
        drawn = random.multinomial(items, confusions.count[its] / items, resamples)
        table, cell = np.nonzero(drawn)
        again = Confusions(
            scale=confusions.scale,
            tables=resamples,
            table=table,
            one=confusions.one[its][cell],
            other=confusions.other[its][cell],
            count=drawn[table, cell],
        )
        intervals.append(percentile_interval(cohen_kappa(again).kappa, level, seed))
    return intervals


def pair_kappas(ratings: Ratings, weights: Weights = "none") -> PairKappas:
    """Every two annotators, on the items both answered."""
    confusions, one, other = _pair_confusions(ratings)
    return PairKappas(one=one, other=other, confusions=confusions, kappas=cohen_kappa(confusions, weights))


def _pair_confusions(ratings: Ratings) -> tuple[Confusions, Integers, Integers]:
    """The tables of every two annotators who share an item, and who they are."""
    people, width = max(1, len(ratings.annotators)), max(1, len(ratings.scale.answers))
    keys, counts = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for one, other in _meetings(ratings):
        pair = ratings.annotator[one] * people + ratings.annotator[other]
        met = (pair * width + ratings.answer[one]) * width + ratings.answer[other]
        keys, counts = _added(keys, counts, met)
    pairs, table = np.unique(keys // (width * width), return_inverse=True)
    cells = table * (width * width) + keys % (width * width)
    return Confusions._of_keys(ratings.scale, cells, counts, len(pairs)), pairs // people, pairs % people


def answer_confusion(confusions: Confusions) -> Integers:
    """How often one person gave the answer of the row where another gave that of the column: symmetric."""
    width = len(confusions.scale.answers)
    cells = np.zeros((width, width), dtype=np.int64)
    np.add.at(cells, (confusions.one, confusions.other), confusions.count.astype(np.int64))
    return cells + cells.T


def _meetings(ratings: Ratings) -> Iterator[tuple[Integers, Integers]]:
    """The places of every two answers to the same item, some at a time."""
    answers = np.bincount(ratings.item, minlength=len(ratings.items))
    starts = np.concatenate([[0], np.cumsum(answers)[:-1]])
    held: list[tuple[Integers, Integers]] = []
    size = 0
    for width in np.unique(answers[answers > 1]):
        places = starts[answers == width][:, None] + np.arange(width)
        for step in range(1, width):
            held.append((places[:, :-step].ravel(), places[:, step:].ravel()))
            size += len(held[-1][0])
            if size > _HELD:
                yield _joined(held)
                held, size = [], 0
    if held:
        yield _joined(held)


def _joined(pairs: list[tuple[Integers, Integers]]) -> tuple[Integers, Integers]:
    return np.concatenate([one for one, _ in pairs]), np.concatenate([other for _, other in pairs])


def _added(keys: Integers, counts: Integers, met: Integers) -> tuple[Integers, Integers]:
    new_keys, new_counts = np.unique(met, return_counts=True)
    every, places = np.unique(np.concatenate([keys, new_keys]), return_inverse=True)
    return every, summed(places, np.concatenate([counts, new_counts]), len(every)).astype(np.int64)


def _by_chance(cells: Confusions, weights: Weights, values: Floats, shared: Floats) -> Floats:
    """The disagreement expected of raters who keep their frequencies, some tables at a time."""
    width = max(1, len(cells.scale.answers))
    expected = np.zeros(cells.tables)
    at_once = max(1, _HELD // width)
    order = np.argsort(cells.table, kind="stable")
    edges = np.searchsorted(cells.table[order], np.arange(0, cells.tables + at_once, at_once))
    for number, begin in enumerate(range(0, cells.tables, at_once)):
        its = order[edges[number] : edges[number + 1]]
        tables = min(at_once, cells.tables - begin)
        table = cells.table[its] - begin
        first, second = (
            summed(table * width + answer[its], cells.count[its], tables * width).reshape(tables, width)
            / np.maximum(shared[begin : begin + tables], 1)[:, None]
            for answer in (cells.one, cells.other)
        )
        expected[begin : begin + tables] = _BY_CHANCE[weights](first, second, values)
    return np.where(shared > 0, expected, 0.0)


def _unit(values: Floats) -> Floats:
    """From 0 to 1, which changes no kappa and makes its rounding errors known."""
    return (values - values.min()) / (np.ptp(values) or 1.0) if len(values) else values


def _expected_unequal(first: Floats, second: Floats, values: Floats) -> Floats:
    return np.asarray(1 - (first * second).sum(axis=1))


def _expected_distance(first: Floats, second: Floats, values: Floats) -> Floats:
    """Two answers lie on different sides of a gap of the scale, and each gap counts by its width."""
    below, under = np.cumsum(first, axis=1)[:, :-1], np.cumsum(second, axis=1)[:, :-1]
    return np.asarray((below * (1 - under) + under * (1 - below)) @ np.diff(values))


def _expected_square(first: Floats, second: Floats, values: Floats) -> Floats:
    squares = (first + second) @ np.square(values)
    return np.asarray(squares - 2 * (first @ values) * (second @ values))


_BY_CHANCE: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "none": _expected_unequal,
    "linear": _expected_distance,
    "quadratic": _expected_square,
}

_APART: dict[str, Callable[[Floats, Floats], Floats]] = {
    "none": lambda one, other: (one != other).astype(np.float64),
    "linear": lambda one, other: np.abs(one - other),
    "quadratic": lambda one, other: np.square(one - other),
}
