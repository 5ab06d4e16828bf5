"""References in, their tokens as numbers out, read once for all the outputs they will be compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.token_spans import code_points, token_spans
from paraloom.metrics.overlap.tokenisation import Tokenisation
from paraloom.metrics.overlap.vocabulary import Tokens, Vocabulary
from paraloom.metrics.parts import ROWS


@dataclass(frozen=True, slots=True)
class ReferenceTokens:
    """All references' tokens, one source's after the other."""

    tokens: Tokens
    bounds: NDArray[np.int64]
    """Source n's references are those from bound n up to bound n + 1."""
    tokenisation: Tokenisation
    vocabulary: Vocabulary

    @classmethod
    def read(cls, references: Sequence[Sequence[str]], tokenisation: Tokenisation) -> ReferenceTokens:
        """The references' tokens; the words met are the vocabulary that outputs are read with.

        >>> from paraloom.metrics.overlap.tokenisation import white_space_tokens
        >>> read = ReferenceTokens.read([["a storm", "a gale"], ["a"]], white_space_tokens())
        >>> read.tokens.ids.tolist(), read.tokens.bounds.tolist(), read.bounds.tolist()
        ([0, 1, 0, 2, 0], [0, 2, 4, 5], [0, 2, 3])
        """
        texts = [text for of_source in references for text in of_source]
        vocabulary = Vocabulary()
        parts = []
        for first in range(0, len(texts), ROWS):
            points, bounds = code_points(tokenisation.before(texts[first : first + ROWS]))
            parts.append(vocabulary.enter(points, *token_spans(points, bounds, tokenisation.kinds)))
        return cls(joined(parts), bounds_of(references), tokenisation, vocabulary)

    def read_outputs(self, outputs: Sequence[str]) -> Tokens:
        """The outputs' tokens; a word that no reference holds is -1, and matches nothing.

        >>> from paraloom.metrics.overlap.tokenisation import tokens_13a
        >>> ReferenceTokens.read([["a storm, a gale"]], tokens_13a()).read_outputs(["a gale, at sea"]).ids.tolist()
        [0, 3, 2, -1, -1]
        """
        points, bounds = code_points(self.tokenisation.before(outputs))
        return self.vocabulary.numbers(points, *token_spans(points, bounds, self.tokenisation.kinds))


def bounds_of(references: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """How many references come before each source's first, and how many there are."""
    bounds = np.zeros(len(references) + 1, dtype=np.int64)
    np.cumsum([len(of_source) for of_source in references], out=bounds[1:])
    return bounds


def joined(parts: Sequence[Tokens]) -> Tokens:
    """The tokens of one part of the texts after the other.

    >>> left = Tokens(np.array([5, 6], dtype=np.int32), np.array([0, 2]))
    >>> right = Tokens(np.array([7], dtype=np.int32), np.array([0, 1]))
    >>> joined([left, right])
    Tokens(ids=array([5, 6, 7], dtype=int32), bounds=array([0, 2, 3]))
    """
    lengths = np.concatenate([[0], *(part.lengths for part in parts)])
    return Tokens(np.concatenate([part.ids for part in parts]), np.cumsum(lengths))
