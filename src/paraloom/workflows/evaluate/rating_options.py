"""How ratings of generations are read and summarised. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingOptions:
    """What people rated, and how it is summarised."""

    aspects: tuple[str, ...] = ()
    """Columns that hold ratings; by default those of fluency, similarity and diversity that are there, else `score`."""
    references: Path | None = None
    """References of the sources: JSON (source → reference or references), or rows with `source` and `reference`."""
    lowest: float | None = None
    """A lower rating is an error; by default 1 for fluency, similarity and diversity, and none for others."""
    highest: float | None = None
    """A higher rating is an error; by default 5 for fluency, similarity and diversity, and none for others."""
    resamples: int = 1000
    """Draws for intervals and comparisons."""
    seed: int = 1
    """Decides the draws."""
    columns: tuple[str, ...] = ()
    """Where our columns lie in the files: `source=input output=text annotator=worker`, by name or number from 1."""
