"""A judged sample and its weights in, a share of the whole population out, with its bounds.

A sample that takes the same number from every interval says little about the whole until each judged pair stands for as
many as its interval holds. The bounds are Wilson's (1927), which also hold near 0 and 1 and where nothing was found
wrong; of weighted pairs, with the number of equally weighted ones that would tell as much (Kish, 1965).
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


def weighted_share(found: Truths, weights: Floats, level: float = LEVEL) -> Share:
    """The share of the weight of those that are found, with Wilson's bounds.

    >>> even = weighted_share(np.array([True, True, True, False]), np.ones(4))
    >>> round(even.value, 2), round(even.low, 2), round(even.high, 2), even.effective
    (0.75, 0.3, 0.95, 4.0)
    >>> round(weighted_share(np.array([True, True, True, False]), np.array([1.0, 1.0, 1.0, 3.0])).value, 2)
    0.5
    """
    if not len(found) or not weights.sum() > 0:
        return Share(value=None, low=0.0, high=1.0, judged=len(found), effective=0.0)
    value = float(weights[found].sum() / weights.sum())
    effective = float(weights.sum() ** 2 / (weights**2).sum())
    low, high = wilson(value, effective, level)
    return Share(value=value, low=low, high=high, judged=len(found), effective=effective)


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
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """What judged pairs tell of a region."""

    precision: Share
    """Share of the pairs in it that are what they are taken for."""
    taken: Share
    """Share of all candidates that lie in it."""
    found: Share
    """Share of all candidates of that kind that lie in it."""


def measure_region(inside: Truths, is_right: Truths, weights: Floats) -> Region:
    """How pure a region is, how much of all it takes, and how much of what is sought."""
    return Region(
        precision=weighted_share(is_right[inside], weights[inside]),
        taken=weighted_share(inside, weights),
        found=weighted_share(inside[is_right], weights[is_right]),
    )
