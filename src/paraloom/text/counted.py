"""A number and a thing in, words out that agree with it."""

from __future__ import annotations


def counted(count: int, one: str, several: str) -> str:
    """The number with the words for one or for several.

    >>> counted(1, "source has", "sources have"), counted(1200, "source has", "sources have")
    ('1 source has', '1,200 sources have')
    """
    return f"{count:,} {one if count == 1 else several}"
