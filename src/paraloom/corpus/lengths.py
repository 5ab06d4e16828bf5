"""Statements in, how many tokens they have out (Kanerva et al., 2023, figure 3)."""

from __future__ import annotations

from collections import Counter

from paraloom.metrics.corpus_figures import LengthFigures
from paraloom.text.tokenise import tokenise

SHOWN = 50
"""Lengths are told one by one up to this; longer statements are counted together."""


class LengthCounter:
    """Lengths in the making; a statement is one side of a pair.

    >>> lengths = LengthCounter()
    >>> for text in ["A storm hit.", "It hit the coast, they say."]:
    ...     lengths.add(text)
    >>> figures = lengths.result()
    >>> figures.mean, figures.median, figures.longest
    (6.0, 4, 8)
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def add(self, text: str) -> None:
        """Count the tokens of one statement; punctuation marks are tokens."""
        self._counts[len(tokenise(text))] += 1

    def result(self) -> LengthFigures:
        """What was counted; the median is the lower one of two."""
        statements = self._counts.total()
        tokens = sum(length * count for length, count in self._counts.items())
        longest = max(self._counts, default=0)
        shown = [self._counts[length] for length in range(min(longest, SHOWN) + 1)]
        if shown:
            shown[-1] += sum(count for length, count in self._counts.items() if length > SHOWN)
        return LengthFigures(
            statements=statements,
            mean=round(tokens / statements, 6) if statements else None,
            median=self._median(statements),
            longest=longest,
            counts=tuple(shown),
        )

    def _median(self, statements: int) -> int | None:
        passed = 0
        for length in sorted(self._counts):
            passed += self._counts[length]
            if 2 * passed >= statements:
                return length
        return None
