"""Letters in, their n-grams counted out; sparse vectors in, their products out. Loops over numbers, nothing else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Buckets = NDArray[np.int32]
Weights = NDArray[np.float32]


@compiled
def count_grams(
    letters: NDArray[np.uint32], ends: Integers, blanks: NDArray[np.bool_], shortest: int, longest: int, buckets: int
) -> tuple[Integers, Buckets, Weights]:
    """The n-grams of every text within its words, a blank at either end of a word: where each text's begin, which
    buckets they fall into, rising, and how often.

    `letters` are the code points of all texts behind one another, `ends` where each text ends, `blanks` which code
    points are white space (those beyond it are not). A word that is shorter than the shortest n-gram gives itself.
    """
    starts = np.zeros(len(ends) + 1, np.int64)
    most = (len(letters) + 2 * len(ends)) * (longest - shortest + 1) + len(letters)
    found = np.empty(most, np.int32)
    counts = np.empty(most, np.float32)
    last_text = np.full(buckets, -1, np.int32)  # the text that met this bucket last, and how often
    times = np.zeros(buckets, np.int32)
    kept = 0
    begin = 0
    for text in range(len(ends)):
        end = ends[text]
        first = kept
        place = begin
        while place < end:
            if letters[place] < len(blanks) and blanks[letters[place]]:
                place += 1
                continue
            stop = place
            while stop < end and not (letters[stop] < len(blanks) and blanks[letters[stop]]):
                stop += 1
            length = stop - place + 2  # with a blank before and behind
            least = min(shortest, length)
            for window in range(length - least + 1):
                gram = np.uint64(14695981039346656037)
                for step in range(window, min(window + longest, length)):
                    inside = step > 0 and step < length - 1
                    letter = np.uint64(letters[place + step - 1]) if inside else np.uint64(32)
                    gram = (gram ^ letter) * np.uint64(1099511628211)
                    if step - window + 1 >= least:
                        bucket = np.int64((gram ^ (gram >> np.uint64(29))) % np.uint64(buckets))
                        if last_text[bucket] != text:
                            last_text[bucket] = text
                            times[bucket] = 0
                            found[kept] = bucket
                            kept += 1
                        times[bucket] += 1
            place = stop
        found[first:kept].sort()
        for at in range(first, kept):
            counts[at] = times[found[at]]
        starts[text + 1] = kept
        begin = end
    return starts, found[:kept].copy(), counts[:kept].copy()


@compiled
def row_products(
    starts: Integers,
    buckets: Buckets,
    weights: Weights,
    other_starts: Integers,
    other_buckets: Buckets,
    other_weights: Weights,
    rows: Integers,
    others: Integers,
    bucket_count: int,
) -> Weights:
    """The product of row `rows[i]` of one set of sparse vectors with row `others[i]` of another.

    It is quickest where the same row stands several times in a row.
    """
    result = np.zeros(len(rows), np.float32)
    dense = np.zeros(bucket_count, np.float32)
    spread = -1  # the row whose weights lie in `dense`
    for place in range(len(rows)):
        row, other = rows[place], others[place]
        if row != spread:
            if spread >= 0:
                for at in range(starts[spread], starts[spread + 1]):
                    dense[buckets[at]] = 0.0
            for at in range(starts[row], starts[row + 1]):
                dense[buckets[at]] = weights[at]
            spread = row
        total = 0.0
        for at in range(other_starts[other], other_starts[other + 1]):
            total += dense[other_buckets[at]] * other_weights[at]
        result[place] = total
    return result


@compiled
def all_products(
    starts: Integers,
    buckets: Buckets,
    weights: Weights,
    other_starts: Integers,
    other_buckets: Buckets,
    other_weights: Weights,
    bucket_count: int,
) -> Weights:
    """The product of every row with every other row."""
    result = np.zeros((len(starts) - 1, len(other_starts) - 1), np.float32)
    dense = np.zeros(bucket_count, np.float32)
    for row in range(len(starts) - 1):
        for place in range(starts[row], starts[row + 1]):
            dense[buckets[place]] = weights[place]
        for other in range(len(other_starts) - 1):
            total = 0.0
            for place in range(other_starts[other], other_starts[other + 1]):
                total += dense[other_buckets[place]] * other_weights[place]
            result[row, other] = total
        for place in range(starts[row], starts[row + 1]):
            dense[buckets[place]] = 0.0
    return result


@compiled
def sketches(starts: Integers, buckets: Buckets, weights: Weights, width: int, salt: int) -> Weights:
    """Every sparse vector folded into `width` numbers; products of those are products of the vectors, about."""
    result = np.zeros((len(starts) - 1, width), np.float32)
    for row in range(len(starts) - 1):
        for place in range(starts[row], starts[row + 1]):
            mixed = (np.uint64(buckets[place]) + np.uint64(salt) * np.uint64(40503)) * np.uint64(11400714819323198485)
            mixed ^= mixed >> np.uint64(31)
            sign = 1.0 if (mixed >> np.uint64(13)) & np.uint64(1) else -1.0
            result[row, np.int64(mixed % np.uint64(width))] += sign * weights[place]
    return result


@compiled
def sketch_products(sketches: Weights, other_sketches: Weights, rows: Integers, others: Integers) -> Weights:
    """The product of sketch `rows[i]` of one set with sketch `others[i]` of another."""
    result = np.zeros(len(rows), np.float32)
    for place in range(len(rows)):
        one, other = sketches[rows[place]], other_sketches[others[place]]
        total = np.float32(0.0)
        for at in range(len(one)):
            total += one[at] * other[at]
        result[place] = total
    return result
