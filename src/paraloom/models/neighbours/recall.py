"""True neighbours of a sample of sentences and those that were found in; which share was found out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.nearest import LEAST, NOBODY, Neighbours

FEWEST = 200
"""True neighbours that a recall is counted by, at least, where there are so many."""
DRAWS = 1000
"""Samples drawn anew, with the same seed, for an interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """An estimated share of true neighbours that are found, and a 95 % interval by drawing queries anew."""

    share: float
    low: float
    high: float
    queries: int
    """Queries that have neighbours."""


def estimate(found: NDArray[np.bool_], true: NDArray[np.bool_], *, seed: int = 0) -> Recall:
    """The share of true neighbours that were found: both are queries × neighbours."""
    has_some = true.any(axis=1)
    of_query = found[has_some].sum(axis=1)
    out_of = true[has_some].sum(axis=1)
    if not len(out_of):
        return Recall(share=1.0, low=0.0, high=1.0, queries=0)
    drawn = np.random.default_rng(seed).integers(0, len(out_of), (DRAWS, len(out_of)))
    shares = of_query[drawn].sum(axis=1) / out_of[drawn].sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    share = of_query.sum() / out_of.sum()
    return Recall(
        share=round(float(share), 6), low=round(float(low), 6), high=round(float(high), 6), queries=len(out_of)
    )


def least_that_counts(true: Neighbours, least: int) -> int:
    """The least product of the neighbours that recall is counted by: `least`, or less where few reach it.

    A share of a handful says nothing, so the nearest `FEWEST` of the sample count in any case.
    """
    dots = np.sort(true.dots[true.numbers != NOBODY])
    if not len(dots):
        return least
    return min(least, int(dots[max(len(dots) - FEWEST, 0)]))


def counts(true: Neighbours, least: int) -> NDArray[np.bool_]:
    """Which true neighbours count: those that are near enough to matter."""
    return np.asarray((true.numbers != NOBODY) & (true.dots >= least))


def recall_of(true: Neighbours, found: Neighbours, *, least: int = LEAST) -> Recall:
    """The share of the true neighbours of some queries, of products of at least `least`, that a search found."""
    is_one = counts(true, least)
    is_found = (true.numbers[:, :, None] == found.numbers[:, None, :]).any(axis=2)
    return estimate(is_one & is_found, is_one)
