"""References in, a counter out that turns outputs into all that BLEU is made of, one row an output."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.ngram_matches import closest_lengths, count_matches
from paraloom.metrics.overlap.reference_tokens import ReferenceTokens
from paraloom.metrics.overlap.tokenisation import Tokenisation
from paraloom.metrics.parts import of_parts


class BleuCounts:
    """References as numbers, with which the outputs of one system after the other are counted."""

    __slots__ = ("_order", "_reference_lengths", "_references")

    def __init__(self, references: Sequence[Sequence[str]], tokenisation: Tokenisation, order: int) -> None:
        """Tokenise the references and number their words."""
        self._references = ReferenceTokens.read(references, tokenisation)
        self._reference_lengths = self._references.tokens.lengths
        self._order = order

    def __call__(self, outputs: Sequence[str]) -> NDArray[np.int64]:
        """Matches of 1 to n tokens, n-grams of 1 to n tokens, the output's length, the nearest reference's length.

        >>> from paraloom.metrics.overlap.tokenisation import tokens_13a
        >>> BleuCounts([["a storm hit", "a storm has hit us"]], tokens_13a(), 2)(["a a storm hit us"]).tolist()
        [[4, 3, 5, 4, 5, 5]]
        """
        return np.concatenate(of_parts(lambda first, last: self._count(outputs[first:last], first), len(outputs)))

    def _count(self, outputs: Sequence[str], first: int) -> NDArray[np.int64]:
        tokens = self._references.read_outputs(outputs)
        lengths = tokens.lengths
        bounds = self._references.bounds[first : first + len(outputs) + 1]
        order = self._order
        counts = np.empty((len(outputs), 2 * order + 2), dtype=np.int64)
        count_matches(
            tokens.ids,
            tokens.bounds,
            np.arange(len(outputs)),
            self._references.tokens.ids,
            self._references.tokens.bounds,
            bounds,
            order,
            counts[:, :order],
        )
        counts[:, order : 2 * order] = np.maximum(lengths[:, None] - np.arange(order), 0)
        counts[:, 2 * order] = lengths
        counts[:, 2 * order + 1] = closest_lengths(lengths, self._reference_lengths, bounds)
        return counts
