"""The documents of a block in, the pairs of them that are alike enough out.

A few documents are compared one by one. Many are first compared by sketches: every vector is folded into a thousand
numbers, so that one product of matrices tells all likenesses with an error of about .03. Pairs that come near the
wanted likeness are looked at by a second sketch, which halves the square of the error, and what is left is compared
exactly. A pair at the very edge is overlooked about once in a thousand times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.likeness.character_tfidf import CharacterVectors

FEW = 256
"""So many documents at most are compared without sketches."""
WIDTH = 1024
SLACK = 3.2 / np.sqrt(WIDTH)
"""A sketch that is less than this below the wanted likeness is looked at again: 3.2 times the error it has."""
SECOND_SLACK = 3.2 / np.sqrt(2 * WIDTH)
"""The same for the mean of two sketches."""
ROWS_AT_ONCE = 1024
DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """Two documents, by their place, and how alike they are."""

    left: int
    right: int
    likeness: float


def near_pairs(
    vectors: CharacterVectors,
    *,
    low: float,
    guests: NDArray[np.bool_] | None = None,
    times: NDArray[np.float64] | None = None,
    window_days: float = 0.0,
) -> Iterator[Near]:
    """Pairs at least `low` alike, the left before the right in the given order; guests are not paired with guests.

    With a window, only those whose times (in seconds) are at most so many days apart.
    """
    from paraloom.metrics.likeness.gram_loops import sketch_products

    count = len(vectors)
    guests = np.zeros(count, bool) if guests is None else guests
    sketches = vectors.sketches(WIDTH) if count > FEW else None
    second = vectors.sketches(WIDTH, salt=1) if count > FEW else None
    for start in range(0, count, ROWS_AT_ONCE):
        rows = np.arange(start, min(start + ROWS_AT_ONCE, count))
        wanted = np.arange(count)[None, :] > rows[:, None]
        wanted &= ~(guests[rows, None] & guests[None, :])
        if times is not None and window_days:
            wanted &= np.abs(times[rows, None] - times[None, :]) <= window_days * DAY
        if sketches is None or second is None:
            left, right = np.nonzero(wanted)
            left += start
        else:
            likely = sketches[rows] @ sketches.T
            left, right = np.nonzero(wanted & (likely >= low - SLACK))
            likely = likely[left, right]
            left += start
            near = (likely + sketch_products(second, left, right)) / 2 >= low - SECOND_SLACK
            left, right = left[near], right[near]
        likenesses = vectors.cosines_of_rows(vectors, left, right)
        for place in np.flatnonzero(np.round(likenesses, 6) >= low):
            yield Near(
                left=int(left[place]), right=int(right[place]), likeness=round(float(min(likenesses[place], 1.0)), 6)
            )
