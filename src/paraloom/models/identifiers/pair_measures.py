"""Tokens of pairs in, what the two texts of each pair share and miss out, in loops over numbers.

Of every measure that has two directions (how much of one text is in the other) the lower and the higher value are
written, so that the order of the texts does not matter. `FEATURES` names the columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled
from paraloom.models.identifiers.pair_tokens import NAME, NUMBER

WORD_ORDERS, STEM_ORDERS, CHARACTER_ORDERS = (1, 2, 3), (1, 2), (3, 4)
BOTH_WAYS = (
    *(f"words_{order}" for order in WORD_ORDERS),
    *(f"stems_{order}" for order in STEM_ORDERS),
    *(f"characters_{order}" for order in CHARACTER_ORDERS),
    "same_order",  # longest common subsequence of stems
    "longest_run",  # of stems
    "weight_shared",  # of words by their rarity
    "weight_near",  # the same, each word by its nearest on the other side
    "near",
    "worst",  # what is lost by the word that is missed most, and by the second
    "second_worst",
    "weight_lost",
    "weight_missing",
    "missing",
    "numbers_missing",
    "names_missing",
    "length",
    "weight",
)
"""Measured in both directions."""
ONCE = ("tfidf", "centroids", "rests", "numbers_shared", "length_ratio")
FEATURES = (*(f"{name}_{side}" for name in BOTH_WAYS for side in ("lower", "higher")), *ONCE)
"""The columns, in their order."""

MOST_TOKENS = 256
"""Of a longer text only so many tokens are compared."""
MOST_CHARACTERS = 2048
SCALE = 127.0 * 127.0
"""The product of two vectors of length 127 that are one."""
NEAREST_OTHER = 0.99
"""Two words that are not the same are no nearer than this."""
SAME = 1.0


@compiled
def _token_ngrams(tokens: NDArray[np.uint64], first: int, count: int, order: int, into: NDArray[np.uint64]) -> int:
    """Sorted hashes of the n-grams of some tokens; returns how many there are."""
    ngrams = max(0, count - order + 1)
    for place in range(ngrams):
        found = np.uint64(order)
        for offset in range(order):
            found = (found ^ tokens[first + place + offset]) * np.uint64(0x9E3779B97F4A7C15)
            found ^= found >> np.uint64(29)
        into[place] = found
    into[:ngrams].sort()
    return ngrams


@compiled
def _character_ngrams(text: NDArray[np.uint8], first: int, count: int, order: int, into: NDArray[np.uint64]) -> int:
    """The same of characters, whose bytes are the number itself."""
    ngrams = max(0, count - order + 1)
    for place in range(ngrams):
        found = np.uint64(0)
        for offset in range(order):
            found = (found << np.uint64(8)) | np.uint64(text[first + place + offset])
        into[place] = found
    into[:ngrams].sort()
    return ngrams


@compiled
def _in_both(left: NDArray[np.uint64], lefts: int, right: NDArray[np.uint64], rights: int) -> int:
    """How many of two sorted rows are the same, each as often as it stands in both."""
    one, other, found = 0, 0, 0
    while one < lefts and other < rights:
        if left[one] == right[other]:
            found, one, other = found + 1, one + 1, other + 1
        elif left[one] < right[other]:
            one += 1
        else:
            other += 1
    return found


@compiled
def _compare(
    left: tuple[int, int],
    right: tuple[int, int],
    stems: NDArray[np.uint64],
    vectors: NDArray[np.int8],
    known: NDArray[np.bool_],
    nearest: NDArray[np.float64],
    lengths: NDArray[np.int64],
    runs: NDArray[np.int64],
) -> tuple[int, int]:
    """For each token how near the nearest of the other text is; how long the longest common subsequence and run are.

    `nearest` has a row for each side; `lengths` and `runs` have room for a row each of both tables.
    """
    (first, count), (other_first, other_count) = left, right
    width = vectors.shape[1]
    nearest[0, :count], nearest[1, :other_count] = 0.0, 0.0
    lengths[:], runs[:] = 0, 0
    longest = 0
    for one in range(count):
        now, before = (one + 1) % 2, one % 2
        for other in range(other_count):
            if stems[first + one] == stems[other_first + other]:
                near = SAME
                lengths[now, other + 1] = lengths[before, other] + 1
                runs[now, other + 1] = runs[before, other] + 1
                longest = max(longest, runs[now, other + 1])
            else:
                near = 0.0
                lengths[now, other + 1] = max(lengths[before, other + 1], lengths[now, other])
                runs[now, other + 1] = 0
                if known[first + one] and known[other_first + other]:
                    product = np.int32(0)  # whole numbers: the sum is the same in any order, on any machine
                    for column in range(width):
                        product += np.int32(vectors[first + one, column]) * np.int32(
                            vectors[other_first + other, column]
                        )
                    near = min(max(product / SCALE, 0.0), NEAREST_OTHER)
            nearest[0, one] = max(nearest[0, one], near)
            nearest[1, other] = max(nearest[1, other], near)
    return lengths[count % 2, other_count], longest


@compiled
def _sums_of_side(
    first: int,
    count: int,
    marks: NDArray[np.uint8],
    weights: NDArray[np.float64],
    nearest: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """What one text has in the other: see the order in which `measure_pairs` takes them."""
    sums[:] = 0.0
    for token in range(count):
        weight, near, mark = weights[first + token], nearest[token], marks[first + token]
        sums[0] += weight
        sums[2] += weight * near
        sums[3] += near
        if near == SAME:
            sums[1] += weight
            sums[9] += mark & NUMBER != 0
            continue
        sums[6] += 1
        sums[7] += mark & NUMBER != 0
        sums[8] += mark & NAME != 0
        lost = weight * (SAME - near)
        if lost > sums[4]:
            sums[4], sums[5] = lost, sums[4]
        elif lost > sums[5]:
            sums[5] = lost


@compiled
def _centre(
    first: int,
    count: int,
    vectors: NDArray[np.int8],
    weights: NDArray[np.float64],
    nearest: NDArray[np.float64],
    missing_only: bool,
    into: NDArray[np.float64],
) -> None:
    """The weighted sum of a text's vectors, or of those of its words that the other text has not."""
    into[:] = 0.0
    for token in range(count):
        if not missing_only or nearest[token] < SAME:
            for column in range(len(into)):
                into[column] += weights[first + token] * vectors[first + token, column]


