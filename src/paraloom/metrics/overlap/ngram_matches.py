"""Tokens of outputs and references in, out comes how many n-grams of each length they share.

The references' n-grams are the paths of a trie whose branches stand in one hash table: the path so far and the next
word are the key, and keys are compared whole, so no collision ever decides a count. An output is walked through it
from each of its tokens on; all is linear in the number of tokens.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: neighbouring keys come to lie far apart (Knuth)."""
WORD_BITS = np.uint64(32)
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)


@compiled
def _find(keys: NDArray[np.uint64], shift: int, last: int, path: int, word: int) -> int:
    """The slot of this path and next word, or the empty one where they would stand. A slot's number + 1 is its path."""
    key = (np.uint64(path) << WORD_BITS) | np.uint64(word)
    slot = int(np.int64((key * SPREAD) >> np.uint64(shift)))  # an index is signed, else sums with it are floats
    while keys[slot] != key and keys[slot] != EMPTY:
        slot = (slot + 1) & last
    return slot


@compiled
def count_matches(
    output_ids: NDArray[np.int32],
    output_bounds: NDArray[np.int64],
    output_of: NDArray[np.int64],
    reference_ids: NDArray[np.int32],
    reference_bounds: NDArray[np.int64],
    first_references: NDArray[np.int64],
    order: int,
    matches: NDArray[np.int64],
) -> None:
    """Write row by row how many n-grams of 1 to `order` tokens an output shares with its references.

    Row n compares output `output_of[n]` with the references from `first_references[n]` up to `first_references[n + 1]`.
    An n-gram counts as often as it stands in the output, and at most as often as in the one reference that has most.
    """
    keys = np.empty(64, dtype=np.uint64)
    most = np.empty(64, dtype=np.int32)
    seen = np.empty(64, dtype=np.int32)
    seen_in = np.empty(64, dtype=np.int64)
    for row in range(len(output_of)):
        ngrams = 0
        for reference in range(first_references[row], first_references[row + 1]):
            ngrams += order * (reference_bounds[reference + 1] - reference_bounds[reference])
        size, shift = 8, 61
        while size < 2 * ngrams:
            size, shift = 2 * size, shift - 1
        last = size - 1
        if size > len(keys):
            keys = np.empty(size, dtype=np.uint64)
            most = np.empty(size, dtype=np.int32)
            seen = np.empty(size, dtype=np.int32)
            seen_in = np.empty(size, dtype=np.int64)
        keys[:size] = EMPTY

        for reference in range(first_references[row], first_references[row + 1]):
            end = reference_bounds[reference + 1]
            for start in range(reference_bounds[reference], end):
                path = 0
                for place in range(start, min(start + order, end)):
                    word = reference_ids[place]
                    slot = _find(keys, shift, last, path, word)
                    if keys[slot] == EMPTY:
                        keys[slot] = (np.uint64(path) << WORD_BITS) | np.uint64(word)
                        most[slot] = 0
                        seen_in[slot] = -1
                    if seen_in[slot] != reference:
                        seen_in[slot] = reference
                        seen[slot] = 0
                    seen[slot] += 1
                    most[slot] = max(most[slot], seen[slot])
                    path = slot + 1

        seen[:size] = 0
        for length in range(order):
            matches[row, length] = 0
        output = output_of[row]
        end = output_bounds[output + 1]
        for start in range(output_bounds[output], end):
            path = 0
            for place in range(start, min(start + order, end)):
                word = output_ids[place]
                if word < 0:
                    break
                slot = _find(keys, shift, last, path, word)
                if keys[slot] == EMPTY:
                    break  # what goes on from here is in no reference either
                seen[slot] += 1
                if seen[slot] <= most[slot]:
                    matches[row, place - start] += 1
                path = slot + 1


@compiled
def closest_lengths(
    lengths: NDArray[np.int64], reference_lengths: NDArray[np.int64], first_references: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For each output the length of the reference that is nearest in length, of two the shorter."""
    closest = np.empty(len(lengths), dtype=np.int64)
    for row in range(len(lengths)):
        best = reference_lengths[first_references[row]]
        for reference in range(first_references[row] + 1, first_references[row + 1]):
            length = reference_lengths[reference]
            nearer = abs(lengths[row] - length) - abs(lengths[row] - best)
            if nearer < 0 or (nearer == 0 and length < best):
                best = length
        closest[row] = best
    return closest
