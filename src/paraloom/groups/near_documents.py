"""The documents of a block in, the pairs of them that are alike enough out; or of two blocks, each with the other.

A few documents are compared one by one. Many are first compared by sketches: every vector is folded into a thousand
numbers, so that one product of matrices tells all likenesses with an error of about .03. Pairs that come near the
wanted likeness are looked at by a second sketch, which halves the square of the error, and what is left is compared
exactly. A pair at the very edge is overlooked about once in a thousand times.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

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
COLUMNS_AT_ONCE = 4096
DAY = 86_400.0

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """Pairs of documents, by their places, and how alike they are."""

    left: Places
    right: Places
    likeness: Floats


@dataclass(frozen=True)
class Compared:
    """Vectors of documents, and their times in seconds, rising."""

    vectors: CharacterVectors
    times: Floats | None = None

    def __len__(self) -> int:
        return len(self.vectors)

    @cached_property
    def sketches(self) -> NDArray[np.float32]:
        """Every vector folded."""
        return self.vectors.sketches(WIDTH)

    @cached_property
    def second_sketches(self) -> NDArray[np.float32]:
        """The same, folded another way."""
        return self.vectors.sketches(WIDTH, salt=1)


def near_pairs(one: Compared, other: Compared | None = None, *, low: float, window_days: float = 0.0) -> Iterator[Near]:
    """Pairs at least `low` alike, the left of one block, the right of the other; of one alone, in the order it has.

    With a window, only those whose times are at most so many days apart. They come in portions of a bounded size.
    """
    columns = one if other is None else other
    by_sketch = len(one) + (0 if other is None else len(other)) > FEW
    window = window_days * DAY if window_days else float("inf")
    for rows in _portions(0, len(one), ROWS_AT_ONCE):
        first, behind = _reach(one, rows, columns, window)
        for across in _portions(rows.start if other is None else first, behind, COLUMNS_AT_ONCE):
            wanted = _wanted(one, rows, columns, across, window)
            if other is None:
                wanted &= np.arange(across.start, across.stop)[None, :] > np.arange(rows.start, rows.stop)[:, None]
            near = _near(one, rows, columns, across, wanted, low if by_sketch else None)
            likeness = one.vectors.cosines_of_rows(columns.vectors, *near).astype(np.float64).clip(max=1.0).round(6)
            kept = likeness >= low
            if kept.any():
                yield Near(left=near[0][kept], right=near[1][kept], likeness=likeness[kept])


def _portions(start: int, stop: int, size: int) -> Iterator[slice]:
    for begin in range(start, stop, size):
        yield slice(begin, min(begin + size, stop))


def _reach(one: Compared, rows: slice, columns: Compared, window: float) -> tuple[int, int]:
    """From where to where documents can lie within the window of one of the rows."""
    if one.times is None or columns.times is None or window == float("inf"):
        return 0, len(columns)
    first = np.searchsorted(columns.times, one.times[rows.start] - window - 1.0)
    return int(first), int(np.searchsorted(columns.times, one.times[rows.stop - 1] + window + 1.0, side="right"))


def _wanted(one: Compared, rows: slice, columns: Compared, across: slice, window: float) -> NDArray[np.bool_]:
    if one.times is None or columns.times is None or window == float("inf"):
        return np.ones((rows.stop - rows.start, across.stop - across.start), bool)
    close: NDArray[np.bool_] = np.abs(one.times[rows, None] - columns.times[None, across]) <= window
    return close


def _near(
    one: Compared, rows: slice, columns: Compared, across: slice, wanted: NDArray[np.bool_], low: float | None
) -> tuple[Places, Places]:
    """The places of those that may be alike enough, as far as sketches tell."""
    from paraloom.metrics.likeness.gram_loops import sketch_products

    if low is None:
        left, right = np.nonzero(wanted)
        return left + rows.start, right + across.start
    likely = one.sketches[rows] @ columns.sketches[across].T
    left, right = np.nonzero(wanted & (likely >= low - SLACK))
    likely = likely[left, right]
    left, right = left + rows.start, right + across.start
    likely = (likely + sketch_products(one.second_sketches, columns.second_sketches, left, right)) / 2
    near = likely >= low - SECOND_SLACK
    return left[near], right[near]
