"""Scored pairs in, their grades out: 4 a paraphrase in every context, 3 in this one, 2 related, 1 not (Turku)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from paraloom.models.identifiers import Identifier


@runtime_checkable
class Grading(Protocol):
    """An identifier that gives grades of its own, flags included."""

    def grades(self, left: Sequence[str], right: Sequence[str]) -> Sequence[str]:
        """One label a pair, such as `4>s`."""


def grades_of(
    identifier: Identifier, left: Sequence[str], right: Sequence[str], scores: NDArray[np.float64]
) -> list[str]:
    """The identifier's own grades; where it has none, the quarter of the scale that the score lies in."""
    if isinstance(identifier, Grading):
        return list(identifier.grades(left, right))
    return quarters(scores)


def quarters(scores: NDArray[np.float64]) -> list[str]:
    """Grades from scores alone; 3 and 4 are the scores above .5.

    >>> quarters(np.array([0.0, 0.5, 0.51, 0.9]))
    ['1', '2', '3', '4']
    """
    return [str(quarter) for quarter in np.clip(np.ceil(scores * 4), 1, 4).astype(int).tolist()]
