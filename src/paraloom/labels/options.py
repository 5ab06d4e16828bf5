"""How pairs are labelled by an identifier. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelOptions:
    """Which identifier judges the pairs, what it takes for a paraphrase, and from which score on."""

    identifier: str = "paraloom"
    """Name of a shipped identifier, or the folder of one that was trained and saved."""
    definition: Literal["loose", "strict", "implication", "graded"] = "loose"
    """What counts as a paraphrase: about the same information (loose), fit to train generators on (strict), each side
    implies the other (implication), or a grade (graded)."""
    threshold: float = 0.5
    """Pairs that score above this are paraphrases. 0.5 gives the best F1; a higher one fewer and surer paraphrases."""
