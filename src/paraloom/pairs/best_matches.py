"""The sentences of two documents in; which of them are each other's best matches out, whatever their order.

For news, threads and essays: both tell of the same, but each in its own order, and much is in one alone. The best pair
is taken first, and each sentence once. Two neighbours are taken together if that makes them more like the other side.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.pairs.monotone import Match
from paraloom.pairs.similarities import SentenceVectors

MOST_SENTENCES = 10_000
"""Of a longer document, only so many from its beginning are compared: a bound for time, which grows with both."""
LEAST_LIKE = 0.1
"""Sentences that are less alike are no match."""
CANDIDATES = 8
"""So many best matches of a sentence are looked at."""
AGAINST_JOINING = 0.05
AGAINST_SIZES = 0.1
_ROWS_AT_ONCE = 256

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]


def best_matches(left: SentenceVectors, right: SentenceVectors) -> list[Match]:
    """Matches in the order of the left document; no sentence is in two."""
    if not len(left) or not len(right):
        return []
    rows, columns = _candidates(left, right)
    found = _with_neighbours(left, right, rows, columns)
    free_left, free_right = np.ones(len(left), bool), np.ones(len(right), bool)
    taken = []
    for place in np.lexsort((*found[:, :4].T[::-1], -found[:, 5])).tolist():
        first, last, other_first, other_last = (int(number) for number in found[place, :4])
        if free_left[first:last].all() and free_right[other_first:other_last].all():
            free_left[first:last] = free_right[other_first:other_last] = False
            taken.append(Match((first, last), (other_first, other_last), float(found[place, 4])))
    return sorted(taken, key=lambda match: match.left)


def _candidates(left: SentenceVectors, right: SentenceVectors) -> tuple[Integers, Integers]:
    """The pairs of sentences that are alike enough, and among the best of the left sentence.

    Of those that are as good as the last of the best, as where a forum says "Thanks." a thousand times, the ones are
    taken that stand about as far down in the right document as the left sentence in its own.
    """
    rows, columns = [], []
    for start in range(0, len(left), _ROWS_AT_ONCE):
        products = left.all_products(right, slice(start, min(start + _ROWS_AT_ONCE, len(left))))
        wanted = products >= LEAST_LIKE
        if products.shape[1] > CANDIDATES:
            last = np.partition(products, -CANDIDATES, axis=1)[:, -CANDIDATES, None]
            wanted &= products >= last
            for place in np.flatnonzero(wanted.sum(axis=1) > CANDIDATES).tolist():
                tied = np.flatnonzero(products[place] == last[place])
                better = int((products[place] > last[place]).sum())
                beside = (start + place) * len(right) // len(left)
                nearest = np.argsort(np.abs(tied - beside), kind="stable")
                wanted[place, tied[nearest[CANDIDATES - better :]]] = False
        row, column = np.nonzero(wanted)
        rows.append(row + start)
        columns.append(column)
    return np.concatenate(rows), np.concatenate(columns)


def _with_neighbours(
    left: SentenceVectors, right: SentenceVectors, rows: Integers, columns: Integers
) -> NDArray[np.float64]:
    """Candidates alone and with the next sentence: left from and to, right from and to, how alike, what they gain."""
    products = left.products(right, rows, columns).astype(np.float64)
    norms, other_norms = left.norms(), right.norms()
    sizes, other_sizes = left.sizes(), right.sizes()
    made = []
    for a, b in ((1, 1), (2, 1), (1, 2)):
        inside = (rows + a <= len(left)) & (columns + b <= len(right))
        first, other_first, total = rows[inside], columns[inside], products[inside]
        if a + b > 2:
            total = total + left.products(right, first + a - 1, other_first + b - 1)
        length = norms[a - 1, first] * other_norms[b - 1, other_first]
        alike = np.round(total / np.maximum(length, 1e-9), 6)
        apart = np.abs(sizes[a - 1, first] - other_sizes[b - 1, other_first])
        gains = np.round(alike - AGAINST_JOINING * (a + b - 2) - AGAINST_SIZES * apart, 6)
        made.append(np.stack([first, first + a, other_first, other_first + b, alike, gains], axis=1))
    found = np.concatenate(made)
    return np.asarray(found[found[:, 5] > 0])
