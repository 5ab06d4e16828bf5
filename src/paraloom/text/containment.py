"""Two texts in, how much of the shorter stands in the longer out."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")
_RUN = 4
"""So many words in a row, the same in both texts, are no accident."""


def contained(one: str, other: str) -> float:
    """The share of the shorter text's runs of four words that the longer one has too; of all words if it has no run.

    >>> contained("It rained all day long, and so we went home.", "It rained all day long, and so we went home. Bye!")
    1.0
    >>> contained("It rained all day long.", "All day long it rained.")
    0.0
    """
    first, second = (_WORD.findall(text.lower()) for text in (one, other))
    shorter, longer = sorted((first, second), key=len)
    if not shorter:
        return 1.0
    length = min(_RUN, len(shorter))
    there = {tuple(longer[place : place + length]) for place in range(len(longer) - length + 1)}
    runs = [tuple(shorter[place : place + length]) for place in range(len(shorter) - length + 1)]
    return sum(run in there for run in runs) / len(runs)
