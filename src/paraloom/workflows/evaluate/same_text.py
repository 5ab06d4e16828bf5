"""A text in, what it has in common with the same text written another way out."""

from __future__ import annotations

from unicodedata import normalize


def same_text(text: str) -> str:
    """One key for texts that differ only in case, white space or how accents are encoded.

    >>> same_text("The  Caf\u00e9 ") == same_text("the cafe\u0301")
    True
    """
    return " ".join(normalize("NFC", normalize("NFC", text).casefold()).split())


def same_pair(left: str, right: str) -> frozenset[str]:
    """One key for a pair in both directions.

    >>> same_pair("a", "B") == same_pair("b", "A")
    True
    """
    return frozenset((same_text(left), same_text(right)))
