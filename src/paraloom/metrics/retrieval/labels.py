"""Labels of pairs in, the parts they are measured in out: by grade, or paraphrases and others."""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.metrics.identification.graded import collapse

EITHER = "4</>"
"""Paraphrases of which one side says more; which side does not matter to a search."""
PARAPHRASE, OTHER = "paraphrase", "other"
ORDER = ("1", "2", "3", EITHER, "4", OTHER, PARAPHRASE)
"""From the least alike to the most, as the paper's figures have them."""


def part_of(grade: str) -> str:
    """A graded label without its flags for style and minor differences, either direction alike.

    >>> [part_of(grade) for grade in ("2", "3", "4<s", "4>", "4i")]
    ['2', '3', '4</>', '4</>', '4']
    """
    merged = collapse(grade, "base-and-direction")
    return EITHER if merged in ("4<", "4>") else merged


def in_order(parts: Sequence[str]) -> list[str]:
    """The distinct parts, from the least alike to the most.

    >>> in_order(["4", "2", "4</>", "4"])
    ['2', '4</>', '4']
    """
    return sorted(set(parts), key=ORDER.index)
