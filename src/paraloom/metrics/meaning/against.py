"""A word in, what outputs are compared with out: their references or their source."""

from __future__ import annotations

from typing import Literal, get_args

from paraloom.errors import InputError

Against = Literal["references", "source"]


def check_against(against: str) -> None:
    """Refuse any other word: it would be taken for one of the two, and the number would bear the wrong name.

    >>> check_against("sources")
    Traceback (most recent call last):
    ...
    paraloom.errors.InputError: Outputs cannot be compared with 'sources'. Choose one of: references, source.
    """
    known = get_args(Against)
    if against not in known:
        raise InputError(f"Outputs cannot be compared with {against!r}. Choose one of: {', '.join(known)}.")
