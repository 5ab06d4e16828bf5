"""Neighbours in, candidate pairs out, on arrays: each pair once, with its similarity, margin, and whether it is mutual.

A sentence is a number. The ratio margin (Artetxe and Schwenk, 2019) is the similarity of two sentences over the mean of
both sentences' similarity to those nearest to them: it tells a true neighbour from a text that is near to everything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.pairs.mine_options import MinedPairOptions

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]

PLACES = 6
"""Decimals that similarities and margins keep."""
FOUND = "found"
BELOW_SIMILARITY = "below_min_similarity"
NOT_MUTUAL = "not_mutual"
BELOW_MARGIN = "below_min_margin"
PROPOSED = "proposed"
TALLIES = (FOUND, BELOW_SIMILARITY, NOT_MUTUAL, BELOW_MARGIN, PROPOSED)
"""What becomes of the pairs that were found, in the order in which it is asked."""


@dataclass(frozen=True, slots=True)
class Edges:
    """Pairs of neighbours, each once: the lower number, the higher, and whether both have found each other."""

    low: Numbers
    high: Numbers
    similarity: Floats
    is_mutual: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.low)

    def __getitem__(self, kept: NDArray[np.bool_]) -> Edges:
        return Edges(self.low[kept], self.high[kept], self.similarity[kept], self.is_mutual[kept])


def mean_similarities(similarities: Floats, is_there: NDArray[np.bool_]) -> Floats:
    """How near the neighbours of every sentence are on average; 0 for one that has none.

    >>> mean_similarities(np.array([[0.9, 0.7], [0.5, 0.0]]), np.array([[True, True], [True, False]])).tolist()
    [0.8, 0.5]
    """
    counts = is_there.sum(axis=1)
    sums = np.where(is_there, similarities, 0.0).sum(axis=1)
    return np.asarray(np.round(np.divide(sums, counts, out=np.zeros(len(sums)), where=counts > 0), PLACES))


def joined_edges(sources: Numbers, targets: Numbers, similarity: Floats) -> Edges:
    """Directed edges in, each pair once out, in the order of its numbers.

    >>> edges = joined_edges(np.array([5, 2, 2]), np.array([2, 5, 7]), np.array([0.9, 0.9, 0.8]))
    >>> edges.low.tolist(), edges.high.tolist(), edges.is_mutual.tolist()
    ([2, 2], [5, 7], [True, False])
    """
    low, high = np.minimum(sources, targets), np.maximum(sources, targets)
    order = np.lexsort((high, low))
    low, high, similarity = low[order], high[order], similarity[order]
    is_first = np.ones(len(low), bool)
    is_first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    places = np.flatnonzero(is_first)
    counts = np.diff(np.append(places, len(low)))
    return Edges(low[places], high[places], similarity[places], counts > 1)


def margins_of(edges: Edges, mean_low: Floats, mean_high: Floats) -> Floats:
    """The ratio margin of every pair, given the mean similarity of its two sentences; 0 where that is not above 0.

    >>> edges = Edges(np.array([0]), np.array([1]), np.array([0.9]), np.array([True]))
    >>> margins_of(edges, np.array([0.8]), np.array([0.7])).tolist()
    [1.2]
    """
    mean = (mean_low + mean_high) / 2
    return np.asarray(np.round(np.divide(edges.similarity, mean, out=np.zeros(len(mean)), where=mean > 0), PLACES))


def proposed(edges: Edges, margins: Floats, options: MinedPairOptions) -> tuple[NDArray[np.bool_], dict[str, int]]:
    """Which pairs are proposed, and how many are not for each reason; the first reason that holds counts."""
    reasons = {
        BELOW_SIMILARITY: edges.similarity < options.min_similarity,
        NOT_MUTUAL: ~edges.is_mutual if options.mutual else np.zeros(len(edges), bool),
        BELOW_MARGIN: margins < options.min_margin,
    }
    kept = np.ones(len(edges), bool)
    tally = {FOUND: len(edges)}
    for reason, holds in reasons.items():
        tally[reason] = int((kept & holds).sum())
        kept &= ~holds
    return kept, tally | {PROPOSED: int(kept.sum())}
