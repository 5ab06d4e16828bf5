"""Pairs in, how sure an identifier is that each is no paraphrase, and that it is one, out.

A score is a scale with .5 at the decision point. Where an identifier has probabilities of its own (those of graded
labels), they are taken: of the negative label, and of 4, which holds in every context (Kanerva et al., 2023). The
scores of such an identifier are another scale: that a pair is 3 or 4, with .5 moved to the decision point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from paraloom.models.identifiers import Identifier

Floats = NDArray[np.float64]
PLACES = 6
WITH_CHANCES = ("graded-heads",)
"""Systems that have probabilities of their own; by these names their signatures begin."""


@runtime_checkable
class HasChances(Protocol):
    """An identifier that tells the probabilities of base labels."""

    def base_chances(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Three columns a pair: no paraphrase, a paraphrase in this context (3), in every one (4)."""


def confidences(
    identifier: Identifier, left: Sequence[str], right: Sequence[str], definition: str
) -> tuple[Floats, Floats]:
    """That each pair is no paraphrase, and that it is one: two numbers from 0 to 1, rounded to 6 decimals."""
    if isinstance(identifier, HasChances) and definition == "graded":
        chances = np.round(identifier.base_chances(left, right), PLACES)
        return chances[:, 0], chances[:, 2]
    return of_scores(identifier.score(left, right, definition))


def has_two_scales(signature: str, definition: str) -> bool:
    """Whether what an identifier scored is another scale than its confidences.

    >>> has_two_scales("graded-heads|base:bert", "graded"), has_two_scales("cascade|exits:2", "loose")
    (True, False)
    """
    return definition == "graded" and signature.split("|", 1)[0] in WITH_CHANCES


def of_scores(scores: Floats) -> tuple[Floats, Floats]:
    """The same of scores alone.

    >>> of_scores(np.array([0.9]))
    (array([0.1]), array([0.9]))
    """
    return np.round(1 - scores, PLACES), scores
