"""What any way to join votes gives: an answer for each item, how sure it is, and how far each annotator is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SAME = 1e-9
"""Probabilities no farther apart count as equal: the order of a sum may decide its last digits, but no label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregated:
    """Votes joined: one row an item and one an annotator, in the order of the ratings they came from."""

    method: str
    settings: Mapping[str, object] = field(default_factory=dict)
    """What else decides the result, for a signature."""
    items: tuple[str, ...]
    answers: tuple[str, ...]
    """The classes, in the order of the columns of `probabilities`."""
    probabilities: Floats
    """Items by answers; each row sums to 1, or is nan where nobody voted. Of a plain vote, the share of votes."""
    labels: tuple[str | None, ...]
    """The most probable answer of each item; None where it is undecided or nobody voted."""
    annotators: tuple[str, ...]
    competence: Floats
    """Of each annotator, from 0 to 1; nan where there is nothing to tell it by. What it is depends on the method."""
    confusion: Floats | None = None
    """Annotators by true answers by given answers: how probable the given one is if the true one is true."""
    prior: Floats | None = None
    """How frequent each answer truly is."""
    log_likelihood: float | None = None
    iterations: int = 0
    converged: bool = True

    @property
    def entropy(self) -> Floats:
        """Of each item, in nats: 0 where one answer is certain, log(answers) where all are alike."""
        logs = np.log(self.probabilities, out=np.zeros_like(self.probabilities), where=self.probabilities > 0)
        return np.asarray(-(self.probabilities * logs).sum(axis=1) + 0.0)

    @property
    def confidence(self) -> Floats:
        """Of each item: the probability of its most probable answer."""
        return np.asarray(self.probabilities.max(axis=1))

    def share_of(self, *answers: str) -> Floats:
        """Of each item: how probable it is that the true answer is one of these; nan where nobody voted."""
        if unknown := next((answer for answer in answers if answer not in self.answers), None):
            raise InputError(f"Nobody could answer {unknown!r}; the answers are {', '.join(self.answers)}.")
        return np.asarray(self.probabilities[:, [self.answers.index(answer) for answer in answers]].sum(axis=1))


def decided(shares: Floats, thresholds: Floats | float) -> tuple[bool | None, ...]:
    """True above the threshold, False below, None at it or where there is no share.

    >>> decided(np.array([0.7, 0.5, 0.2, np.nan]), 0.5)
    (True, None, False, None)
    """
    apart = shares - thresholds
    return tuple(None if not abs(one) > SAME else one > 0 for one in apart.tolist())


def most_probable(probabilities: Floats, answers: tuple[str, ...]) -> tuple[str | None, ...]:
    """The answer of each row that is more probable than any other; None where there is no such one.

    >>> most_probable(np.array([[0.2, 0.8], [0.5, 0.5], [np.nan, np.nan]]), ("no", "yes"))
    ('yes', None, None)
    """
    if not len(answers):
        return (None,) * len(probabilities)
    best = np.where(np.isnan(probabilities), -1.0, probabilities).argmax(axis=1)
    top = probabilities[np.arange(len(probabilities)), best]
    alone = (probabilities >= top[:, None] - SAME).sum(axis=1) == 1  # nan is never so high
    return tuple(answers[place] if one else None for place, one in zip(best.tolist(), alone.tolist(), strict=True))
