"""Pairs and a learned model in, how well their tokens go together, and their best paths, out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners import TokenPair
from paraloom.models.aligners.statistical.cells import find_meetings, in_threads
from paraloom.models.aligners.statistical.directed_pairs import TOKEN_PAIRS_OF_PART, DirectedPairs, directed
from paraloom.models.aligners.statistical.options import StatisticalOptions
from paraloom.models.aligners.statistical.vocabulary import CodedPairs, code_pairs
from paraloom.models.aligners.statistical.word_table import Direction, Floats, WordTable

Number = TypeVar("Number", np.bool_, np.float64)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class AskedPairs:
    """Pairs whose links are asked for, with what is known of their words in both directions."""

    coded: CodedPairs
    forward: tuple[DirectedPairs, Direction]
    backward: tuple[DirectedPairs, Direction]
    uniform_jumps: float
    threads: int

    @classmethod
    def of(cls, pairs: Sequence[TokenPair], table: WordTable, options: StatisticalOptions, threads: int) -> AskedPairs:
        """Look up all words that meet in these pairs."""
        coded = code_pairs(pairs, lower_case=options.lower_case, most_words=options.most_words)
        cells = find_meetings(coded, threads)
        chances = table.chances(coded.words, cells.rows(), cells.columns, options, threads)
        nulls = table.null_chances(coded.words)
        none = options.null_probability
        return cls(
            coded=coded,
            forward=(directed(coded, cells.places, chances[0], nulls[0], none, is_turned=False), table.forward),
            backward=(directed(coded, cells.places, chances[1], nulls[1], none, is_turned=True), table.backward),
            uniform_jumps=options.uniform_jumps,
            threads=threads,
        )

    def posteriors(self) -> tuple[list[Floats], list[Floats]]:
        """The probability that each two tokens are linked, given the pair: left × right, forward and backward."""
        from paraloom.models.aligners.statistical.hmm_loops import fill_posteriors

        return self._filled(fill_posteriors, np.float64)

    def likenesses(self) -> list[Floats]:
        """The geometric mean of both."""
        return [np.sqrt(forward * backward) for forward, backward in zip(*self.posteriors(), strict=True)]

    def best_paths(self) -> tuple[list[NDArray[np.bool_]], list[NDArray[np.bool_]]]:
        """Which tokens the likeliest path of each pair links: left × right, forward and backward."""
        from paraloom.models.aligners.statistical.hmm_loops import fill_best_paths

        return self._filled(fill_best_paths, np.bool_)

    def _filled(
        self, fill: Callable[..., None], kind: type[Number]
    ) -> tuple[list[NDArray[Number]], list[NDArray[Number]]]:
        return self._of_direction(fill, kind, *self.forward), self._of_direction(fill, kind, *self.backward)

    def _of_direction(
        self, fill: Callable[..., Any], kind: type[Number], given: DirectedPairs, learned: Direction
    ) -> list[NDArray[Number]]:
        flat = np.zeros(int(self.coded.cell_starts[-1]), kind)
        work = partial(fill, given, learned.jumps, learned.starts, self.uniform_jumps, flat)
        in_threads(work, self.coded.parts(TOKEN_PAIRS_OF_PART), self.threads)
        lefts, rights = np.diff(self.coded.left_starts).tolist(), np.diff(self.coded.right_starts).tolist()
        begins = self.coded.cell_starts.tolist()
        return [
            flat[begin:end].reshape(left, right)
            for begin, end, left, right in zip(begins[:-1], begins[1:], lefts, rights, strict=True)
        ]
