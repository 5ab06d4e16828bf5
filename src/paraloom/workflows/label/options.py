"""How votes become labels. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteLabelOptions:
    """How the votes of several people become labels."""

    method: Literal["majority", "dawid-skene", "mace"] = "majority"
    """How votes are joined: by counting them, or by a model of how far each annotator can be trusted."""
    definition: Literal["loose", "strict", "implication", "graded"] | None = None
    """What the annotators were asked for, as it stands in the labels. Loose unless said, graded where answers are
    grades; grades count as yes or no under the other definitions."""
    threshold: float | None = None
    """Above it a pair is a paraphrase, below it none, at it undecided. A share of the votes (of a model: a
    probability), or from 1 on a number of votes. Unless said, the definition's."""
    exclude_below: float | None = None
    """Leave out annotators whose kappa against the majority of the others is lower; unless said, nobody."""
    include_tests: bool = False
    """Count answers to hidden test questions too."""
    resamples: int = 1000
    """Draws of the items for the interval of alpha."""
    seed: int = 1
    """Decides these draws, and the random starts of MACE."""
    overwrite: bool = False
    """Replace the file that --out names, once the new one is whole; else a file that is there is refused."""
