"""How identification is benchmarked. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchOptions:
    """Which systems are measured on which corpora, and on which pairs of them."""

    systems: tuple[str, ...] = ()
    """Systems to run, by their names; all of them unless given."""
    corpora: tuple[str, ...] = ()
    """Corpora to run them on, by their names; all that are found unless given."""
    base: tuple[str, ...] = ()
    """Models that transformers start from: names or folders. Unless given, those of the papers and of the packages."""
    on: Literal["auto", "folds", "dev"] = "auto"
    """Pairs to measure on: the test split where it lies in the folder, else folds of train (`auto`); folds; or dev."""
    folds: int = 5
    """Folds where there is no test split; 1 is one split in 80% and 20%."""
    seeds: tuple[int, ...] = (1,)
    """Every training is done once with each; figures are their mean."""
    limit: int = 0
    """At most about so many pairs of each split, in whole groups; 0 takes all."""
    entailment_limit: int = 0
    """At most about so many entailments, in whole premises, for `mutual-implication` with a base; 0 takes all."""
    hub: bool = False
    """Let transformers ask the model hub for bases that are not on this machine."""
    fit: bool = True
    """With `--no-fit` nothing is fitted: the report is made of the results that lie in the folder."""
    resamples: int = 1000
    """Draws of the groups of pairs for intervals and comparisons."""

    def __post_init__(self) -> None:
        if not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise InputError(f"--seeds {' '.join(map(str, self.seeds))}: give at least one, each once.")
        for name, least in (("folds", 1), ("limit", 0), ("entailment_limit", 0), ("resamples", 1)):
            if getattr(self, name) < least:
                flag = name.replace("_", "-")
                raise InputError(f"--{flag} {getattr(self, name)} makes no sense. Give a whole number from {least} on.")
