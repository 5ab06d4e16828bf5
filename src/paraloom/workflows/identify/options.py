"""How to identify paraphrases. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass, fields
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
    loss: float | None = None
    """With a cascade: how much F1 may be lost against the model behind it, .005 unless said; the more, the faster."""
    low: float | None = None
    """With a cascade: pairs whose cheap score is lower are decided by it, without asking the model behind."""
    high: float | None = None
    """With a cascade: pairs whose cheap score is higher are decided by it."""
    columns: tuple[str, ...] = ()
    """Where the texts lie in the file: `left=sentence1 right=sentence2`, by name or number from 1."""
    batch: int = 10_000
    """Rows that are read, scored and written at a time. It decides how much memory is used, and no score."""
    replace_columns: bool = False
    """Replace columns of the file that are called like one that is added; else such a file is refused."""
    overwrite: bool = False
    """Replace the file that --out names, once the new one is whole; else a file that is there is refused."""

    def about_files(self) -> list[str]:
        """Options that were given and say nothing about one pair.

        >>> IdentifyOptions(batch=7, definition="strict").about_files()
        ['batch']
        """
        usual = IdentifyOptions()
        return [
            field.name
            for field in fields(self)
            if field.name in ABOUT_FILES and getattr(self, field.name) != getattr(usual, field.name)
        ]


ABOUT_FILES = ("columns", "batch", "replace_columns", "overwrite")
"""Options that only a file of pairs asks for."""