@compiled
def _cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    product, length, other_length = 0.0, 0.0, 0.0
    for column in range(len(one)):
        product += one[column] * other[column]
        length += one[column] * one[column]
        other_length += other[column] * other[column]
    return product / np.sqrt(length * other_length) if length > 0 and other_length > 0 else 0.0


@compiled
def _tfidf(
    left: tuple[int, int], right: tuple[int, int], words: NDArray[np.uint64], weights: NDArray[np.float64]
) -> float:
    (first, count), (other_first, other_count) = left, right
    product, length, other_length = 0.0, 0.0, 0.0
    for one in range(count):
        for other in range(other_count):
            if words[first + one] == words[other_first + other]:
                product += weights[first + one] * weights[other_first + other]
        for other in range(count):
            if words[first + one] == words[first + other]:
                length += weights[first + one] * weights[first + other]
    for one in range(other_count):
        for other in range(other_count):
            if words[other_first + one] == words[other_first + other]:
                other_length += weights[other_first + one] * weights[other_first + other]
    return product / np.sqrt(length * other_length) if length > 0 and other_length > 0 else 0.0


@compiled
def _write_both(features: NDArray[np.float64], column: int, one: float, other: float) -> int:
    features[column], features[column + 1] = min(one, other), max(one, other)
    return column + 2


@compiled
def _write_shares(features: NDArray[np.float64], column: int, shared: int, ours: int, theirs: int) -> int:
    """The share of each side that is in both; where neither has any, that of the order below it."""
    if ours + theirs == 0 and column > 0:
        features[column], features[column + 1] = features[column - 2], features[column - 1]
        return column + 2
    return _write_both(features, column, shared / max(ours, 1), shared / max(theirs, 1))


