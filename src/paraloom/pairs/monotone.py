"""The sentences of two documents that say things in the same order in; which of them go together out.

The best alignment in order by dynamic programming, as in Gale and Church (1993), but by how alike sentences are. The
few numbers were chosen on Swedish subtitles (Kanerva et al., 2023); from half to twice their size, little changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.pairs.bands import FOR_A_MATCH, SKETCH, WHOLE_TABLE, Band, band_for
from paraloom.pairs.similarities import SentenceVectors

SHAPES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))
"""So many sentences of the left may go with so many of the right."""
AGAINST_JOINING = 0.1
AGAINST_SIZES = 0.15
AROUND = 4
"""So many matches before and behind say whether the documents go together here."""


@dataclass(frozen=True, slots=True)
class Match:
    """Sentences in a row of the left document that go with sentences in a row of the right, counted from 0."""

    left: tuple[int, int]
    """First, and first no longer in it."""
    right: tuple[int, int]
    likeness: float
    around: float | None = None
    """Mean likeness of the matches before and behind; None where matches have no order."""


def matches_in_order(left: SentenceVectors, right: SentenceVectors, whole_table: int = WHOLE_TABLE) -> list[Match]:
    """The matches that together gain most; those sentences that have none are in none."""
    from paraloom.pairs.order_loops import best_in_order

    if not len(left) or not len(right):
        return []
    band = _band(left, right, whole_table)
    found, likenesses = best_in_order(
        band.low,
        band.high,
        band.cells,
        left.products_in(right, band),
        left.norms(),
        right.norms(),
        left.sizes(),
        right.sizes(),
        np.array(SHAPES, np.int64),
        FOR_A_MATCH,
        AGAINST_JOINING,
        AGAINST_SIZES,
    )
    alike = np.round(likenesses.astype(np.float64), 6)
    sums = np.concatenate([[0.0], np.cumsum(alike)])
    places = np.arange(len(found))
    begins, ends = np.maximum(places - AROUND, 0), np.minimum(places + AROUND + 1, len(found))
    others = ends - begins - 1
    around = np.where(others > 0, (sums[ends] - sums[begins] - alike) / np.maximum(others, 1), alike)
    return [
        Match((first, last), (other_first, other_last), likeness, round(near, 6))
        for (first, last, other_first, other_last), likeness, near in zip(
            found.tolist(), alike.tolist(), around.tolist(), strict=True
        )
    ]


def _band(left: SentenceVectors, right: SentenceVectors, whole_table: int) -> Band:
    if len(left) * len(right) <= whole_table:
        return Band.whole(len(left), len(right))
    return band_for(_sketches(left), _sketches(right), whole_table)


def _sketches(vectors: SentenceVectors) -> NDArray[np.float32]:
    letters = vectors.letters.sketches(SKETCH)
    return letters if vectors.meanings is None else np.concatenate([letters, vectors.meanings], axis=1)
