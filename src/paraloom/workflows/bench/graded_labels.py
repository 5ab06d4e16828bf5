"""A label of the Turku scheme as it is written in, as the classifier is taught it out."""

from __future__ import annotations

NEGATIVES = ("1", "2")
"""One class for a classifier that has seen next to no pair labelled 1; Table 4 of the paper calls it `2` or `neg`."""


def as_taught(label: str) -> str:
    """1 becomes 2; flags stay behind a 4 alone, where they mean something.

    >>> as_taught("1"), as_taught("3s"), as_taught("4>is")
    ('2', '3', '4>is')
    """
    base = label.strip()[:1]
    if base in NEGATIVES:
        return "2"
    return label.strip() if base == "4" else base
