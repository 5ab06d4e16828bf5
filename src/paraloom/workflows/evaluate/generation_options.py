"""How generators are evaluated. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationOptions:
    """How outputs are matched with references and how differences are tested."""

    allow_missing: bool = False
    """Leave out sources that have no output or no reference, instead of refusing the files."""
    test: Literal["bootstrap", "randomisation"] = "bootstrap"
    """Paired test between systems and against parrots."""
    resamples: int = 1000
    """Draws of the sources for intervals and tests; more are made where many tests need them."""
    types: bool | None = None
    """Say of which types of paraphrase the outputs are; unless said, where a report is written."""
    fail_on: Literal["alarm", "caution"] | None = None
    """Exit with code 3 where a system's level is this or worse."""
    seed: int = 1
    """Decides parrots' random positions, which reference stands for people, and the draws."""
