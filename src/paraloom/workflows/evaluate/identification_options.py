"""How to evaluate identification. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentificationOptions:
    """How pairs are scored, decided and cut into slices."""

    model: tuple[str, ...] = ()
    """Identifiers that score the pairs of one file: names, or folders of trained ones. Without it the files' `score`
    counts."""
    definition: str = "loose"
    """With --model: what counts as a paraphrase (loose, strict, implication, graded)."""
    threshold: float = 0.5
    """Pairs that score above this are called paraphrases."""
    slice_by: tuple[str, ...] = ()
    """`overlap`, `length` or names of columns; by default both, and `topic` where the file has it."""
    group_by: str = "text"
    """Pairs that are drawn together for intervals and comparisons: `text`, those that share one, through any chain of
    others; a column's name, such as `topic`, those with the same value; `pair`, each alone."""
    bins: int = 10
    """Bins of the calibration error."""
    resamples: int = 1000
    """Draws of the groups of pairs for intervals and comparisons."""
    seed: int = 1
    """Decides the draws."""
    where: tuple[str, ...] = ()
    """Only rows with these values, as in `task=strict` or `split=test`, by the file's column names."""
    columns: tuple[str, ...] = ()
    """Where our columns lie in the files: `left=sentence1 right=sentence2 label=3`, by name or number from 1."""
