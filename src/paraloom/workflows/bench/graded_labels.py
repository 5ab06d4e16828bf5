"""A label of the Turku scheme as it is written in, as the classifier is taught it out."""

from __future__ import annotations

from paraloom.metrics.identification.graded import NO, collapse, written

NEGATIVE = "2"
"""One class for a classifier that has seen next to no pair labelled 1; Table 4 of the paper calls it `2` or `neg`."""


def as_taught(label: str) -> str:
    """1 becomes 2; the others stay.

    >>> as_taught("1"), as_taught("3"), as_taught("4>is")
    ('2', '3', '4>is')
    """
    return NEGATIVE if collapse(label, "binary") == NO else written(label)
