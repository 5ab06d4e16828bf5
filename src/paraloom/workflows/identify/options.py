"""How to identify paraphrases. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyOptions:
    """Who judges the pairs, and by which definition of a paraphrase."""

    model: str = "paraloom"
    """Identifier: the name of a shipped one, or the folder of a trained one."""
    definition: Literal["loose", "strict", "implication", "graded"] = "loose"
    """What counts as a paraphrase: about the same information (loose), fit to train generators on (strict), each side
    implies the other (implication), or a grade (graded)."""
    threshold: float = 0.5
    """Pairs that score above this are called paraphrases."""
    low: float | None = None
    """With a cascade: pairs whose cheap score is lower are decided by it, without asking the model behind."""
    high: float | None = None
    """With a cascade: pairs whose cheap score is higher are decided by it."""
    columns: tuple[str, ...] = ()
    """Where the texts lie in the file: `left=sentence1 right=sentence2`, by name or number from 1."""
    batch: int = 10_000
    """Rows that are read, scored and written at a time. It decides how much memory is used, and no score."""
    overwrite: bool = False
    """Replace columns of the file that are called like one that is added; else such a file is refused."""
