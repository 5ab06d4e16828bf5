"""Two texts in, out comes how much of the one must be edited to get the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein

from paraloom.errors import InputError
from paraloom.metrics.diversity.source_against_output import mean_over_pairs
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured
from paraloom.text.tokenise import tokenise

Unit = Literal["word", "character"]


def edit_ratio(source: str, output: str, unit: Unit = "word") -> float:
    """Insertions, deletions and replacements from one to the other, over the longer's length (Levenshtein, 1966).

    0 where the texts are the same but for letter case, 1 where nothing can be kept. The units are tokens, punctuation
    included, or characters.

    >>> edit_ratio("the storm hit the coast", "The storm struck the coast")
    0.2
    >>> edit_ratio("storm", "storms", "character")
    0.16666666666666666
    """
    _refuse_unit(unit)
    read = READERS[unit]
    return Levenshtein.normalized_distance(read(source), read(output))


READERS: dict[Unit, Callable[[str], Sequence[str]]] = {
    "word": lambda text: tokenise(text.lower()),
    "character": str.lower,
}


def _refuse_unit(unit: str) -> None:
    if unit not in READERS:
        raise InputError(f"There is no edit ratio over {unit!r}. Choose one of: {', '.join(READERS)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRatio:
    """Mean edit ratio between outputs and their sources, from 0 to 1."""

    unit: Unit = "word"
    """What is inserted, deleted and replaced: a `word` or a `character`."""

    def __post_init__(self) -> None:
        """Refuse a unit that does not exist before anything is read."""
        _refuse_unit(self.unit)

    @property
    def name(self) -> str:
        """`edit-ratio`, or `character-edit-ratio`."""
        return "edit-ratio" if self.unit == "word" else f"{self.unit}-edit-ratio"

    @property
    def better(self) -> Better:
        """Higher: less of the source is kept."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Measure outputs against these sources; references are not looked at."""
        settings = {"unit": self.unit, "case": "lc"} | ({"tok": "paraloom"} if self.unit == "word" else {})
        return mean_over_pairs(
            self,
            evaluation_set,
            read=READERS[self.unit],
            score=Levenshtein.normalized_distance,
            settings=settings,
        )
