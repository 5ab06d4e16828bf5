"""Pairs of token lists in, the same as flat arrays of numbers out, and the words that the numbers stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners import TokenPair

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]

_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedPairs:
    """Many pairs as numbers: the left words of pair p lie from `left_starts[p]` to `left_starts[p + 1]`."""

    words: tuple[str, ...]
    """What the numbers stand for, on both sides, sorted."""
    left: Codes
    right: Codes
    left_starts: Integers
    right_starts: Integers
    cell_starts: Integers
    """Where the token pairs of each pair begin: left tokens × right tokens, row by row."""

    def __len__(self) -> int:
        return len(self.left_starts) - 1

    def parts(self, size: int, first: int = 0, last: int | None = None) -> list[tuple[int, int]]:
        """First and last pair of parts with at most so many token pairs each, but one pair at least."""
        last = len(self) if last is None else last
        bounds = [first]
        while bounds[-1] < last:
            reached = int(np.searchsorted(self.cell_starts, self.cell_starts[bounds[-1]] + size, side="right")) - 1
            bounds.append(min(max(reached, bounds[-1] + 1), last))
        return list(pairwise(bounds))


def plain_word(token: str, lower_case: bool) -> str:
    """A token as it is counted: in lower case, large numbers without commas.

    >>> plain_word("Storm", True), plain_word("10,500.5", True)
    ('storm', '10500.5')
    """
    word = token.lower() if lower_case else token
    return word.replace(",", "") if _GROUPED.fullmatch(word) else word


def code_pairs(pairs: Sequence[TokenPair], *, lower_case: bool, most_words: int) -> CodedPairs:
    """Number the words, and write the pairs as numbers; of longer texts the first words alone.

    >>> coded = code_pairs([(["the", "Storm"], ["the", "gale"])], lower_case=True, most_words=200)
    >>> coded.words, coded.left.tolist(), coded.right.tolist()
    (('gale', 'storm', 'the'), [2, 1], [2, 0])
    """
    sides = [[_first(pair[side], most_words) for pair in pairs] for side in (0, 1)]
    tokens = {*chain.from_iterable(sides[0]), *chain.from_iterable(sides[1])}
    word_of = {token: plain_word(token, lower_case) for token in tokens}
    words = sorted(set(word_of.values()))
    number = {word: place for place, word in enumerate(words)}
    code = {token: number[word] for token, word in word_of.items()}
    counts = [np.fromiter(map(len, side), np.int64, len(side)) for side in sides]
    return CodedPairs(
        words=tuple(words),
        left=_codes(sides[0], code, int(counts[0].sum())),
        right=_codes(sides[1], code, int(counts[1].sum())),
        left_starts=begins(counts[0]),
        right_starts=begins(counts[1]),
        cell_starts=begins(counts[0] * counts[1]),
    )


def _first(tokens: Sequence[str], most: int) -> Sequence[str]:
    return tokens if len(tokens) <= most else list(islice(tokens, most))


def _codes(side: Iterable[Sequence[str]], code: dict[str, int], count: int) -> Codes:
    flat: Iterator[str] = chain.from_iterable(side)
    return np.fromiter(map(code.__getitem__, flat), np.int32, count)


def begins(counts: Integers) -> Integers:
    """Where each of the parts that are so long begins, and where the last one ends.

    >>> begins(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    found = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=found[1:])
    return found
