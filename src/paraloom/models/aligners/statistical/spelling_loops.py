"""Words as letters in, how alike they are in spelling out: loops over numbers alone, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]


@compiled
def likenesses(
    rows: Codes, columns: Codes, letters: Codes, starts: Integers, can_be_alike: NDArray[np.bool_], least: float
) -> NDArray[np.float32]:
    """For each two words their longest common subsequence as a share of the longer one; 0 below `least`.

    The same word, and one that can be alike to none, has 0 as well.
    """
    found = np.zeros(len(rows), np.float32)
    longest = 0
    for word in range(len(starts) - 1):
        longest = max(longest, starts[word + 1] - starts[word])
    before = np.zeros(longest + 1, np.int32)
    for number in range(len(rows)):
        one, other = rows[number], columns[number]
        if one == other or not (can_be_alike[one] and can_be_alike[other]):
            continue
        first, end = starts[one], starts[one + 1]
        other_first, other_end = starts[other], starts[other + 1]
        length, other_length = end - first, other_end - other_first
        if min(length, other_length) < least * max(length, other_length):
            continue
        before[: other_length + 1] = 0
        for at in range(first, end):
            diagonal = np.int32(0)
            for place in range(other_length):
                above = before[place + 1]
                if letters[at] == letters[other_first + place]:
                    before[place + 1] = diagonal + 1
                elif before[place] > above:
                    before[place + 1] = before[place]
                diagonal = above
        share = before[other_length] / max(length, other_length)
        if share >= least:
            found[number] = share
    return found
