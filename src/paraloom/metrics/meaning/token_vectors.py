"""Texts in, a vector for each of their tokens out: what a metric asks of an encoder. The encoders are in models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """The tokens of one text as an encoder sees them, its own marks ([CLS], [SEP]) included."""

    vectors: NDArray[np.float32]
    """Tokens × dimensions."""
    ids: NDArray[np.int64]
    special: NDArray[np.bool_]
    """True for the encoder's own marks, which no text holds."""
    truncated: bool = False
    """The text was longer than the encoder reads."""


@runtime_checkable
class TokenEncoder(Protocol):
    """Turns texts into vectors, one for each token."""

    @property
    def signature(self) -> str:
        """All that decides a vector: `encoder:NAME|layer:5|max-tokens:512|weights:…`."""

    def token_ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """The numbers of each text's tokens, marks left out: cheap, nothing is computed from the weights."""

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        """The vectors of each text, in the order given. They do not depend on the other texts."""
