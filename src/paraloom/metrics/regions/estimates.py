"""A judged sample and its weights in, a share of the whole population out, with its bounds.

A sample that takes the same number from every interval says little about the whole until each judged pair stands for as
many as its interval holds. The bounds are Wilson's (1927), which also hold near 0 and 1 and where nothing was found
wrong; of weighted pairs, with the number of equally weighted ones that would tell as much.

That number is the smaller of two. Kish's (1965) follows from the weights alone, and is too large where what is rare
lies in the intervals whose pairs weigh most. The other follows from the variance of a ratio in a stratified sample,
linearised (Särndal, Swensson and Wretman, 1992, section 5.6), and is too large where such an interval has been lucky.
In simulated samples of 8 to 30 pairs an interval, 95% bounds by the first alone covered the truth in 86% at worst, by
the second alone in 81%, by the smaller one in 94%.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

LEVEL = 0.95

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Strata = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share of some pairs, as a sample tells it."""

    value: float | None
    """None where no judged pair tells of it."""
    low: float
    high: float
    judged: int
    """Pairs it is told by."""
    effective: float
    """How many equally weighted ones would tell as much."""


def weighted_share(
    found: Truths,
    weights: Floats,
    level: float = LEVEL,
    *,
    among: Truths | None = None,
    strata: Strata | None = None,
) -> Share:
    """The share of the weight of those that are found, with Wilson's bounds.

    `among`: it is a share of these alone. `strata`: the number of the interval that each was drawn from; the pairs that
    are not among those asked about belong to the sample too, so give all.

    >>> even = weighted_share(np.array([True, True, True, False]), np.ones(4))
    >>> round(even.value, 2), round(even.low, 2), round(even.high, 2), even.effective
    (0.75, 0.3, 0.95, 4.0)
    >>> round(weighted_share(np.array([True, True, True, False]), np.array([1.0, 1.0, 1.0, 3.0])).value, 2)
    0.5
    """
    inside = weights if among is None else weights * among
    judged, whole = len(found) if among is None else int(among.sum()), float(inside.sum())
    if not whole > 0:
        return Share(value=None, low=0.0, high=1.0, judged=judged, effective=0.0)
    value = min(1.0, float(inside[found].sum() / whole))
    effective = float(whole**2 / (inside**2).sum())
    if strata is not None:
        variance = _stratified_variance(inside * (found - value) / whole, strata)
        if variance > 0:
            effective = min(effective, value * (1 - value) / variance)
    low, high = wilson(value, effective, level)
    return Share(value=value, low=low, high=high, judged=judged, effective=effective)


def _stratified_variance(moves: Floats, strata: Strata) -> float:
    """The variance of a sum over a stratified sample; a pair that is alone in its stratum counts with all it moves."""
    counts, sums = np.bincount(strata), np.bincount(strata, moves)
    squares = np.bincount(strata, moves**2)
    several = counts > 1
    scatter = np.maximum(0.0, squares[several] - sums[several] ** 2 / counts[several])
    return float((scatter * counts[several] / (counts[several] - 1)).sum() + squares[~several].sum())


def wilson(share: float, count: float, level: float = LEVEL) -> tuple[float, float]:
    """Where a share may lie that was seen in so many.

    >>> [round(bound, 3) for bound in wilson(1.0, 20)]
    [0.839, 1.0]
    """
    if not 0 < level < 1:
        raise InputError(f"An interval at level {level} makes no sense. Give one between 0 and 1, such as .95.")
    if count <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    reach = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach))


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """What judged pairs tell of a region."""

    precision: Share
    """Share of the pairs in it that are what they are taken for."""
    taken: Share
    """Share of all candidates that lie in it."""
    found: Share
    """Share of all candidates of that kind that lie in it."""


def measure_region(inside: Truths, is_right: Truths, weights: Floats, strata: Strata | None = None) -> Region:
    """How pure a region is, how much of all it takes, and how much of what is sought."""
    return Region(
        precision=weighted_share(is_right, weights, among=inside, strata=strata),
        taken=weighted_share(inside, weights, strata=strata),
        found=weighted_share(inside, weights, among=is_right, strata=strata),
    )
