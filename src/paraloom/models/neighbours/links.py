"""What sentences have found in, who is linked with whom out: those that each has found, and those that found it.

A sentence that few lists lead to may still have found others: they learn of it by being told who found them. An edge
goes from the sentence that found to the one that it found. Turned, the edges of a cell lie in the order of what was
found, so that every cell can take from each other's the edges that lead to it. Sentences go by their place (see
`places`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.nearest import NOBODY

Places = NDArray[Any]
"""Whole numbers, of four or of eight bytes."""
WIDE = 16
"""So many neighbours of every sentence are kept while it is searched for, at least: they lead to others."""
TOLD = 16
"""A sentence is linked with so many of those that found it, besides."""
LOOKS = 2
"""Looks that follow a search in lists. Of a million sentences in 64 of 8,192 lists a search finds 93.0 % of what can
become a pair, a look brings it to 97.8, a second one to 98.5, a third one to 98.7. With half as many links it is 97.3,
97.9 and 98.0."""


def wide(neighbours: int) -> int:
    """How many neighbours are kept where so many are wanted in the end."""
    return max(neighbours, WIDE)


class Edges(NamedTuple):
    """Who was found, by whom, and the product of both."""

    targets: Places
    sources: Places
    dots: NDArray[np.int32]

    @classmethod
    def of(cls, own: Places, found: Places, dots: NDArray[np.int32]) -> Edges:
        """From these sentences to what each has found, a row each."""
        is_there = found != NOBODY
        sources = np.broadcast_to(own[:, None], found.shape)[is_there].astype(found.dtype)
        return cls(found[is_there], sources, dots[is_there])

    def best(self, most: int) -> Edges:
        """The so many edges of every target with the highest products, of equal ones the first sources; by target."""
        from paraloom.models.neighbours.link_loops import first_of_each

        order = np.lexsort((self.sources, -self.dots, self.targets))
        targets = self.targets[order]
        kept = order[first_of_each(targets, most)]
        return Edges(*(column[kept] for column in self))


def joined(edges: Sequence[Edges]) -> Edges:
    """All of them."""
    return Edges(*(np.concatenate(columns) for columns in zip(*edges, strict=True)))


def linked(found: Places, incoming: Edges, first: int, most: int) -> Places:
    """What each sentence has found, then the `most` nearest of the others that found it; NOBODY where there are fewer.

    `found` has a row for every place from `first` on.
    """
    from paraloom.models.neighbours.link_loops import fill_links

    rows, own = found.shape
    links = np.full((rows, own + most), NOBODY, found.dtype)
    links[:, :own] = found
    edges = incoming.best(own + most)  # no more than `own` of them can be found already
    fill_links(edges.targets, edges.sources, first, own, links)
    return links


class Once(NamedTuple):
    """Names, each once."""

    rising: NDArray[np.int64]
    places: list[NDArray[np.int32]]
    """Where the names of each array that was given stand among them; NOBODY where there is nobody."""


def once(*names: Places) -> Once:
    """Every name once, rising, and where it stands in the arrays; NOBODY is none.

    >>> rising, places = once(np.array([[7, 3], [NOBODY, 7]]), np.array([5]))
    >>> rising.tolist(), [some.tolist() for some in places]
    ([3, 5, 7], [[[2, 0], [-1, 2]], [1]])
    """
    from paraloom.models.neighbours.link_loops import mark, marked, ranks

    last = max((int(some.max(initial=NOBODY)) for some in names), default=NOBODY)
    bits = np.zeros(last // 64 + 1, np.uint64)  # a bit a name: of 400 million sentences 50 MB, of a million what a
    for some in names:  # processor's nearest caches hold
        mark(some.ravel(), bits)
    rising, before = marked(bits)
    return Once(rising, [ranks(some.ravel(), bits, before).reshape(some.shape) for some in names])
