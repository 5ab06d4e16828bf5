"""Vectors of queries, their answers and candidates in, the place of every answer among the candidates out.

A query is a text of a known pair, its answer the other one, and candidates are all other texts: both sides of all
pairs, and strangers (distractors), which are counted as they come and not kept. So the place is exact among any number
of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.retrieval.vectors import Vectors

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Kind = TypeVar("Kind", bound=Vectors)

EULER = 0.5772156649015329
SUMMED = 1000
"""Harmonic numbers up to this one are summed; beyond it their series is as good as that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where each answer stands, the most similar candidate first. Candidates that are as similar are in any order."""

    above: Integers
    """Candidates that are more similar to the query than its answer is."""
    tied: Integers
    """Others that are as similar."""
    candidates: int
    """How many are ranked for each query: all but the query itself."""

    def __len__(self) -> int:
        return len(self.above)

    def within(self, most: int) -> Floats:
        """How likely each answer is among the first so many, ties in any order: 1 or 0 where there is none.

        >>> Places(above=np.array([0, 1, 0]), tied=np.array([0, 0, 3]), candidates=9).within(1).tolist()
        [1.0, 0.0, 0.25]
        """
        return np.clip((most - self.above) / (self.tied + 1), 0.0, 1.0)

    def percent(self) -> Floats:
        """The candidates before each answer as if there were 100, half of those that tie among them.

        0 is always first; 5 is the sixth of 100 (Kanerva et al., 2023, section 8.1).

        >>> Places(above=np.array([0, 5, 4]), tied=np.array([0, 0, 2]), candidates=100).percent().tolist()
        [0.0, 5.0, 5.0]
        """
        return 100 * (self.above + self.tied / 2) / self.candidates

    def reciprocal(self) -> Floats:
        """One divided by the answer's place, on average over all orders of ties.

        >>> Places(above=np.array([0, 3, 0]), tied=np.array([0, 0, 1]), candidates=9).reciprocal().tolist()
        [1.0, 0.25, 0.75]
        """
        last = self.above + self.tied + 1
        several = (_harmonic(last) - _harmonic(self.above)) / (self.tied + 1)
        return np.where(self.tied == 0, 1 / last, several)


def _harmonic(numbers: Integers) -> Floats:
    """1 + 1/2 + … + 1/n."""
    summed = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, SUMMED + 1))])
    large = np.maximum(numbers, SUMMED).astype(np.float64)
    series = np.log(large) + EULER + 1 / (2 * large) - 1 / (12 * large**2)
    return np.where(numbers <= SUMMED, summed[np.minimum(numbers, SUMMED)], series)


class PlaceCount(Generic[Kind]):
    """Counts candidates, block after block, for all queries at once."""

    def __init__(self, own: Kind, queries: Integers, answers: Integers) -> None:
        """`own` are the vectors of the pairs' texts, each text once; queries and answers are numbers among them."""
        if (queries == answers).any():
            raise InputError("A query is its own answer. Leave out pairs of one text.")
        self.own, self.queries, self.answers = own, queries, answers
        self.asking = own.chosen(queries)
        self.similarities = own.similarities(own, queries, answers)
        self.above, self.tied = self.asking.count(own, self.similarities)
        self.candidates = len(own) - 1
        self._take_away(np.arange(len(queries)), queries)  # a text is not looked for among itself
        self.tied -= 1  # the answer, as similar as itself

    def add(self, strangers: Kind) -> None:
        """Count candidates that are of no pair."""
        above, tied = self.asking.count(strangers, self.similarities)
        self.above += above
        self.tied += tied
        self.candidates += len(strangers)

    def places(self) -> Places:
        """Among all that were counted so far."""
        return Places(above=self.above.copy(), tied=self.tied.copy(), candidates=self.candidates)

    def forgiving(self, rows: Integers, others: Integers) -> Places:
        """The places without some candidates: `others[i]`, a number among the own, is no candidate for row `rows[i]`.

        So that a query with several right answers is not blamed for finding another one first.
        """
        whole = self.above, self.tied
        self.above, self.tied = self.above.copy(), self.tied.copy()
        self._take_away(rows, others)
        found = self.places()
        self.above, self.tied = whole
        return found

    def _take_away(self, rows: Integers, others: Integers) -> None:
        """Take candidates out of the counts of rows."""
        found = self.own.similarities(self.own, self.queries[rows], others)
        wanted = self.similarities[rows]
        np.subtract.at(self.above, rows[found > wanted], 1)
        np.subtract.at(self.tied, rows[found == wanted], 1)
