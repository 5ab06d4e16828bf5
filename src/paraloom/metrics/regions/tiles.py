"""Judged pairs with two numbers each in, a map of tiles out: how many are negative in each (figure 7 of the paper).

Kanerva et al. (2023, section 7.2): lexical similarity upwards, the classifier's confidence that a pair is no paraphrase
to the right, both cut into steps of .2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.regions.estimates import Share, weighted_share
from paraloom.metrics.regions.intervals import intervals_of

STEPS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """The pairs of one interval of similarity and one of confidence."""

    similarity: int
    confidence: int
    pairs: int
    negatives: int
    share: Share
    """Of negatives, by weight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileMap:
    """All tiles, those of the lowest similarity first."""

    steps: int
    tiles: tuple[Tile, ...]

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.tiles)

    def at(self, similarity: int, confidence: int) -> Tile:
        """One tile."""
        return self.tiles[similarity * self.steps + confidence]


def tile_map(
    similarity: NDArray[np.float64],
    confidence: NDArray[np.float64],
    is_negative: NDArray[np.bool_],
    weights: NDArray[np.float64],
    steps: int = STEPS,
    strata: NDArray[np.int64] | None = None,
) -> TileMap:
    """Count pairs and negatives tile by tile; `strata` are the intervals that pairs were drawn from.

    >>> numbers = np.array([0.1, 0.1, 0.9])
    >>> made = tile_map(numbers, 1 - numbers, np.array([True, False, False]), np.ones(3))
    >>> made.at(0, 4).pairs, made.at(0, 4).negatives, made.at(4, 0).share.value, made.at(2, 2).share.value
    (2, 1, 0.0, None)
    """
    rows, columns = intervals_of(similarity, steps), intervals_of(confidence, steps)
    tiles = []
    for row in range(steps):
        for column in range(steps):
            inside = (rows == row) & (columns == column)
            tiles.append(
                Tile(
                    similarity=row,
                    confidence=column,
                    pairs=int(inside.sum()),
                    negatives=int(is_negative[inside].sum()),
                    share=weighted_share(is_negative, weights, among=inside, strata=strata),
                )
            )
    return TileMap(steps=steps, tiles=tuple(tiles))