@compiled
def measure_pairs(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    clean: NDArray[np.uint8],
    clean_bounds: NDArray[np.int64],
    words: NDArray[np.uint64],
    stems: NDArray[np.uint64],
    marks: NDArray[np.uint8],
    token_bounds: NDArray[np.int64],
    weights: NDArray[np.float64],
    vectors: NDArray[np.int8],
    known: NDArray[np.bool_],
    features: NDArray[np.float64],
    missing: NDArray[np.int64],
    missing_bounds: NDArray[np.int64],
) -> None:
    """Write the features of each pair of texts, one row each, and the numbers of the tokens that one text alone has.

    These stand, pair after pair, in `missing`, which must have room for all tokens of both texts of every pair.
    """
    written = 0
    ours, theirs = np.empty(MOST_CHARACTERS, np.uint64), np.empty(MOST_CHARACTERS, np.uint64)
    nearest = np.zeros((2, MOST_TOKENS))
    lengths, runs = np.zeros((2, MOST_TOKENS + 1), np.int64), np.zeros((2, MOST_TOKENS + 1), np.int64)
    sums, other_sums = np.zeros(10), np.zeros(10)
    centre, other_centre = np.zeros(vectors.shape[1]), np.zeros(vectors.shape[1])
    for pair in range(len(left)):
        row = features[pair]
        first, other_first = token_bounds[left[pair]], token_bounds[right[pair]]
        count = min(MOST_TOKENS, token_bounds[left[pair] + 1] - first)
        other_count = min(MOST_TOKENS, token_bounds[right[pair] + 1] - other_first)
        column = 0
        for order in WORD_ORDERS:
            one = _token_ngrams(words, first, count, order, ours)
            other = _token_ngrams(words, other_first, other_count, order, theirs)
            column = _write_shares(row, column, _in_both(ours, one, theirs, other), one, other)
        for order in STEM_ORDERS:
            one = _token_ngrams(stems, first, count, order, ours)
            other = _token_ngrams(stems, other_first, other_count, order, theirs)
            column = _write_shares(row, column, _in_both(ours, one, theirs, other), one, other)
        for order in CHARACTER_ORDERS:
            begin, other_begin = clean_bounds[left[pair]], clean_bounds[right[pair]]
            characters = min(MOST_CHARACTERS, clean_bounds[left[pair] + 1] - begin)
            other_characters = min(MOST_CHARACTERS, clean_bounds[right[pair] + 1] - other_begin)
            one = _character_ngrams(clean, begin, characters, order, ours)
            other = _character_ngrams(clean, other_begin, other_characters, order, theirs)
            column = _write_shares(row, column, _in_both(ours, one, theirs, other), one, other)
        side, other_side = (first, count), (other_first, other_count)
        common, longest = _compare(side, other_side, stems, vectors, known, nearest, lengths, runs)
        size, other_size = max(count, 1), max(other_count, 1)
        column = _write_both(row, column, common / size, common / other_size)
        column = _write_both(row, column, longest / size, longest / other_size)
        _sums_of_side(first, count, marks, weights, nearest[0], sums)
        _sums_of_side(other_first, other_count, marks, weights, nearest[1], other_sums)
        whole, other_whole = max(sums[0], 1e-9), max(other_sums[0], 1e-9)
        column = _write_both(row, column, sums[1] / whole, other_sums[1] / other_whole)
        column = _write_both(row, column, sums[2] / whole, other_sums[2] / other_whole)
        column = _write_both(row, column, sums[3] / size, other_sums[3] / other_size)
        column = _write_both(row, column, sums[4], other_sums[4])
        column = _write_both(row, column, sums[5], other_sums[5])
        column = _write_both(row, column, sums[0] - sums[2], other_sums[0] - other_sums[2])
        column = _write_both(row, column, sums[0] - sums[1], other_sums[0] - other_sums[1])
        column = _write_both(row, column, sums[6], other_sums[6])
        column = _write_both(row, column, sums[7], other_sums[7])
        column = _write_both(row, column, sums[8], other_sums[8])
        column = _write_both(row, column, count, other_count)
        column = _write_both(row, column, sums[0], other_sums[0])
        row[column] = _tfidf(side, other_side, words, weights)
        _centre(first, count, vectors, weights, nearest[0], False, centre)
        _centre(other_first, other_count, vectors, weights, nearest[1], False, other_centre)
        row[column + 1] = _cosine(centre, other_centre)
        _centre(first, count, vectors, weights, nearest[0], True, centre)
        _centre(other_first, other_count, vectors, weights, nearest[1], True, other_centre)
        row[column + 2] = _cosine(centre, other_centre)
        row[column + 3] = min(sums[9], other_sums[9])
        row[column + 4] = min(size, other_size) / max(size, other_size)
        missing_bounds[pair] = written
        for token in range(count):
            if nearest[0, token] < SAME:
                missing[written] = first + token
                written += 1
        for token in range(other_count):
            if nearest[1, token] < SAME:
                missing[written] = other_first + token
                written += 1
    missing_bounds[len(left)] = written
