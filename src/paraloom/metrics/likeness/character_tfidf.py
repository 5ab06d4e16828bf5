"""Texts in, how alike they look out: cosine of their character n-grams, the commoner an n-gram the lighter.

N-grams lie within words, with a blank at either end of a word, as in Kanerva et al. (2023, sections 3.1 and 6.2). The
count of an n-gram in a text is damped (1 + its logarithm): without that, what common n-grams a text repeats outweighs
what it is about. N-grams are told apart by a bucket they are hashed into, so vectors need no dictionary, and what was
learnt from one set of texts is an array.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.likeness.lettered import BLANKS, letters_of

BUCKETS = 1 << 20
_LETTERS_AT_ONCE = 4_000_000
"""So many letters are turned into n-grams together: enough to be quick, little enough to fit anywhere."""


@dataclass(frozen=True, slots=True)
class CharacterVectors:
    """Sparse vectors of length 1, one a text (of length 0 where a text has no letters)."""

    starts: NDArray[np.int64]
    buckets: NDArray[np.int32]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, rows: slice) -> CharacterVectors:
        starts = self.starts[rows.start or 0 : (len(self) if rows.stop is None else rows.stop) + 1]
        inside = slice(starts[0], starts[-1])
        return CharacterVectors(starts - starts[0], self.buckets[inside], self.weights[inside])

    def cosines(self, other: CharacterVectors) -> NDArray[np.float32]:
        """Every vector of this set against every one of the other: a row a vector of this set."""
        from paraloom.metrics.likeness.gram_loops import all_products

        return all_products(
            self.starts, self.buckets, self.weights, other.starts, other.buckets, other.weights, BUCKETS
        )

    def cosines_of_rows(
        self, other: CharacterVectors, rows: NDArray[np.int64], others: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Vector `rows[i]` of this set against vector `others[i]` of the other."""
        from paraloom.metrics.likeness.gram_loops import row_products

        return row_products(
            self.starts, self.buckets, self.weights, other.starts, other.buckets, other.weights, rows, others, BUCKETS
        )

    def sketches(self, width: int, salt: int = 0) -> NDArray[np.float32]:
        """Dense vectors whose products are the cosines with an error of about 1 / √width; of another salt, another."""
        from paraloom.metrics.likeness.gram_loops import sketches

        return sketches(self.starts, self.buckets, self.weights, width, salt)


@dataclass(frozen=True)
class CharacterTfidf:
    """Makes vectors of texts."""

    shortest: int = 2
    longest: int = 4
    commonness: NDArray[np.float32] | None = None
    """By bucket, what an occurrence weighs; None: all alike."""

    @classmethod
    def of(cls, texts: Iterable[str], *, shortest: int = 2, longest: int = 4) -> CharacterTfidf:
        """Learn from these texts which n-grams are common.

        >>> model = CharacterTfidf.of(["the storm", "the coast", "the town"])
        >>> left, right = model.vectors(["the storm", "the storms"]), model.vectors(["the storm", "the coast"])
        >>> print(left.cosines(right).round(2))
        [[1.   0.21]
         [0.67 0.17]]
        """
        plain = cls(shortest=shortest, longest=longest)
        seen = np.zeros(BUCKETS, np.int64)
        count = 0
        for batch in _batches(texts):
            _, buckets, _ = counted_grams(batch, shortest, longest)
            seen += np.bincount(buckets, minlength=BUCKETS)
            count += len(batch)
        there = np.flatnonzero(seen)
        return plain._knowing(count, there, seen[there])

    @classmethod
    def with_vectors(
        cls, texts: Sequence[str], *, shortest: int = 2, longest: int = 4
    ) -> tuple[CharacterTfidf, CharacterVectors]:
        """Learn from these texts as `of` does, and make their vectors; their n-grams are counted only once."""
        plain = cls(shortest=shortest, longest=longest)
        counted = [counted_grams(batch, shortest, longest) for batch in _batches(texts)]
        met = np.concatenate([np.empty(0, np.int32), *(buckets for _, buckets, _ in counted)])
        model = plain._knowing(len(texts), *np.unique(met, return_counts=True))  # of two texts few of all buckets
        return model, _joined([model._weighed(*one) for one in counted])

    def vectors(self, texts: Sequence[str]) -> CharacterVectors:
        """One vector a text."""
        return _joined([self._weighed(*counted_grams(batch, self.shortest, self.longest)) for batch in _batches(texts)])

    def _knowing(self, count: int, grams: NDArray[np.integer], texts: NDArray[np.int64]) -> CharacterTfidf:
        """The same, having seen so many texts, and each of these n-grams in so many of them."""
        commonness = np.full(BUCKETS, np.log(1 + count) + 1, np.float32)
        commonness[grams] = np.log((1 + count) / (1 + texts)) + 1
        return replace(self, commonness=commonness)

    def _weighed(
        self, starts: NDArray[np.int64], buckets: NDArray[np.int32], counts: NDArray[np.float32]
    ) -> CharacterVectors:
        weights = 1 + np.log(counts)
        if self.commonness is not None:
            weights *= self.commonness[buckets]
        rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        lengths = np.sqrt(np.bincount(rows, weights.astype(np.float64) ** 2, minlength=len(starts) - 1))
        return CharacterVectors(starts, buckets, (weights / lengths[rows]).astype(np.float32))


def counted_grams(
    texts: Sequence[str], shortest: int, longest: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
    """Where each text's n-grams begin, which buckets they fall into, and how often each is there."""
    from paraloom.metrics.likeness.gram_loops import count_grams

    return count_grams(*letters_of(texts), BLANKS, shortest, longest, BUCKETS)


def _joined(parts: Sequence[CharacterVectors]) -> CharacterVectors:
    if not parts:
        return CharacterVectors(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.float32))
    shifts = np.cumsum([0, *(len(part.buckets) for part in parts)])
    starts = [part.starts[1:] + shift for part, shift in zip(parts, shifts, strict=False)]
    return CharacterVectors(
        np.concatenate([np.zeros(1, np.int64), *starts]),
        np.concatenate([part.buckets for part in parts]),
        np.concatenate([part.weights for part in parts]),
    )


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    held = 0
    for text in texts:
        batch.append(text)
        held += len(text)
        if held >= _LETTERS_AT_ONCE:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch
