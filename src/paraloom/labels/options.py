"""How pairs are labelled: options only, nothing heavy is imported here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelOptions:
    """How pairs are labelled."""

    identifier: str = "ngram-regression"
    """Name of an identifier, or a folder one was saved in."""
    definition: Literal["loose", "strict", "implication", "graded"] = "loose"
    """What counts as a paraphrase."""
    threshold: float = 0.5
    """Pairs that score at least this are paraphrases."""
