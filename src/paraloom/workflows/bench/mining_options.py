"""How mining is benchmarked. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningBenchOptions:
    """Which embedders look for the pairs of which sets, among how many strangers."""

    embedders: tuple[str, ...] = ()
    """By name or folder, `NAME@128` for so many dimensions; all that are known unless given."""
    sets: tuple[str, ...] = ()
    """Sets of pairs by their names; all that are found unless given."""
    most_distractors: int = 50_000
    """At most so many texts of the other corpora in the folder are drawn to hide the pairs among, beside the texts of
    the other sets."""
    limit: int = 0
    """At most about so many pairs of each set, in whole groups; 0 takes all."""
    resamples: int = 1000
    """Draws of the groups of pairs for intervals."""
    seed: int = 1
    """Decides the distractors and the draws."""
    device: str = "cpu"
    """Where transformers run and candidates are counted: `cpu`, where `good` runs as it ships, in 8 bits, or `cuda`."""
    hub: bool = False
    """Ask the model hub for embedders that are not on this machine."""

    def __post_init__(self) -> None:
        for name, least in (("most_distractors", 0), ("limit", 0), ("resamples", 1)):
            if getattr(self, name) < least:
                flag = name.replace("_", "-")
                raise InputError(f"--{flag} {getattr(self, name)} makes no sense. Give a whole number from {least} on.")
        if len(set(self.embedders)) < len(self.embedders):
            raise InputError(f"--embedders {' '.join(self.embedders)}: give each once.")
