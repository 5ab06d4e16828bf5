"""What a model says of each next token in, how likely each is out: of all tokens, or of the likeliest alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class Likeliest:
    """Of each row some tokens, the likeliest, best first, and their log-probabilities among all tokens.

    A search takes none of the others: it is as if `top_k` were so many at most.
    """

    tokens: NDArray[np.int64]
    log_probabilities: NDArray[np.float32]


Logits = NDArray[np.float32] | Likeliest
"""A row for each beginning."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Log-probabilities, a row for each beginning and a column for each token, or for each that is named."""

    values: NDArray[np.float64]
    tokens: NDArray[np.int64] | None = None
    """The token of every value; None where all tokens are there, in their order."""

    @classmethod
    def of(cls, logits: Logits) -> Scores:
        """As a model has answered."""
        if not isinstance(logits, Likeliest):
            return cls(log_probabilities(logits))
        if not np.isfinite(logits.log_probabilities.max(axis=1)).all():
            raise _no_numbers()
        return cls(logits.log_probabilities.astype(np.float64), logits.tokens)

    def chosen(self, rows: Sequence[int]) -> Scores:
        """A copy of some rows, each as often as it is named."""
        return Scores(self.values[rows], None if self.tokens is None else self.tokens[rows])

    def token(self, row: int, column: int) -> int:
        """Which token a value is of."""
        return column if self.tokens is None else int(self.tokens[row, column])

    def lessen(self, token: int, loss: float) -> None:
        """Take something from a token in every row."""
        if self.tokens is None:
            self.values[:, token] -= loss
        else:
            self.values[self.tokens == token] -= loss

    def forbid(self, tokens: Collection[int], row: int | None = None) -> None:
        """Write minus infinity over tokens in every row, or in one."""
        rows = slice(None) if row is None else slice(row, row + 1)
        if self.tokens is None:
            self.values[rows, list(tokens)] = -np.inf
        else:
            self.values[rows][np.isin(self.tokens[rows], list(tokens))] = -np.inf


def log_probabilities(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Of each token, in each row.

    >>> np.exp(log_probabilities(np.zeros((1, 4), np.float32))).tolist()
    [[0.25, 0.25, 0.25, 0.25]]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        shifted = logits - logits.max(axis=1, keepdims=True)
        totals = np.log(np.exp(shifted).sum(axis=1, keepdims=True, dtype=np.float64))
    if not np.isfinite(totals).all():
        raise _no_numbers()
    return np.asarray(shifted - totals, np.float64)


def _no_numbers() -> InputError:
    return InputError("The model gives no numbers: its weights are too large or damaged. Download it again.")
