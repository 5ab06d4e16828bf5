"""Pairs of token lists in, their links out, by what was learned from many such pairs and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.parts import cores
from paraloom.models.aligners import Links, TokenPair
from paraloom.models.aligners.statistical.asked_pairs import AskedPairs
from paraloom.models.aligners.statistical.options import StatisticalOptions
from paraloom.models.aligners.statistical.saving import read_model, write_model
from paraloom.models.aligners.statistical.vocabulary import plain_word
from paraloom.models.aligners.statistical.word_table import Floats, WordTable
from paraloom.models.aligners.symmetrise import METHODS, links_of

Linked = NDArray[np.bool_]

NAME = "statistical"
PAIRS_AT_ONCE = 8192
"""So many are aligned at a time, however many are asked for; no pair's links depend on the others."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LexicalProbabilities:
    """How likely words stand for each other, of all that were ever expected to; sorted by left, then right word."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    right_given_left: Floats
    left_given_right: Floats


class StatisticalAligner:
    """IBM model 1 and an HMM in both directions, symmetrised; it has to learn from pairs, or be loaded, first.

    Of very long texts the first `most_words` tokens alone are learned from and linked. A pair with an empty side has
    no links. Words that were never learned from go by their spelling, how common they are, and their place.
    """

    def __init__(self, options: StatisticalOptions = StatisticalOptions(), *, threads: int | None = None) -> None:
        self.options = options
        self.threads = threads or cores()
        self.log_likelihoods: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
        """Of the pairs that were learned from, in each round, forward and backward; empty where it was loaded."""
        self._table: WordTable | None = None

    @property
    def name(self) -> str:
        """As it stands in tables."""
        return NAME

    @property
    def signature(self) -> str:
        """All that decides a link."""
        told = [
            f"{field.name.replace('_', '-')}:{value}"
            for field, value in zip(fields(self.options), astuple(self.options), strict=True)
        ]
        weights = self._table.digest[:8] if self._table else "none"
        return "|".join([NAME, *told, f"paraloom:{paraloom_version()}", f"weights:{weights}"])

    def learn(self, pairs: Sequence[TokenPair]) -> None:
        """Learn from these alone; their order does not matter, nor how many threads there are, to the last bit."""
        from paraloom.models.aligners.statistical.learning import learn_words

        learned = learn_words(pairs, self.options, self.threads)
        self._table, self.log_likelihoods = learned.table, learned.log_likelihoods

    def save(self, folder: Path) -> None:
        """Write what was learned into a new folder."""
        write_model(folder, NAME, self.options, self._learned())

    @classmethod
    def load(cls, folder: Path, *, threads: int | None = None) -> StatisticalAligner:
        """What was saved."""
        options, table = read_model(folder, NAME)
        loaded = cls(options, threads=threads)
        loaded._table = table
        return loaded

    def align(self, pairs: Sequence[TokenPair]) -> list[Links]:
        """The links of each pair, found in the way that the options name."""
        work = LINKINGS[self.options.linked_by]
        return [links_of(linked) for together in self._at_once(pairs) for linked in work(together, self.options)]

    def likeness(self, pairs: Sequence[TokenPair]) -> list[Floats]:
        """The geometric mean of the probabilities of both directions that two tokens are linked, given the pair."""
        found = [table for together in self._at_once(pairs) for table in together.likenesses()]
        return [_in_shape(table, pair) for table, pair in zip(found, pairs, strict=True)]

    def lexical_probabilities(self) -> LexicalProbabilities:
        """What was learned of words, for the lexical weights of phrases."""
        table = self._learned()
        rows = np.repeat(np.arange(len(table.words), dtype=np.int32), np.diff(table.row_starts))
        forward, backward = table.chances(table.words, rows, table.columns, self.options, self.threads)
        return LexicalProbabilities(
            left=tuple(map(table.words.__getitem__, rows.tolist())),
            right=tuple(map(table.words.__getitem__, table.columns.tolist())),
            right_given_left=forward,
            left_given_right=backward,
        )

    def word_probabilities(self, left: Sequence[str], right: Sequence[str]) -> tuple[Floats, Floats]:
        """p(right | left) and p(left | right) of any words, one of the left with one of the right; unknown ones too."""
        plain = [[plain_word(word, self.options.lower_case) for word in side] for side in (left, right)]
        words = sorted({*plain[0], *plain[1]})
        number = {word: place for place, word in enumerate(words)}
        rows, columns = (np.array([number[word] for word in side], np.int32) for side in plain)
        return self._learned().chances(words, rows, columns, self.options, self.threads)

    def _learned(self) -> WordTable:
        if self._table is None:
            raise InputError("The statistical aligner has learned nothing yet. Call learn with pairs, or load a model.")
        return self._table

    def _at_once(self, pairs: Sequence[TokenPair]) -> Iterator[AskedPairs]:
        table = self._learned()
        for first in range(0, len(pairs), PAIRS_AT_ONCE):
            yield AskedPairs.of(pairs[first : first + PAIRS_AT_ONCE], table, self.options, self.threads)


def _by_likeness(asked: AskedPairs, options: StatisticalOptions) -> list[Linked]:
    return [likeness >= options.least_likeness for likeness in asked.likenesses()]


def _by_best_paths(asked: AskedPairs, options: StatisticalOptions) -> list[Linked]:
    return list(map(METHODS[options.symmetrised], *asked.best_paths()))


LINKINGS: Mapping[str, Callable[[AskedPairs, StatisticalOptions], list[Linked]]] = {
    "likeness": _by_likeness,
    "best-paths": _by_best_paths,
}


def _in_shape(table: Floats, pair: TokenPair) -> Floats:
    """With zeros for the tokens of long texts that were not looked at."""
    shape = len(pair[0]), len(pair[1])
    if table.shape == shape:
        return table
    found = np.zeros(shape)
    found[: table.shape[0], : table.shape[1]] = table
    return found
