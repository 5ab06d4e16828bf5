"""A sample of sentences and all sentences in; how many probes find how many of the true neighbours out.

If the list of a true neighbour is probed, the neighbour is found: it is one of the k nearest of all, so also of those
that are met. So the share found with any number of probes is known before anything is searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.nearest import LEAST, NOBODY, Neighbours
from paraloom.models.neighbours.probes import REACH, ListFinder
from paraloom.models.neighbours.search import Part

DRAWS = 1000
"""Samples drawn anew, with the same seed, for an interval."""
QUERIES_AT_ONCE = 256
NEVER = np.iinfo(np.int64).max
"""Of a neighbour whose list is out of reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """An estimated share of true neighbours that are found, and a 95 % interval by drawing queries anew."""

    share: float
    low: float
    high: float
    queries: int
    """Queries that have neighbours."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RecallCurve:
    """When the lists of true neighbours come up, and so what any number of probes finds."""

    probes_needed: NDArray[np.int64]
    """For every query and true neighbour: with how many probes it is found; NEVER; or 0 where it does not count."""

    def at(self, probes: int) -> Recall:
        """The recall with so many probes."""
        is_one = self.probes_needed > 0
        return estimate(is_one & (self.probes_needed <= probes), is_one)

    def choose_probes(self, target: float) -> int:
        """The fewest probes that are estimated to find this share; all within reach where none do."""
        needed = np.sort(self.probes_needed[self.probes_needed > 0])
        if not len(needed):
            return 1
        wanted = max(int(np.ceil(round(target * len(needed), 6))), 1)
        return int(min(needed[wanted - 1], REACH))


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


def counts(true: Neighbours, least: int) -> NDArray[np.bool_]:
    """Which true neighbours count: those that are near enough to matter."""
    return np.asarray((true.numbers != NOBODY) & (true.dots >= least))


def recall_of(true: Neighbours, found: Neighbours, *, least: int = LEAST) -> Recall:
    """The share of the true neighbours of some queries, of products of at least `least`, that a search found."""
    is_one = counts(true, least)
    is_found = (true.numbers[:, :, None] == found.numbers[:, None, :]).any(axis=2)
    return estimate(is_one & is_found, is_one)


def recall_by_probes(
    finder: ListFinder, queries: NDArray[np.int8], true: Neighbours, codes: NDArray[np.int8], *, least: int = LEAST
) -> RecallCurve:
    """With how many probes each true neighbour of the queries is found, of those whose product is at least `least`.

    `codes` are the codes of the true neighbours, a row for each number in `np.unique(true.numbers)` but NOBODY.
    """
    numbers = np.unique(true.numbers[true.numbers != NOBODY])
    needed = np.zeros(true.numbers.shape, np.int64)
    if not len(numbers):
        return RecallCurve(probes_needed=needed)
    list_of = finder.own_lists(codes)[np.searchsorted(numbers, true.numbers).clip(max=len(numbers) - 1)]
    own = finder.own_lists(queries)
    for start in range(0, len(queries), QUERIES_AT_ONCE):
        some = slice(start, start + QUERIES_AT_ONCE)
        probed = finder.probed(queries[some], own[some], REACH)
        comes = list_of[some][:, :, None] == probed[:, None, :]
        needed[some] = np.where(comes.any(axis=2), comes.argmax(axis=2) + 1, NEVER)
    needed[~counts(true, least)] = 0
    return RecallCurve(probes_needed=needed)


def codes_of(numbers: NDArray[np.int64], parts: Iterable[Part]) -> NDArray[np.int8]:
    """The codes of these numbers, which rise, out of parts that come in order."""
    taken: Sequence[NDArray[np.int8]] = [
        part.codes[numbers[start:stop] - part.first]
        for part in parts
        for start, stop in [np.searchsorted(numbers, [part.first, part.first + len(part.codes)])]
    ]
    return np.concatenate(taken)
