"""How word aligners are benchmarked. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraloom.errors import InputError

USUAL = (
    "learned",
    "lexical",
    "embedding",
    "embedding:encoder=pairs",
    "embedding:encoder=fast",
    "statistical",
)
"""Aligners that are run unless others are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentBenchOptions:
    """Which aligners are measured, on which pairs."""

    aligners: tuple[str, ...] = USUAL
    """By name, with what they are told behind a colon: `embedding:encoder=pairs,method=mwmf`."""
    learn_from: tuple[Path, ...] = ()
    """Files of pairs that aligners which learn from texts see, beside the texts of all sets."""
    learn_most: int = 50_000
    """At most so many pairs of each of these files, by the hash of their texts; 0 takes all."""
    half: bool = False
    """Measure on half of each set alone, by a hash of the pairs' ids: the half that the recipe of the shipped learned
    aligner holds out. Its weights have learned from both since."""
    resamples: int = 1000
    """Draws of the pairs for intervals."""
    seed: int = 1
    """Of the draws."""

    def __post_init__(self) -> None:
        for name, least in (("learn_most", 0), ("resamples", 1), ("seed", 0)):
            if getattr(self, name) < least:
                flag = name.replace("_", "-")
                raise InputError(f"--{flag} {getattr(self, name)} makes no sense. Give a whole number from {least} on.")
        if not self.aligners:
            raise InputError("There is no aligner to measure. Give --aligners.")
        if len(set(self.aligners)) < len(self.aligners):
            raise InputError(f"--aligners {' '.join(self.aligners)}: give each once.")
