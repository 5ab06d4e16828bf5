"""Vectors in, how many of them are nearer to a query than its answer out: exactly, whatever the machine.

Two kinds: rows of numbers, as embedders give them, and the sparse ones of character n-grams. A similarity is the
product of two vectors of length 1, in whole millionths, so that rounding makes no order and real ties are ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.likeness.character_tfidf import CharacterVectors
from paraloom.metrics.parts import of_parts

Integers = NDArray[np.int64]

MILLIONTHS = 1_000_000
"""A similarity of 1."""

QUERIES_AT_ONCE = 1024
CANDIDATES_AT_ONCE = 8192
SPARSE_QUERIES_AT_ONCE = 64

Same = TypeVar("Same", bound="Vectors")


class Vectors(Protocol):
    """The vectors of some texts, each of length 1 (or 0, where nothing is known of a text)."""

    def __len__(self) -> int: ...

    def chosen(self: Same, rows: Integers) -> Same:
        """The vectors with these numbers, in this order."""

    def similarities(self: Same, other: Same, rows: Integers, others: Integers) -> Integers:
        """Of vector `rows[i]` of this set and vector `others[i]` of the other."""

    def count(self: Same, candidates: Same, wanted: Integers) -> tuple[Integers, Integers]:
        """For every vector of this set how many candidates are more similar to it than it wants, and how many as."""


@dataclass(frozen=True, slots=True)
class DenseVectors:
    """One row a text."""

    rows: NDArray[np.float32]
    device: str = "cpu"
    """Where they are compared: `cpu`, or a GPU of torch's. The counts are the same."""

    def __len__(self) -> int:
        return len(self.rows)

    def chosen(self, rows: Integers) -> DenseVectors:
        """The vectors with these numbers, in this order."""
        return DenseVectors(self.rows[rows], self.device)

    def similarities(self, other: DenseVectors, rows: Integers, others: Integers) -> Integers:
        """Of vector `rows[i]` of this set and vector `others[i]` of the other."""
        from paraloom.metrics.retrieval.place_loops import exact_millionths

        return exact_millionths(self.rows, other.rows, rows, others)

    def count(self, candidates: DenseVectors, wanted: Integers) -> tuple[Integers, Integers]:
        """For every vector of this set how many candidates are more similar to it than it wants, and how many as."""
        above = np.where(wanted < 0, len(candidates), 0).astype(np.int64)  # so it is of a text that nothing is known of
        tied = np.where(wanted == 0, len(candidates), 0).astype(np.int64)
        known = np.flatnonzero(self.rows.any(axis=1))
        if len(known):
            above[known], tied[known] = self._count(np.ascontiguousarray(self.rows[known]), candidates, wanted[known])
        return above, tied

    def _count(
        self, rows: NDArray[np.float32], candidates: DenseVectors, wanted: Integers
    ) -> tuple[Integers, Integers]:
        from paraloom.metrics.retrieval.place_loops import count_exactly
        from paraloom.metrics.retrieval.torch_counts import count_on_device

        # How far a float32 product of vectors of length 1 may be off, in whichever order it is summed (Higham, 2002,
        # section 3.1), and half a millionth.
        slack = 1.1 * rows.shape[1] * 2.0**-24 + 0.6e-6
        if self.device != "cpu":
            return count_on_device(rows, candidates.rows, wanted, slack, self.device)
        above, tied = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        for first in range(0, len(candidates), CANDIDATES_AT_ONCE):
            block = np.ascontiguousarray(candidates.rows[first : first + CANDIDATES_AT_ONCE])
            for start in range(0, len(rows), QUERIES_AT_ONCE):
                part = slice(start, start + QUERIES_AT_ONCE)
                queries = rows[part]
                count_exactly(queries @ block.T, queries, block, wanted[part], slack, above[part], tied[part])
        return above, tied


@dataclass(frozen=True, slots=True)
class SparseVectors:
    """Character n-grams and their weights, text by text."""

    grams: CharacterVectors

    def __len__(self) -> int:
        return len(self.grams)

    def chosen(self, rows: Integers) -> SparseVectors:
        """The vectors with these numbers, in this order."""
        lengths = np.diff(self.grams.starts)[rows]
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1] - self.grams.starts[rows], lengths)
        return SparseVectors(CharacterVectors(starts, self.grams.buckets[inside], self.grams.weights[inside]))

    def similarities(self, other: SparseVectors, rows: Integers, others: Integers) -> Integers:
        """Of vector `rows[i]` of this set and vector `others[i]` of the other."""
        return _millionths(self.grams.cosines_of_rows(other.grams, rows, others))

    def count(self, candidates: SparseVectors, wanted: Integers) -> tuple[Integers, Integers]:
        """For every vector of this set how many candidates are more similar to it than it wants, and how many as."""

        def some(first: int, last: int) -> tuple[Integers, Integers]:
            above, tied = np.zeros(last - first, np.int64), np.zeros(last - first, np.int64)
            for start in range(0, len(candidates), CANDIDATES_AT_ONCE):
                block = candidates.grams[start : min(start + CANDIDATES_AT_ONCE, len(candidates))]
                found = _millionths(self.grams[first:last].cosines(block))
                above += (found > wanted[first:last, None]).sum(1)
                tied += (found == wanted[first:last, None]).sum(1)
            return above, tied

        parts = of_parts(some, len(self), SPARSE_QUERIES_AT_ONCE)
        none = np.zeros(0, np.int64)
        return np.concatenate([none, *(one for one, _ in parts)]), np.concatenate([none, *(two for _, two in parts)])


def _millionths(cosines: NDArray[np.float32]) -> Integers:
    return np.floor(cosines.astype(np.float64) * MILLIONTHS + 0.5).astype(np.int64)
