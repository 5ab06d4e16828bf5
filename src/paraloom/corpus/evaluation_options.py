"""How files of sources and references are read. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Shape = Literal["auto", "lines", "pairs", "references", "captions"]
"""How sources and references stand in files; see `EvaluationSetOptions.shape`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSetOptions:
    """How files become sources with references."""

    shape: Shape = "auto"
    """`lines`: line-aligned files, sources first. `pairs`: two columns, grouped by the first. `references`: a source
    with all its references a row. `captions`: a key and a text a row, where texts of one key are references of each
    other. `auto` tells by the file."""
    columns: tuple[str, ...] = ()
    """Where our columns are, as in `left=question1 right=question2`, by name or by number from 1."""
    both_directions: bool = False
    """The right side of a pair is a source too, and each text's references are all its paraphrases."""
    transitive: bool = False
    """A paraphrase of a paraphrase is a reference too (and both sides are sources)."""
    min_references: int = 1
    """Leave out sources with fewer references."""
    max_references: int | None = None
    """Take the first so many references of a source."""
