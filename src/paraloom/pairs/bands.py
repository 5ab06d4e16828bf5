"""Two long documents in, the part of the table of their sentences that an alignment in order can lie in, out.

Short documents are compared all with all. Of long ones, sentences are first taken two by two, again and again, until
the table is small; the best way through it, twice as large and a few sentences wider, is where the next finer table
is filled in (as in Vecalign; Thompson and Koehn, 2019). Time and memory grow with the documents' lengths, not with
their product.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WHOLE_TABLE = 1 << 20
"""Up to so many pairs of sentences, all are compared: 1,000 with 1,000."""
COARSE_TABLE = 1 << 18
MARGIN = 16
"""So many sentences before and behind the coarser way may be on the finer one."""
SKETCH = 128
"""Numbers that stand for a sentence while the way is sought."""
FOR_A_MATCH = 0.2

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Band:
    """For each number of sentences of the left document, the numbers of sentences of the right that go with it."""

    low: Integers
    high: Integers

    @classmethod
    def whole(cls, rows: int, columns: int) -> Band:
        """All of the table."""
        return cls(np.zeros(rows + 1, np.int64), np.full(rows + 1, columns, np.int64))

    @property
    def cells(self) -> Integers:
        """Where each row's cells begin, if all lie one behind the other; the last is their count."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.high - self.low + 1)])

    def products(self, left: Floats, right: Floats) -> Floats:
        """Vector i - 1 times vector j - 1 at cell (i, j); 0 in the first row and column."""
        cells = self.cells
        found = np.zeros(cells[-1], np.float32)
        for row in range(1, len(self.low)):
            first = max(int(self.low[row]), 1)
            begin = int(cells[row]) + first - int(self.low[row])
            found[begin : cells[row + 1]] = right[first - 1 : self.high[row]] @ left[row - 1]
        return found


def band_for(left: Floats, right: Floats, whole_table: int = WHOLE_TABLE, margin: int = MARGIN) -> Band:
    """Where the best alignment in order of these vectors lies, or all of the table if it is small."""
    if len(left) * len(right) <= whole_table or min(len(left), len(right)) < 2:
        return Band.whole(len(left), len(right))
    coarse_left, coarse_right = _halved(left), _halved(right)
    coarse = band_for(coarse_left, coarse_right, min(whole_table, COARSE_TABLE), margin)
    return _around(_way(coarse_left, coarse_right, coarse), len(left), len(right), margin)


def _halved(vectors: Floats) -> Floats:
    """The sums of two neighbours each; the last may be alone."""
    pairs = vectors[: len(vectors) // 2 * 2].reshape(-1, 2, vectors.shape[1]).sum(axis=1)
    return np.concatenate([pairs, vectors[len(vectors) // 2 * 2 :]])


def _way(left: Floats, right: Floats, band: Band) -> Integers:
    """The corners of the best way through a band, from (0, 0) to the end of both."""
    from paraloom.pairs.order_loops import best_in_order

    mean = np.concatenate([left, right]).mean(axis=0)  # what both have everywhere tells nothing about the way
    left, right = _of_length_one(left - mean), _of_length_one(right - mean)
    ones, other_ones = np.ones((1, len(left)), np.float32), np.ones((1, len(right)), np.float32)
    matches, _ = best_in_order(
        band.low,
        band.high,
        band.cells,
        np.round(band.products(left, right), 6),
        ones,
        other_ones,
        ones,
        other_ones,
        np.ones((1, 2), np.int64),
        FOR_A_MATCH,
        0.0,
        0.0,
    )
    corners = matches[:, [0, 2, 1, 3]].reshape(-1, 2)
    return np.concatenate([np.zeros((1, 2), np.int64), corners, np.array([[len(left), len(right)]])])


def _of_length_one(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)


def _around(corners: Integers, rows: int, columns: int, margin: int) -> Band:
    """A band of so many sentences on either side of a way that was found at half the size."""
    corners = np.minimum(corners * 2, [rows, columns])
    corners[-1] = rows, columns
    low, high = np.full(rows + 1, columns, np.int64), np.zeros(rows + 1, np.int64)
    steps = np.abs(np.diff(corners, axis=0)).max(axis=1)
    shares = np.concatenate([np.arange(step) / step for step in steps if step] + [np.ones(1)])
    begins = np.repeat(corners[:-1], steps, axis=0)
    moves = np.repeat(np.diff(corners, axis=0), steps, axis=0)
    points = np.concatenate([np.round(begins + moves * shares[:-1, None]).astype(np.int64), corners[-1:]])
    np.minimum.at(low, points[:, 0], points[:, 1])
    np.maximum.at(high, points[:, 0], points[:, 1])
    before = np.maximum(np.arange(rows + 1) - margin, 0)
    behind = np.minimum(np.arange(rows + 1) + margin, rows)
    return Band(np.maximum(low[before] - margin, 0), np.minimum(high[behind] + margin, columns))
