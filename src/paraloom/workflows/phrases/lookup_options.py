"""What is looked up in a table of phrases. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupOptions:
    """How much is shown."""

    k: int = 10
    """Substitutes at most, the best ones."""
    min_score: float = 0.0
    """Substitutes with a lower score are not shown."""
    hints: int = 5
    """Of a phrase that is not there, so many that are like it are named."""
    columns: tuple[str, ...] = ()
    """Where the phrases lie in a file: `left=source right=target`, by name or number from 1."""

    def __post_init__(self) -> None:
        if self.k < 1 or self.hints < 0:
            raise InputError(f"k is {self.k}, hints {self.hints}. They begin at 1 and at 0.")
