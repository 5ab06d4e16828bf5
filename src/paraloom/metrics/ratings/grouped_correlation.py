"""Columns of numbers and groups of items in, Spearman's correlations that heed the groups out.

Several outputs for one source are no independent items. Over all of them at once a metric may correlate with people
only because some sources are easier than others, and an interval over single outputs is too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.correlation import spearman
from paraloom.metrics.significance import LEVEL, RESAMPLES, SEED, Interval, percentile_interval

Floats = NDArray[np.float64]
Groups = NDArray[np.int64]

LEAST_IN_A_GROUP = 3
"""Two items are in the same order or not: a correlation of 1 or -1 that is mostly chance."""

_CELLS = 2_000_000
"""Weights held at once, so that memory stays at some tens of megabytes however many items there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithinGroups:
    """The mean of rank correlations inside groups: whether the better of several answers to one question is seen."""

    value: float | None
    """None where there is no group to look into."""
    groups: int
    """Those with at least three items that people did not all rate alike."""
    by_group: Floats
    """Of each such group; 0 where the metric gave all its items the same value, and so said nothing."""


def spearman_within(measured: Floats, people: Floats, groups: Groups) -> WithinGroups:
    """Spearman inside each group of at least three items that people did not all rate alike; then their mean.

    >>> spearman_within(np.arange(6.0), np.array([1.0, 2, 3, 3, 2, 1]), np.repeat([0, 1], 3)).by_group.round(3).tolist()
    [1.0, -1.0]
    """
    _check(groups, [measured, people])
    order = np.argsort(groups, kind="stable")
    found = []
    for rows in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1):
        if len(rows) >= LEAST_IN_A_GROUP and np.ptp(people[rows]) > 0:
            correlation = spearman(measured[rows], people[rows])
            found.append(0.0 if correlation is None else correlation.value)
    by_group = np.array(found)
    mean = float(by_group.mean()) if len(by_group) else None
    return WithinGroups(value=mean, groups=len(by_group), by_group=by_group)


def spearman_intervals(
    ones: Sequence[Floats],
    others: Sequence[Floats],
    groups: Groups,
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> list[list[Interval | None]]:
    """The percentile interval of Spearman between each of `ones` and each of `others`, from the same draws of groups.

    None where no draw had an order on both sides, or there are fewer than two groups.

    >>> [[interval]] = spearman_intervals([np.arange(9.0)], [np.arange(9.0) ** 2], np.arange(9), resamples=50)
    >>> round(interval.low, 6), round(interval.high, 6)
    (1.0, 1.0)
    """
    _check(groups, [*ones, *others])
    _, group_of = np.unique(groups, return_inverse=True)
    count = int(group_of.max()) + 1
    if count < 2:
        return [[None] * len(others) for _ in ones]
    first, second = [_Tied.of(one) for one in ones], [_Tied.of(other) for other in others]
    random = np.random.default_rng(seed)
    at_once = max(1, _CELLS // len(group_of))
    drawn: list[list[list[Floats]]] = [[[] for _ in others] for _ in ones]
    for start in range(0, resamples, at_once):
        draws = random.integers(count, size=(min(at_once, resamples - start), count))
        weights = np.stack([np.bincount(draw, minlength=count) for draw in draws])[:, group_of].astype(np.float64)
        in_second = [one.standardised(weights) for one in second]
        for row, one in enumerate(first):
            standard = one.standardised(weights)
            for column, other in enumerate(in_second):
                drawn[row][column].append(np.einsum("ij,ij->i", standard, other))
    return [[percentile_interval(np.concatenate(values), level, seed) for values in row] for row in drawn]


@dataclass(frozen=True, slots=True)
class _Tied:
    """A column sorted once, so that the ranks of any draw of its items follow from sums."""

    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    """Where each distinct value begins in that order."""
    value_of: NDArray[np.int64]
    """The number of each item's value among the distinct ones."""

    @classmethod
    def of(cls, values: Floats) -> _Tied:
        distinct, value_of = np.unique(values, return_inverse=True)
        order = np.argsort(value_of, kind="stable")
        return cls(order, np.searchsorted(value_of[order], np.arange(len(distinct))), value_of)

    def standardised(self, weights: Floats) -> Floats:
        """Ranks of each draw, minus their mean, over their length, times the root of the weights: products add to rho.

        NaN where a draw holds one value only.
        """
        of_values = np.add.reduceat(weights[:, self.order], self.starts, axis=1)
        middles = np.cumsum(of_values, axis=1) - of_values / 2
        total = of_values.sum(1, keepdims=True)
        middles -= (of_values * middles).sum(1, keepdims=True) / total
        length = np.sqrt((of_values * middles**2).sum(1, keepdims=True))
        middles /= np.where(length > 1e-9 * total, length, np.nan)
        return np.asarray(middles[:, self.value_of] * np.sqrt(weights))


def _check(groups: Groups, columns: Sequence[Floats]) -> None:
    if not len(groups):
        raise InputError("There is no item to correlate.")
    for column in columns:
        if len(column) != len(groups):
            raise InputError(f"A column of {len(column)} values does not fit the groups of {len(groups)} items.")
        if not np.isfinite(column).all():
            raise InputError("A value to be correlated is not a number. Leave out the items that have none.")
