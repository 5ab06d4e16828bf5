"""Coded pairs and the cells of their words in, one direction of the aligner out, round by round."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners.statistical.cells import Cells, in_threads
from paraloom.models.aligners.statistical.directed_pairs import TOKEN_PAIRS_OF_PART, directed
from paraloom.models.aligners.statistical.hmm_loops import expect_hmm
from paraloom.models.aligners.statistical.maximisation_loops import fill_chances, likelier_weights, totals_by_source
from paraloom.models.aligners.statistical.model_one_loops import add_up, expect_model_one
from paraloom.models.aligners.statistical.options import StatisticalOptions
from paraloom.models.aligners.statistical.vocabulary import CodedPairs, Integers
from paraloom.models.aligners.statistical.word_table import Direction, Floats, commonness, even_weights

TOKEN_PAIRS_AT_ONCE = 1 << 21
"""So many are expected before they are added up: 16 MiB."""
WEIGHT_ROUNDS = 5
"""Rounds in which the weights of distances are made likelier, after each round of the HMM."""

PARTS = 1 << 36
"""Of one sighting: 10⁻¹¹."""
MOST_TOKENS = (1 << 27) - 1
"""So many sightings fit into 64 bits: 134 million."""

Counted = tuple[Integers, ...]
Expect = Callable[[Integers, int, Floats, int, int], Counted]
"""Writes what is expected, from the token pair of a number on, and log-likelihoods, of the first to the last pair."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LearningPairs:
    """What both directions are learned from."""

    coded: CodedPairs
    cells: Cells
    alike: NDArray[np.float32]
    """Likeness in spelling of the two words of each cell."""


class DirectionLearner:
    """Learns how one side's words are explained by the other's; `is_turned`: left words by right ones."""

    def __init__(self, pairs: LearningPairs, options: StatisticalOptions, *, is_turned: bool, threads: int) -> None:
        self.coded, self.cells, self.alike = pairs.coded, pairs.cells, pairs.alike
        self.options, self.is_turned, self.threads = options, is_turned, threads
        words = len(pairs.coded.words)
        targets = pairs.coded.left if is_turned else pairs.coded.right
        self.shares = commonness(np.bincount(targets, minlength=words))
        self.jumps, self.starts = even_weights(options)
        sources = pairs.cells.columns if is_turned else pairs.cells.rows()
        self.alike_masses = np.bincount(sources, options.alike_words * pairs.alike, words).astype(np.float64)
        self.counts = np.zeros(len(pairs.cells), np.int64)
        self.masses = self.alike_masses
        self.chances = np.empty(len(pairs.cells))
        self._maximise()
        self.directed = directed(
            pairs.coded, pairs.cells.places, self.chances, self.shares, options.null_probability, is_turned=is_turned
        )

    def learn(self) -> tuple[float, ...]:
        """All rounds; the log-likelihood of the pairs in each, under what was known before it."""
        model_one = [self.model_one_round() for _ in range(self.options.model_one_iterations)]
        return (*model_one, *(self.hmm_round() for _ in range(self.options.hmm_iterations)))

    def learned(self) -> Direction:
        """What is known now."""
        return Direction(
            counts=(self.counts / PARTS).astype(np.float32), masses=self.masses, jumps=self.jumps, starts=self.starts
        )

    def log_prior(self) -> float:
        """What the imagined sightings of words add to the log-likelihood, but for a constant, of the words that meet.

        Every round raises the sum of both.
        """
        rows, options = self.cells.rows(), self.options
        sources, targets = (self.cells.columns, rows) if self.is_turned else (rows, self.cells.columns)
        imagined = options.smoothing * self.shares[targets] + options.same_word * (sources == targets)
        imagined += options.alike_words * self.alike
        # The rest of each word's imagined sightings is of words that it did not meet.
        rest = (
            options.smoothing + options.same_word + self.alike_masses - np.bincount(sources, imagined, len(self.masses))
        )
        of_rest = np.where(rest > 0, rest, 0.0) * np.log(self.masses + options.smoothing + options.same_word)
        return math.fsum(imagined * np.log(self.chances)) - math.fsum(of_rest)

    def model_one_round(self) -> float:
        """One round of IBM model 1."""

        def expect(expected: Integers, expected_from: int, told: Floats, first: int, last: int) -> Counted:
            expect_model_one(self.directed, PARTS, expected, expected_from, told, first, last)
            return ()

        told, _ = self._expect(expect)
        self._maximise()
        return told

    def hmm_round(self) -> float:
        """One round of the HMM."""
        longest = int(np.diff(self.directed.source_starts).max(initial=0))
        weights = self.jumps, self.starts, self.options.uniform_jumps

        def expect(expected: Integers, expected_from: int, told: Floats, first: int, last: int) -> Counted:
            jumps, starts = np.zeros(len(self.jumps), np.int64), np.zeros(len(self.starts), np.int64)
            left = np.zeros((longest + 1, longest + 1), np.int64)
            expect_hmm(self.directed, *weights, PARTS, jumps, starts, left, expected, expected_from, told, first, last)
            return jumps, starts, left

        told, counted = self._expect(expect)
        self._maximise()
        if counted:
            jumps, starts, left = counted
            likelier_weights(self.jumps, self.starts, jumps, starts, left, WEIGHT_ROUNDS)
        return told

    def _expect(self, expect: Expect) -> tuple[float, Counted]:
        """Count anew what is expected of every pair; the log-likelihood of all, and what else was counted."""
        coded, places = self.coded, self.cells.places
        self.counts[:] = 0
        told = np.zeros(len(coded))
        # Cells are shared out, not pairs: each is added to by one thread, and there is one table of counts.
        bounds = np.linspace(0, len(self.counts), self.threads + 1).astype(np.int64).tolist()
        cell_parts = list(pairwise(bounds))
        counted: Counted = ()
        for first, last in coded.parts(TOKEN_PAIRS_AT_ONCE):
            begin = int(coded.cell_starts[first])
            expected = np.zeros(int(coded.cell_starts[last]) - begin, np.int64)
            parts = coded.parts(TOKEN_PAIRS_OF_PART, first, last)
            for found in in_threads(partial(expect, expected, begin, told), parts, self.threads):
                counted = tuple(map(np.add, counted, found)) if counted else found
            in_threads(partial(add_up, self.counts, expected, places, begin), cell_parts, self.threads)
        return math.fsum(told), counted

    def _maximise(self) -> None:
        """The likeliest chances of words, given the counts."""
        cells, options = self.cells, self.options
        table = cells.row_starts, cells.columns, self.is_turned
        self.masses = totals_by_source(*table, self.counts) / PARTS + self.alike_masses
        imagined = options.smoothing, options.same_word, options.alike_words
        fill_chances(*table, self.counts, PARTS, self.alike, self.shares, self.masses, *imagined, self.chances)
