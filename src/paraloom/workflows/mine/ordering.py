"""Rows laid down in a run in, ranges of a score out, so that they can be put in order a range at a time.

Where the ranges are cut decides how much memory a range takes, and nothing else: they are ordered themselves, and rows
are sorted within each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

if TYPE_CHECKING:
    from paraloom.engine.layout import Laid

LOOKED_AT = 1 << 20
"""So many scores tell where to cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ordered:
    """A pair and what it is ordered by: the first number, then the second, both from high to low, then its id."""

    range: int
    pair_id: str
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class Bounds:
    """Scores at which ranges are cut, from high to low."""

    cuts: tuple[float, ...]

    def ranges_of(self, scores: NDArray[np.float64]) -> NDArray[np.int64]:
        """The range of every score; the best are in range 0.

        >>> Bounds((0.8, 0.5)).ranges_of(np.array([0.9, 0.8, 0.6, 0.5, 0.1])).tolist()
        [0, 0, 1, 1, 2]
        """
        ascending = -np.asarray(self.cuts)
        return np.searchsorted(ascending, -scores, side="left").astype(np.int64)


def bounds_of(laid: Laid, column: str) -> Bounds:
    """Where to cut so that each of as many ranges as there are buckets has about as many of the kept rows."""
    looked_at: list[NDArray[np.float64]] = []
    found = 0
    for rows in laid.rows((column, "dropped_for")):
        scores = rows.filter(pc.is_null(rows.column("dropped_for"))).column(column).to_numpy()
        looked_at.append(scores)
        found += len(scores)
        if found >= LOOKED_AT:
            break
    scores = np.concatenate([np.empty(0), *looked_at])
    if laid.buckets < 2 or not len(scores):
        return Bounds(())
    shares = np.linspace(1, 0, laid.buckets + 1)[1:-1]
    return Bounds(tuple(sorted({float(cut) for cut in np.quantile(scores, shares)}, reverse=True)))


def counts_below(laid: Laid) -> tuple[int, ...]:
    """For every range, how many rows the better ranges have together."""
    counts = np.zeros(laid.buckets + 1, np.int64)
    for rows in laid.rows((laid.key,)):
        counts[1:] += np.bincount(rows.column(laid.key).to_numpy(), minlength=laid.buckets)
    return tuple(np.cumsum(counts).tolist())


def in_order(rows: pa.Table) -> pa.Array:
    """The places of rows from the best to the worst."""
    return pc.sort_indices(rows, [("first", "descending"), ("second", "descending"), ("pair_id", "ascending")])
