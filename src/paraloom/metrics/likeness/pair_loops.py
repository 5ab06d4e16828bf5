"""Letters of pairs of texts in, products of their n-gram counts out. Loops over numbers, nothing else.

The n-grams are those of `gram_loops.count_grams`, told apart by 64 bits. A pair's few hundred are counted in a table
that stays in the cache, where counting over a million buckets would miss it at every step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Letters = NDArray[np.uint32]

SMALLEST = 1024
"""Places of the table at least; a power of two."""


@compiled
def _count(
    letters: Letters,
    begin: Any,
    end: Any,
    blanks: NDArray[np.bool_],
    shortest: int,
    longest: int,
    keys: NDArray[np.uint64],
    counts: NDArray[np.int32],
    used: NDArray[np.int32],
    filled: int,
    mask: Any,
) -> int:
    """Add the n-grams of one text to its counts; gives how many places of the table are in use."""
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
                    key = max(gram, np.uint64(1))  # 0 is an empty place
                    slot = np.int64((gram ^ (gram >> np.uint64(29))) & mask)
                    while keys[slot] != key and keys[slot] != 0:
                        slot = np.int64(np.uint64(slot + 1) & mask)
                    if keys[slot] == 0:
                        keys[slot] = key
                        used[filled] = slot
                        filled += 1
                    counts[slot] += 1
        place = stop
    return filled


@compiled
def pair_products(
    left: Letters,
    left_ends: Integers,
    right: Letters,
    right_ends: Integers,
    blanks: NDArray[np.bool_],
    shortest: int,
    longest: int,
) -> NDArray[np.int64]:
    """For every pair of texts the product of their counts, and of the counts of each with themselves: three columns.

    Letters are code points of all texts behind one another; `ends` is where each text ends.
    """
    result = np.zeros((len(left_ends), 3), np.int64)
    longest_left, longest_right = 0, 0
    for pair in range(len(left_ends)):
        longest_left = max(longest_left, left_ends[pair] - (left_ends[pair - 1] if pair else 0))
        longest_right = max(longest_right, right_ends[pair] - (right_ends[pair - 1] if pair else 0))
    most = 1 + 2 * (longest_left + longest_right) * (longest - shortest + 1) * 2  # a letter alone has two blanks
    room = SMALLEST
    while room < 2 * most:
        room *= 2
    keys = np.zeros(room, np.uint64)
    ours, theirs = np.zeros(room, np.int32), np.zeros(room, np.int32)
    used = np.empty(room, np.int32)
    for pair in range(len(left_ends)):
        left_begin = left_ends[pair - 1] if pair else 0
        right_begin = right_ends[pair - 1] if pair else 0
        size = left_ends[pair] - left_begin + right_ends[pair] - right_begin
        places = SMALLEST
        while places < room and places < 8 * size * (longest - shortest + 1):
            places *= 2
        mask = np.uint64(places - 1)
        filled = _count(left, left_begin, left_ends[pair], blanks, shortest, longest, keys, ours, used, 0, mask)
        filled = _count(
            right, right_begin, right_ends[pair], blanks, shortest, longest, keys, theirs, used, filled, mask
        )
        for at in range(filled):
            slot = used[at]
            result[pair, 0] += np.int64(ours[slot]) * theirs[slot]
            result[pair, 1] += np.int64(ours[slot]) * ours[slot]
            result[pair, 2] += np.int64(theirs[slot]) * theirs[slot]
            keys[slot] = 0
            ours[slot] = 0
            theirs[slot] = 0
    return result
