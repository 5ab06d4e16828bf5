"""Products of sentence vectors in, the best alignment in order out: loops over numbers, nothing else.

A band is a part of the table of two documents' sentences: row i (so many sentences of the left) has the columns (so
many of the right) from `low[i]` to `high[i]`, and its cells lie from `starts[i]` on, one behind the other.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]


@compiled
def products_in_band(
    starts: Integers,
    buckets: NDArray[np.int32],
    weights: Floats,
    other_starts: Integers,
    other_buckets: NDArray[np.int32],
    other_weights: Floats,
    low: Integers,
    high: Integers,
    cells: Integers,
    bucket_count: int,
) -> Floats:
    """The product of sparse vectors i - 1 and j - 1 at cell (i, j) of a band; 0 in the first row and column."""
    result = np.zeros(cells[-1], np.float32)
    dense = np.zeros(bucket_count, np.float32)
    for row in range(1, len(low)):
        for place in range(starts[row - 1], starts[row]):
            dense[buckets[place]] = weights[place]
        for column in range(max(low[row], 1), high[row] + 1):
            total = 0.0
            for place in range(other_starts[column - 1], other_starts[column]):
                total += dense[other_buckets[place]] * other_weights[place]
            result[cells[row] + column - low[row]] = total
        for place in range(starts[row - 1], starts[row]):
            dense[buckets[place]] = 0.0
    return result


@compiled
def best_in_order(
    low: Integers,
    high: Integers,
    cells: Integers,
    products: Floats,
    left_norms: Floats,
    right_norms: Floats,
    left_sizes: Floats,
    right_sizes: Floats,
    shapes: Integers,
    for_a_match: float,
    against_joining: float,
    against_sizes: float,
) -> tuple[Integers, Floats]:
    """The matches, in order, that together gain most: (left from, left to, right from, right to) and how alike.

    A match of `a` sentences from i on with `b` from j on is as alike as the sums of their vectors: the products of
    each with each, divided by `left_norms[a - 1, i] * right_norms[b - 1, j]`. It gains that, times (a + b) / 2, plus
    `for_a_match`, less `against_joining` for every further sentence, less `against_sizes` times the difference of
    `left_sizes[a - 1, i]` and `right_sizes[b - 1, j]`. A sentence without a match gains nothing.
    """
    rows = len(low) - 1
    gains = np.zeros(cells[-1], np.float64)
    taken = np.zeros(cells[-1], np.int8)
    alike = np.zeros(cells[-1], np.float32)
    for i in range(rows + 1):
        for j in range(low[i], high[i] + 1):
            cell = cells[i] + j - low[i]
            if i == 0 and j == 0:
                continue
            most, step, how_alike = -np.inf, np.int8(-1), np.float32(0.0)
            if i > 0 and low[i - 1] <= j <= high[i - 1]:
                most = gains[cells[i - 1] + j - low[i - 1]]
            if j > low[i] and gains[cell - 1] > most:
                most, step = gains[cell - 1], np.int8(-2)
            for shape in range(len(shapes)):
                a, b = shapes[shape, 0], shapes[shape, 1]
                if i < a or j < b or not low[i - a] <= j - b <= high[i - a]:
                    continue
                total, inside = 0.0, True
                for row in range(i - a + 1, i + 1):
                    if j - b + 1 < low[row] or j > high[row]:
                        inside = False
                        break
                    for column in range(j - b + 1, j + 1):
                        total += products[cells[row] + column - low[row]]
                norms = left_norms[a - 1, i - a] * right_norms[b - 1, j - b]
                if not inside or norms <= 0.0:
                    continue
                likeness = total / norms
                gain = (
                    gains[cells[i - a] + j - b - low[i - a]]
                    + likeness * (a + b) / 2
                    + for_a_match
                    - against_joining * (a + b - 2)
                    - against_sizes * abs(left_sizes[a - 1, i - a] - right_sizes[b - 1, j - b])
                )
                if gain > most:
                    most, step, how_alike = gain, np.int8(shape), np.float32(likeness)
            gains[cell], taken[cell], alike[cell] = most, step, how_alike
    return _followed_back(low, high, cells, taken, alike, shapes)


@compiled
def _followed_back(
    low: Integers, high: Integers, cells: Integers, taken: NDArray[np.int8], alike: Floats, shapes: Integers
) -> tuple[Integers, Floats]:
    i, j = len(low) - 1, high[-1]
    found = np.zeros((min(i, j) + 1, 4), np.int64)
    likenesses = np.zeros(min(i, j) + 1, np.float32)
    count = 0
    while i > 0 or j > 0:
        cell = cells[i] + j - low[i]
        step = taken[cell]
        if step == -1:
            i -= 1
        elif step == -2:
            j -= 1
        else:
            a, b = shapes[step, 0], shapes[step, 1]
            found[count, 0], found[count, 1], found[count, 2], found[count, 3] = i - a, i, j - b, j
            likenesses[count] = alike[cell]
            count += 1
            i, j = i - a, j - b
    return found[:count][::-1].copy(), likenesses[:count][::-1].copy()
