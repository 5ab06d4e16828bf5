"""Neighbours in, better ones out: a sentence's neighbours' neighbours are looked at too (after Dong et al., 2011).

Lists cut the space, and a neighbour across a cut is missed by the sentence itself but often known to one of its other
neighbours. A second look costs k² products a sentence, where finding as many by probing would take hundreds of lists.
What a pair is worth is known when either of its sentences has found the other, so recall is counted either way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.links import once
from paraloom.models.neighbours.nearest import LEAST, Neighbours
from paraloom.models.neighbours.recall import Recall, counts, estimate
from paraloom.models.neighbours.search import ReadCodes

ROWS_AT_ONCE = 8192
"""Sentences that look again together: the codes of all that they meet, some 70 each, are laid side by side for them. Of
more of them fewer would be met by each, but they would take more memory."""
MOST_MET = 1 << 20
"""Where they meet more than so many, which are far from each other then, half of them look at a time."""


class Named(NamedTuple):
    """Sentences by number, with their codes, a row each."""

    numbers: NDArray[np.int64]
    codes: NDArray[np.int8]


class Looks(Protocol):
    """What all sentences found before. A sentence goes by a name here: its number, or its place in an index."""

    def neighbours(self, names: NDArray[np.int64]) -> NDArray[np.int64]:
        """The names of the sentences that these are linked with, a row each. Asked for in rising order."""
        ...

    def rows(self, names: NDArray[np.int64]) -> Named:
        """These sentences themselves. Asked for in rising order."""
        ...


def look_again(names: NDArray[np.int64], own: NDArray[np.int64], found: Neighbours, first: Looks) -> Neighbours:
    """The best of what these sentences found, of those they are linked with, and of those that these are linked with.

    `own` names whom these sentences are linked with, a row each. All sentences must have looked before; what others
    find in this look plays no part, so the order in which they take it changes nothing.
    """
    better = Neighbours(found.dots.copy(), found.numbers.copy())
    for start in range(0, len(names), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        _look(names[some], own[some], Neighbours(better.dots[some], better.numbers[some]), first)
    return better


def _look(names: NDArray[np.int64], own: NDArray[np.int64], best: Neighbours, first: Looks) -> None:
    """Take the better of all that is linked, directly or through one other, into the best of some rows."""
    from paraloom.models.neighbours.nearest_loops import take_through

    known, (through,) = once(own)
    if not len(known):
        return
    wanted, (mine, theirs) = once(names, np.column_stack([known, first.neighbours(known)]))
    if len(wanted) > MOST_MET and len(names) > 1:
        for half in (slice(None, len(names) // 2), slice(len(names) // 2, None)):
            _look(names[half], own[half], Neighbours(best.dots[half], best.numbers[half]), first)
        return
    numbers, codes = first.rows(wanted)
    take_through(codes, numbers, mine, through, theirs, best.dots, best.numbers)


@dataclass(frozen=True, slots=True)
class LooksByNumber:
    """First looks that are taken when they are asked for."""

    look: Callable[[NDArray[np.int64]], Neighbours]
    read_codes: ReadCodes

    def neighbours(self, names: NDArray[np.int64]) -> NDArray[np.int64]:
        """What these sentences find."""
        return self.look(names).numbers

    def rows(self, names: NDArray[np.int64]) -> Named:
        """These sentences."""
        return Named(names, self.read_codes(names))


def recall_either_way(
    numbers: NDArray[np.int64],
    true: Neighbours,
    *,
    first_look: Callable[[NDArray[np.int64]], Neighbours],
    read_codes: ReadCodes,
    least: int = LEAST,
) -> Recall:
    """The share of the true neighbours of a sample, of products of at least `least`, that two looks find either way.

    `first_look` gives what sentences find at first, with some number of probes. What is found here is what a run finds
    for the same sentences.
    """

    looks = LooksByNumber(first_look, read_codes)

    def two_looks(of: NDArray[np.int64]) -> NDArray[np.int64]:
        first = first_look(of)
        return look_again(of, first.numbers, first, looks).numbers

    return found_either_way(numbers, true, two_looks, least=least)


def found_either_way(
    numbers: NDArray[np.int64],
    true: Neighbours,
    found: Callable[[NDArray[np.int64]], NDArray[np.int64]],
    *,
    least: int = LEAST,
) -> Recall:
    """The share of the true neighbours of a sample, of products of at least `least`, that either sentence has found.

    `found` gives what sentences have found, by number, a row each; it is asked in rising order.
    """
    is_one = counts(true, least)
    is_found = (true.numbers[:, :, None] == found(numbers)[:, None, :]).any(axis=2)
    missed = is_one & ~is_found
    if missed.any():
        others = np.unique(true.numbers[missed])
        theirs = found(others)[np.searchsorted(others, true.numbers[missed])]
        is_found[missed] = (theirs == numbers[np.nonzero(missed)[0]][:, None]).any(axis=1)
    return estimate(is_one & is_found, is_one)


def fewest_probes(recall_with: Callable[[int], Recall], target: float, *, most: int) -> tuple[int, Recall]:
    """The fewest probes, of 1, 2, 3, 4, 6, 8, 12 … `most`, whose recall reaches a target, and that; else the most.

    More probes are taken to find no less, so that few numbers of them need to be tried.
    """
    steps = probe_steps(most)
    tried: dict[int, Recall] = {}

    def reaches(probes: int) -> bool:
        tried[probes] = recall_with(probes)
        return tried[probes].share >= target

    place = bisect_left(steps, True, key=reaches)
    probes = steps[min(place, len(steps) - 1)]
    return probes, tried[probes]


def probe_steps(most: int) -> list[int]:
    """Numbers of probes that are tried: each a half or a third more than the one before, up to the most there can be.

    >>> probe_steps(20)
    [1, 2, 3, 4, 6, 8, 12, 16, 20]
    """
    powers = [1 << power for power in range(most.bit_length())]
    return sorted({step for power in powers for step in (power, power * 3 // 2) if step < most} | {most})
