"""References in, a counter out that turns outputs into all that TER is made of, one row an output."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.reference_tokens import ReferenceTokens
from paraloom.metrics.overlap.shifts import count_edits
from paraloom.metrics.overlap.tokenisation import Tokenisation
from paraloom.metrics.parts import of_parts

ROWS = 512
"""A sentence takes microseconds or, where it is long, seconds: small parts keep all cores busy to the end."""


class EditCounts:
    """References as numbers, from which the outputs of one system after the other are told apart."""

    __slots__ = ("_mean_lengths", "_references")

    def __init__(self, references: Sequence[Sequence[str]], tokenisation: Tokenisation) -> None:
        """Tokenise the references and number their words."""
        self._references = ReferenceTokens.read(references, tokenisation)
        bounds = self._references.bounds
        self._mean_lengths = np.add.reduceat(self._references.tokens.lengths, bounds[:-1]) / np.diff(bounds)

    def __call__(self, outputs: Sequence[str]) -> NDArray[np.float64]:
        """Edits to the nearest reference, and the mean length of the references.

        >>> from paraloom.metrics.overlap.tokenisation import white_space_tokens
        >>> EditCounts([["a storm hit", "a storm has hit us"]], white_space_tokens())(["hit a storm"]).tolist()
        [[1.0, 4.0]]
        """
        edits = of_parts(lambda first, last: self._count(outputs[first:last], first), len(outputs), ROWS)
        return np.column_stack([np.concatenate(edits), self._mean_lengths])

    def _count(self, outputs: Sequence[str], first: int) -> NDArray[np.int64]:
        tokens = self._references.read_outputs(outputs)
        bounds = self._references.bounds[first : first + len(outputs) + 1]
        edits = np.empty(bounds[-1] - bounds[0], dtype=np.int64)
        count_edits(
            tokens.ids,
            tokens.bounds,
            np.repeat(np.arange(len(outputs)), np.diff(bounds)),
            self._references.tokens.ids,
            self._references.tokens.bounds,
            int(bounds[0]),
            edits,
        )
        return np.minimum.reduceat(edits, bounds[:-1] - bounds[0])
