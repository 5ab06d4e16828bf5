"""Texts in, how much of the shorter of two stands in the longer out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+")
_RUN = 4
"""So many words in a row, the same in both texts, are no accident."""


@dataclass(frozen=True, slots=True)
class _Split:
    words: list[str]
    runs: list[int]
    """By number, as they follow each other."""
    has: frozenset[int]


class RunsOfWords:
    """Texts that are compared two by two; each is split once."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._split: dict[int, _Split] = {}
        self._numbers: dict[tuple[str, ...], int] = {}

    def contained(self, one: int, other: int) -> float:
        """The share of the shorter text's runs of four words that the longer one has too; of all words if it has no
        run.

        >>> said = "It rained all day long, and so we went home."
        >>> texts = RunsOfWords([said, f"{said} Bye!", "All day long it rained.", "It rained all day long."])
        >>> texts.contained(0, 1), texts.contained(2, 3)
        (1.0, 0.0)
        """
        shorter, longer = sorted((self._runs(one), self._runs(other)), key=lambda split: len(split.words))
        words, there = shorter.words, longer.words
        if not words:
            return 1.0
        if not shorter.runs:
            return float(any(there[place : place + len(words)] == words for place in range(len(there))))
        return round(sum(run in longer.has for run in shorter.runs) / len(shorter.runs), 6)

    def _runs(self, place: int) -> _Split:
        if place not in self._split:
            words = _WORD.findall(self.texts[place].lower())
            runs = zip(*(words[shift:] for shift in range(_RUN)), strict=False)
            numbers = [self._numbers.setdefault(run, len(self._numbers)) for run in runs]
            self._split[place] = _Split(words, numbers, frozenset(numbers))
        return self._split[place]
