"""Phrases in their places and others to put there in, how well these read in the places out (Lan et al., 2017).

With w₋₂ w₋₁ p w₁ w₂ a place of the phrase p, a phrase p′ is a good substitute where w₋₂ w₋₁ p′ w₁ w₂ is likely. What
is likely there depends on the words around far more than on the phrase, so the likelihood of the place as it was is
taken off: 0 means that p′ reads as well as p did, and that can be compared from one place to another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.models.generators.lexical.fluency import Fluency

AT_ONCE = 16_384
"""Pairs whose places are read at a time."""

Place = tuple[str, str]
"""The words before a phrase and those behind it."""
NOWHERE: Place = ("", "")
"""The place of a phrase that was seen in none: it is read by itself."""


class SubstitutionScore:
    """Puts one phrase in another's place and asks a language model what it thinks of that.

    >>> from paraloom.models.generators.lexical.fluency import NgramFluency
    >>> score = SubstitutionScore(NgramFluency.of(["the storm hit the coast", "the storm struck the coast"]))
    >>> well, badly = score.of(["hit", "hit"], ["struck", "coast"], [[("the storm", "the coast")]] * 2)
    >>> bool(well == 0 > badly)
    True
    """

    def __init__(self, fluency: Fluency) -> None:
        self.fluency = fluency

    @property
    def signature(self) -> str:
        """All that decides a number."""
        return f"substitution|words-around:2|less:own|{self.fluency.signature}"

    def of(self, left: Sequence[str], right: Sequence[str], places: Sequence[Sequence[Place]]) -> NDArray[np.float64]:
        """One number a pair, with six decimals: of the places of the left phrase, the mean log-probability of a token
        with the right phrase there, less that with the left one. Of a pair without places, the phrases by themselves.
        """
        found = [
            self._block(left[start : start + AT_ONCE], right[start : start + AT_ONCE], places[start : start + AT_ONCE])
            for start in range(0, len(left), AT_ONCE)
        ]
        return np.concatenate([np.zeros(0), *found]).round(6)

    def _block(
        self, left: Sequence[str], right: Sequence[str], places: Sequence[Sequence[Place]]
    ) -> NDArray[np.float64]:
        numbers: dict[str, int] = {}

        def numbered(phrases: Sequence[str]) -> NDArray[np.int64]:
            return np.array([numbers.setdefault(text, len(numbers)) for text in _texts(phrases, places)], np.int64)

        own, other = numbered(left), numbered(right)
        logs = self.fluency.log_probabilities(list(numbers))
        counts = np.array([max(len(some), 1) for some in places], np.int64)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        sums: NDArray[np.float64] = np.add.reduceat(logs[other] - logs[own], starts)
        return sums / counts


def _texts(phrases: Sequence[str], places: Sequence[Sequence[Place]]) -> Iterator[str]:
    for phrase, some in zip(phrases, places, strict=True):
        for before, after in some or (NOWHERE,):
            yield " ".join(part for part in (before, phrase, after) if part)
