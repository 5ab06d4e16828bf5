"""References in, a counter out that turns outputs into all that chrF is made of, one row an output and reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.ngram_matches import count_matches
from paraloom.metrics.overlap.reference_tokens import ReferenceTokens, bounds_of, joined
from paraloom.metrics.overlap.token_spans import code_points, without_spaces
from paraloom.metrics.overlap.tokenisation import lowered, tokens_of, white_space_tokens
from paraloom.metrics.overlap.vocabulary import Tokens
from paraloom.metrics.parts import ROWS

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class ChrfCounts:
    """References as numbers, with which the outputs of one system after the other are counted."""

    __slots__ = ("_letter_order", "_letters", "_lowercase", "_white_space", "_word_order", "_words", "bounds")

    def __init__(
        self,
        references: Sequence[Sequence[str]],
        letter_order: int,
        word_order: int,
        *,
        lowercase: bool,
        white_space: bool,
    ) -> None:
        """Read the references' letters, and their words where those count too."""
        self.bounds = bounds_of(references)
        """Source n's references are those from bound n up to bound n + 1."""
        self._letter_order = letter_order
        self._word_order = word_order
        self._lowercase = lowercase
        self._white_space = white_space
        texts = [text for of_source in references for text in of_source]
        self._letters = joined([self._read_letters(texts[at : at + ROWS]) for at in range(0, len(texts), ROWS)])
        self._words = ReferenceTokens.read(references, tokens_of(_words_apart, lowercase)) if word_order else None

    def __call__(self, outputs: Sequence[str], first: int) -> NDArray[np.int64]:
        """For outputs from source `first` on: n-grams of output, of reference and of both, for each length in turn.

        >>> ChrfCounts([["a gale", "a ga"]], 2, 0, lowercase=False, white_space=False)(["a gap"], 0).tolist()
        [[4, 5, 3, 3, 4, 2], [4, 3, 3, 3, 2, 2]]
        """
        counts = [self._count(self._read_letters(outputs), self._letters, self._letter_order, first)]
        if self._words:
            counts.append(self._count(self._words.read_outputs(outputs), self._words.tokens, self._word_order, first))
        return np.concatenate(counts, axis=1)

    def _read_letters(self, texts: Sequence[str]) -> Tokens:
        points, bounds = code_points(lowered(texts) if self._lowercase else texts)
        if self._white_space:
            return Tokens(points.astype(np.int32), bounds)
        return Tokens(*without_spaces(points, bounds, white_space_tokens().kinds))

    def _count(self, outputs: Tokens, references: Tokens, order: int, first: int) -> NDArray[np.int64]:
        lengths = outputs.lengths
        bounds = self.bounds[first : first + len(lengths) + 1]
        output_of = np.repeat(np.arange(len(lengths)), np.diff(bounds))
        matches = np.empty((len(output_of), order), dtype=np.int64)
        alone = np.arange(bounds[0], bounds[-1] + 1)  # each reference by itself
        count_matches(outputs.ids, outputs.bounds, output_of, references.ids, references.bounds, alone, order, matches)
        shorter = np.arange(order)
        in_output = np.maximum(lengths[output_of][:, None] - shorter, 0)
        in_reference = np.maximum(references.lengths[bounds[0] : bounds[-1]][:, None] - shorter, 0)
        in_output[in_reference == 0] = 0  # a length of which the reference has no n-gram does not count against it
        return np.stack([in_output, in_reference, matches], axis=2).reshape(len(output_of), 3 * order)


def _words_apart(text: str) -> str:
    """One sign of punctuation is parted from a word, at its end, else at its start (Popović, 2017).

    >>> _words_apart("(so) 'tis it's")
    "(so ) ' tis it's"
    """
    apart = []
    for word in text.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            apart += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in PUNCTUATION:
            apart += [word[0], word[1:]]
        else:
            apart.append(word)
    return " ".join(apart)
