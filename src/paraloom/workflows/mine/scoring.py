"""Candidates in, how sure an identifier is of each out: asked now, or read from the scores that they come with.

An identifier that gives grades is asked for them; another one by the definition that it knows, which is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

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
    asked: str | None = None
    """The definition that is asked for; None: `graded`, or what the identifier knows."""

    @cached_property
    def identifier(self) -> Identifier:
        """The identifier, if it was trained for the definition that is asked for."""
        from paraloom.models.identifiers import load

        found = load(self.model)
        if self.asked and self.asked not in found.definitions:
            known = " or ".join(f"--definition {name}" for name in found.definitions)
            raise InputError(
                f"{self.model} was not trained for the definition {self.asked!r}. Give {known}, or another --model."
            )
        return found

    @cached_property
    def definition(self) -> str:
        """By which definition the identifier is asked; of scores that were given, what is asked for."""
        from paraloom.models.identifiers import DEFINITIONS

        if self.asked or not self.model:
            return self.asked or ""
        known = self.identifier.definitions
        return next((name for name in (GRADED, *DEFINITIONS) if name in known), known[0])

    @property
    def signature(self) -> str:
        """All that decides the confidences."""
        return (
            f"{self.identifier.signature}|definition:{self.definition}" if self.model else "scores given with the pairs"
        )

    def notes(self) -> list[str]:
        """By which definition an identifier was asked, where it gives no grades and nobody said it."""
        if not self.model or self.asked or self.definition == GRADED:
            return []
        others = [name for name in self.identifier.definitions if name != self.definition]
        more = f"; --definition names another: {', '.join(others)}" if others else ""
        return [f"{self.model} gives no grades: it was asked by the definition {self.definition!r}{more}."]

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
        if ((scores < 0) | (scores > 1)).any():
            raise InputError("Scores must lie from 0 to 1, as `paraloom identify` writes them.")
        return Scored(lexical, *of_scores(scores))


def who_scored(block: Block) -> tuple[str, str]:
    """By which definition candidates were scored that come with scores, and by whom, where all say the same."""
    return _only(block.columns.get("definition", ())), _only(block.columns.get("labelled_by", ()))


def _only(values: Sequence[Any]) -> str:
    found = {value for value in values if value not in (None, "")}
    return str(found.pop()) if len(found) == 1 else ""


def _given_scores(block: Block) -> NDArray[np.float64]:
    """The scores that candidates come with, NaN where there is none."""
    return numbers(block.columns.get("score", [None] * len(block)), "score")
