"""Hashes in, row numbers out: one table of 64-bit keys that compiled loops can ask; and tokens in, their vectors out.

Keys lie in slots by their own low bits after a spread; a slot that is taken sends the key to the next one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled
from paraloom.models.identifiers.pair_tokens import FIRST_HASH, HASH_PRIME, INNER_HASH

SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: neighbouring keys come to lie far apart (Knuth)."""
NO_KEY = np.uint64(0)
ABSENT = -1


@compiled
def find_row(keys: NDArray[np.uint64], rows: NDArray[np.int32], key: np.uint64) -> int:
    """The row of a key; `ABSENT` where it has none."""
    last = np.uint64(len(keys) - 1)
    slot = ((key * SPREAD) >> np.uint64(20)) & last
    while keys[slot] != NO_KEY:
        if keys[slot] == key:
            return int(rows[slot])
        slot = (slot + np.uint64(1)) & last
    return ABSENT


@compiled
def find_rows(keys: NDArray[np.uint64], rows: NDArray[np.int32], wanted: NDArray[np.uint64]) -> NDArray[np.int32]:
    """The rows of many keys."""
    found = np.empty(len(wanted), np.int32)
    for place in range(len(wanted)):
        found[place] = find_row(keys, rows, wanted[place])
    return found


@compiled
def _fill(keys: NDArray[np.uint64], rows: NDArray[np.int32], given: NDArray[np.uint64]) -> None:
    last = np.uint64(len(keys) - 1)
    for row in range(len(given)):
        if given[row] == NO_KEY:
            continue
        slot = ((given[row] * SPREAD) >> np.uint64(20)) & last
        while keys[slot] != NO_KEY and keys[slot] != given[row]:
            slot = (slot + np.uint64(1)) & last
        if keys[slot] == NO_KEY:
            keys[slot], rows[slot] = given[row], row


def hashed(given: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """A table in which each key leads to its place among the keys given, the first one where it comes twice.

    >>> keys, rows = hashed(np.array([7, 9, 7], np.uint64))
    >>> find_rows(keys, rows, np.array([9, 7, 8], np.uint64)).tolist()
    [1, 0, -1]
    """
    size = 16
    while size < 2 * len(given):
        size *= 2
    keys, rows = np.zeros(size, np.uint64), np.full(size, ABSENT, np.int32)
    _fill(keys, rows, np.ascontiguousarray(given, np.uint64))
    return keys, rows


@compiled
def _longest_piece(
    clean: NDArray[np.uint8],
    first: int,
    last: int,
    begun: np.uint64,
    keys: NDArray[np.uint64],
    rows: NDArray[np.int32],
) -> tuple[int, int]:
    """The row of the longest piece that begins at `first`, and where it ends; `ABSENT` where none does."""
    found, end, so_far = ABSENT, first, begun
    for place in range(first, last):
        so_far = (so_far ^ np.uint64(clean[place])) * HASH_PRIME
        row = find_row(keys, rows, so_far)
        if row != ABSENT:
            found, end = row, place + 1
    return found, end


@compiled
def find_vectors(
    clean: NDArray[np.uint8],
    firsts: NDArray[np.int64],
    lasts: NDArray[np.int64],
    keys: NDArray[np.uint64],
    rows: NDArray[np.int32],
    table: NDArray[np.int8],
    vectors: NDArray[np.int8],
) -> NDArray[np.bool_]:
    """Write the vector of each token, of length 127; say of which tokens there is one.

    A word that is not in the table is cut into pieces that are, longest first (as BERT does), and their sum counts.
    """
    width = table.shape[1]
    known = np.empty(len(firsts), np.bool_)
    total = np.empty(width, np.int32)
    for token in range(len(firsts)):
        place, last = firsts[token], lasts[token]
        row, end = _longest_piece(clean, place, last, FIRST_HASH, keys, rows)
        known[token] = row != ABSENT
        if row != ABSENT and end == last:
            for column in range(width):
                vectors[token, column] = table[row, column]
            continue
        total[:] = 0
        while row != ABSENT:
            for column in range(width):
                total[column] += table[row, column]
            if end == last:
                break
            row, end = _longest_piece(clean, end, last, INNER_HASH, keys, rows)
        known[token] = row != ABSENT
        squares = 0.0
        for column in range(width):
            squares += float(total[column]) * total[column]
        scale = 127.0 / np.sqrt(squares) if squares > 0 and known[token] else 0.0
        for column in range(width):
            vectors[token, column] = np.int8(np.rint(total[column] * scale))
    return known
