"""Which sentences experts get to see. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertOptions:
    """How much of a group's largest cluster the experts see (Dou et al., 2022, §2.5)."""

    most: int = 30
    """Each of the two seeds is paired with at most so many sentences of the largest cluster."""
    draw_seed: int = 1
    """Decides which sentences are drawn where a cluster has more."""

    def __post_init__(self) -> None:
        if self.most < 1:
            raise InputError(f"`most` is {self.most}, but must be at least 1.")
