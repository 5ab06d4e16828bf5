"""The sentences of two documents in, how alike any of them are out: by their letters, and by meaning if asked.

A sentence is a vector of its character n-grams, weighed by how rare they are in these two documents. With an encoder it
also is a vector of meaning, from which the mean of both documents is taken away: what all their sentences share tells
nothing, and without it vectors of every encoder spread alike. Several sentences in a row are the sum of their vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.likeness.character_tfidf import BUCKETS, CharacterTfidf, CharacterVectors
from paraloom.pairs.bands import Band

Floats: TypeAlias = NDArray[np.float32]
Embed: TypeAlias = Callable[[Sequence[str]], Floats]
"""Texts in, one vector each out."""

MEANING = 0.5
"""What meaning counts for beside letters, where there is an encoder."""
LONGEST_RUN = 3
"""So many sentences in a row may be one side of a match."""
SMALL_TEXT = 5
"""Letters added to a size before sizes are compared: a letter more or less is much to a short text."""
PLACES = 6


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """The sentences of one document, as vectors of length 1."""

    letters: CharacterVectors
    meanings: Floats | None
    """None without an encoder."""
    lengths: NDArray[np.int64]
    """Characters of each sentence."""

    def __len__(self) -> int:
        return len(self.letters)

    def products(self, other: SentenceVectors, rows: NDArray[np.int64], others: NDArray[np.int64]) -> Floats:
        """Sentence `rows[i]` against sentence `others[i]` of the other document."""
        letters = self.letters.cosines_of_rows(other.letters, rows, others)
        if self.meanings is None or other.meanings is None:
            return _rounded(letters)
        meanings = np.einsum("ij,ij->i", self.meanings[rows], other.meanings[others])
        return _rounded((1 - MEANING) * letters + MEANING * meanings)

    def all_products(self, other: SentenceVectors, rows: slice) -> Floats:
        """These sentences against every one of the other document."""
        letters = self.letters[rows].cosines(other.letters)
        if self.meanings is None or other.meanings is None:
            return _rounded(letters)
        return _rounded((1 - MEANING) * letters + MEANING * (self.meanings[rows] @ other.meanings.T))

    def products_in(self, other: SentenceVectors, band: Band) -> Floats:
        """Sentence i - 1 against sentence j - 1 at cell (i, j) of a band."""
        from paraloom.pairs.order_loops import products_in_band

        mine, others = self.letters, other.letters
        found = products_in_band(
            *(mine.starts, mine.buckets, mine.weights, others.starts, others.buckets, others.weights),
            *(band.low, band.high, band.cells, BUCKETS),
        )
        if self.meanings is not None and other.meanings is not None:
            found = (1 - MEANING) * found + MEANING * band.products(self.meanings, other.meanings)
        return _rounded(found)

    def norms(self) -> Floats:
        """How long the sum of the vectors is of so many sentences in a row (less one), from each sentence on."""
        count = len(self)
        own = self.products(self, np.arange(count), np.arange(count))
        total = own.astype(np.float64)
        result = np.zeros((LONGEST_RUN, count), np.float32)
        result[0] = np.sqrt(total)
        for further in range(1, min(LONGEST_RUN, count)):
            total = total[:-1] + own[further:]
            for apart in range(1, further + 1):
                rows = np.arange(count - further) + further - apart
                total = total + 2 * self.products(self, rows, rows + apart)
            result[further, : count - further] = np.sqrt(np.maximum(total, 0.0))
        return result

    def sizes(self) -> Floats:
        """The logarithm of the size of so many sentences in a row (less one), from each sentence on."""
        ends = np.cumsum([0, *self.lengths])
        result = np.zeros((LONGEST_RUN, len(self)), np.float32)
        for further in range(min(LONGEST_RUN, len(self))):
            result[further, : len(self) - further] = np.log(
                ends[further + 1 :] - ends[: len(self) - further] + SMALL_TEXT
            )
        return result


def sentence_vectors(
    left: Sequence[str], right: Sequence[str], embed: Embed | None = None
) -> tuple[SentenceVectors, SentenceVectors, CharacterTfidf]:
    """The sentences of both documents, and the model that weighed their letters."""
    model, letters = CharacterTfidf.with_vectors([*left, *right])
    meanings = _meanings(left, right, embed) if embed is not None and left and right else (None, None)
    mine, others = (
        SentenceVectors(letters[rows], meaning, np.array([len(text) for text in texts], np.int64))
        for rows, texts, meaning in zip(
            (slice(0, len(left)), slice(len(left), None)), (left, right), meanings, strict=True
        )
    )
    return mine, others, model


def _meanings(left: Sequence[str], right: Sequence[str], embed: Embed) -> tuple[Floats, Floats]:
    both = embed([*left, *right]).astype(np.float32)
    both = both - both.mean(axis=0)
    both /= np.maximum(np.linalg.norm(both, axis=1, keepdims=True), 1e-9)
    return both[: len(left)], both[len(left) :]


def _rounded(products: Floats) -> Floats:
    """To so many decimals that two machines agree which of two matches is the better."""
    return np.round(products, PLACES).astype(np.float32, copy=False)
