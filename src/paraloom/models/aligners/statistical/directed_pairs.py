"""What the compiled loops are given of pairs, and of what is known of their words, in one direction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners.statistical.vocabulary import CodedPairs, Codes, Integers

TOKEN_PAIRS_OF_PART = 1 << 17
"""So many one thread works on at a time."""


class DirectedPairs(NamedTuple):
    """Pairs whose one side (the target) is explained by the other (the source), word by word.

    Each target word stands for one source word, or for none. A named tuple, as compiled loops take those.
    """

    cell_starts: Integers
    places: Codes
    """The cell of each pair of tokens, left × right in each pair of texts."""
    source_starts: Integers
    target_starts: Integers
    target_words: Codes
    is_turned: bool
    """The source is the right side."""
    chances: NDArray[np.float64]
    """Of the target word of each cell by its source word."""
    null_chances: NDArray[np.float64]
    """Of each word to stand for none."""
    null_probability: float


def directed(
    coded: CodedPairs,
    places: Codes,
    chances: NDArray[np.float64],
    null_chances: NDArray[np.float64],
    null_probability: float,
    *,
    is_turned: bool,
) -> DirectedPairs:
    """The right side by the left one, or the left side by the right one where `is_turned`."""
    source, target = coded.left_starts, coded.right_starts
    return DirectedPairs(
        cell_starts=coded.cell_starts,
        places=places,
        source_starts=target if is_turned else source,
        target_starts=source if is_turned else target,
        target_words=coded.left if is_turned else coded.right,
        is_turned=is_turned,
        chances=chances,
        null_chances=null_chances,
        null_probability=null_probability,
    )
