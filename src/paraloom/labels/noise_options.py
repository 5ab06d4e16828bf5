"""What is done about labels that a teacher doubts. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paraloom.errors import InputError

LIMITS = (0.05, 0.15, 0.25, 0.35, 0.45)
"""The grid of λ of Dou et al. (2022). On their data .35 is best for filtering and .25 for flipping."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseOptions:
    """What is done about labels that a teacher doubts."""

    method: Literal["none", "filter", "flip", "confident"] = "flip"
    """Keep all, leave out what is unlikely, give it the other label, or leave out by confident learning."""
    limit: float = 0.25
    """λ: a label is unlikely where the teacher gives it this probability or less. Confident learning asks for none."""


def check_limit(limit: float) -> None:
    """Refuse a λ at which a label would be unlikely that the teacher holds for likely.

    >>> check_limit(0.45)
    """
    if not 0 <= limit < 0.5:
        raise InputError(f"The limit λ is {limit}, but must be from 0 to less than .5.")
