"""What was learned of words: how often each is expected to stand for each, and how links jump; out come chances.

The chance of target word t by source word s is

    (c(s, t) + smoothing · u(t) + same_word · [s = t] + alike_words · a(s, t)) / (c(s) + smoothing + same_word + a(s))

with expected counts c, u the share of t among all words of its side, and a the likeness in spelling, a(s) that of s to
all words that it met, times `alike_words`. It is the likeliest model given the counts and a Dirichlet prior of these
imagined sightings. Standing for none, t has the chance u(t): a word is linked where some word tells more of it than
that. All of this is known of words that were never seen as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners.statistical.options import StatisticalOptions
from paraloom.models.aligners.statistical.spelling import spelling_likenesses
from paraloom.models.aligners.statistical.vocabulary import Codes, Integers

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Direction:
    """What one side's words (targets) are explained by the other's (sources)."""

    counts: NDArray[np.float32]
    """How often the target word of each cell is expected to stand for its source word."""
    masses: Floats
    """c(s) + a(s) of each source word."""
    jumps: Floats
    """Weight of each distance of a link from the one before, -largest … largest."""
    starts: Floats
    """Weight of each first place, the last one for all behind it as well."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WordTable:
    """A learned model: words in order, the cells of words that met, and both directions."""

    words: tuple[str, ...]
    row_starts: Integers
    columns: Codes
    left_counts: Integers
    """How often each word is there, on the left."""
    right_counts: Integers
    forward: Direction
    """Right words by left words."""
    backward: Direction
    """Left words by right words."""

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def digest(self) -> str:
        """A hash of all that was learned."""
        hashed = blake2b("\n".join(self.words).encode("utf-8", "surrogatepass"), digest_size=16)
        for array in (self.row_starts, self.columns, self.left_counts, self.right_counts):
            hashed.update(np.ascontiguousarray(array).data)
        for direction in (self.forward, self.backward):
            for numbers in (direction.counts, direction.masses, direction.jumps, direction.starts):
                hashed.update(np.ascontiguousarray(numbers).data)
        return hashed.hexdigest()

    def chances(
        self, words: Sequence[str], rows: Codes, columns: Codes, options: StatisticalOptions, threads: int
    ) -> tuple[Floats, Floats]:
        """Of pairs of any words, by their numbers: chance of the right word by the left one, and the other way."""
        from paraloom.models.aligners.statistical.cell_loops import find_cells

        known = np.array([self.number.get(word, -1) for word in words], np.int64)
        left, right = known[rows], known[columns]
        cells = find_cells(left, right, self.row_starts, self.columns)
        imagined = options.same_word * (rows == columns)
        if options.alike_words:
            alike = spelling_likenesses(words, rows, columns, options.least_spelling, threads)
            imagined = imagined + options.alike_words * alike
        return (
            _chances(self.forward, cells, left, commonness(self.right_counts, right), imagined, options),
            _chances(self.backward, cells, right, commonness(self.left_counts, left), imagined, options),
        )

    def null_chances(self, words: Sequence[str]) -> tuple[Floats, Floats]:
        """The chance of each of any words to stand for none: on the right, and on the left."""
        known = np.array([self.number.get(word, -1) for word in words], np.int64)
        return commonness(self.right_counts, known), commonness(self.left_counts, known)


def even_weights(options: StatisticalOptions) -> tuple[Floats, Floats]:
    """Weights of jumps and of first places where nothing is known of them."""
    jumps, starts = 2 * options.largest_jump + 1, options.largest_jump + 1
    return np.full(jumps, 1.0 / jumps), np.full(starts, 1.0 / starts)


def commonness(counts: Integers, words: Integers | None = None) -> Floats:
    """The share of each word, all or those of these numbers; one that was never seen (-1) has one sighting as well.

    >>> commonness(np.array([6, 1])), commonness(np.array([6, 1]), np.array([-1]))
    (array([0.7, 0.2]), array([0.1]))
    """
    total = int(counts.sum()) + len(counts) + 1
    shares: Floats = (np.concatenate([counts, [0]]) + 1) / total
    return shares[:-1] if words is None else shares[words]


def _chances(
    direction: Direction,
    cells: Integers,
    sources: Integers,
    shares: Floats,
    imagined: NDArray[np.floating],
    options: StatisticalOptions,
) -> Floats:
    counts = np.concatenate([direction.counts, np.zeros(1, np.float32)])[cells].astype(np.float64)
    masses = np.concatenate([direction.masses, np.zeros(1)])[sources]
    return np.asarray(
        (counts + options.smoothing * shares + imagined) / (masses + options.smoothing + options.same_word)
    )
