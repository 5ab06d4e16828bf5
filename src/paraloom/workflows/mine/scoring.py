"""Candidates in, how sure an identifier is of each out: asked now, or read from the scores that they come with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.identifiers.confidences import confidences, of_scores
from paraloom.pairs.regions import Scored
from paraloom.workflows.mine.candidates import Block, numbers

if TYPE_CHECKING:
    from paraloom.models.identifiers import Identifier


GRADED = "graded"
TWO_SCALES = (
    "Scores beside grades say that a pair is 3 or 4; an identifier that gives grades, asked by --model, says how "
    "likely 4 and the negative label are. Bounds that were found one way do not hold the other way."
)


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """Who says how sure it is."""

    model: str = ""
    """An identifier's name or folder. Empty: the scores that the pairs come with."""
    definition: str = GRADED

    @cached_property
    def identifier(self) -> Identifier:
        """The identifier, if it was trained for the definition."""
        from paraloom.models.identifiers import load
        from paraloom.models.identifiers.refusals import check_definition

        found = load(self.model)
        check_definition(found.name, self.definition, found.definitions)
        return found

    @property
    def signature(self) -> str:
        """All that decides the confidences."""
        return (
            f"{self.identifier.signature}|definition:{self.definition}" if self.model else "scores given with the pairs"
        )

    def scorable(self, block: Block) -> list[int]:
        """Which candidates can be scored: all by a model, else those that come with a score."""
        if self.model:
            return list(range(len(block)))
        return [int(row) for row in np.flatnonzero(~np.isnan(_given_scores(block)))]

    def scored(self, block: Block, lexical: NDArray[np.float64]) -> Scored:
        """Candidates with their numbers."""
        if self.model:
            return Scored(lexical, *confidences(self.identifier, block.left, block.right, self.definition))
        scores = _given_scores(block)
        if np.isnan(scores).any():
            raise InputError(
                f"{int(np.isnan(scores).sum()):,} of {len(scores):,} pairs come without a score. Score them: --model "
                "NAME, or `paraloom identify` first."
            )
        if ((scores < 0) | (scores > 1)).any():
            raise InputError("Scores must lie from 0 to 1, as `paraloom identify` writes them.")
        return Scored(lexical, *of_scores(scores))


def _given_scores(block: Block) -> NDArray[np.float64]:
    """The scores that candidates come with, NaN where there is none."""
    return numbers(block.columns.get("score", [None] * len(block)), "score")
