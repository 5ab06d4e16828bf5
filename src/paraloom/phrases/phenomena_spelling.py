"""Tokens that stand for each other in, whether they are the same words, written otherwise, out."""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.models.aligners.lexical_groups import groups_of
from paraloom.models.aligners.lexical_words import kinship, read_token
from paraloom.text.abbreviations import TITLES

LONGEST_SHORT = 4
"""Letters of an abbreviation."""

_QUOTES = str.maketrans("’‘", "''")
_INSIDE = str.maketrans("", "", ".-'")


def is_spelling(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether these are two spellings of the same: letters, dots, figures, hashtags, contractions, short forms.

    Letter case alone is none, nor is an ending: `storms` is another form of `storm`.

    >>> [is_spelling([one], [other]) for one, other in (("Donalds", "Donnalds"), ("U.S.", "us"), ("20", "twenty"))]
    [True, True, True]
    >>> [is_spelling([one], [other]) for one, other in (("#Storm", "storm"), ("kg", "kilograms"), ("n't", "not"))]
    [True, True, True]
    >>> [is_spelling([one], [other]) for one, other in (("Storm", "storm"), ("storms", "storm"), ("newly", "new"))]
    [False, False, False]
    >>> is_spelling(["ECB"], ["European", "Central", "Bank"]), is_spelling(["#JaneDoe"], ["Jane", "Doe"])
    (True, True)
    """
    if len(left) == len(right) == 1:
        return _is_variant(left[0], right[0])
    groups = groups_of([read_token(one) for one in left], [read_token(other) for other in right])
    return any(len(ours) == len(left) and len(theirs) == len(right) for ours, theirs in groups)


def _is_variant(left: str, right: str) -> bool:
    one, other = (token.lower().translate(_QUOTES) for token in (left, right))
    if one.removesuffix("'s") == other.removesuffix("'s"):
        return False
    if one.translate(_INSIDE) == other.translate(_INSIDE):
        return True
    kin = kinship(left, right)
    if kin == "spelled":
        return not _is_derived(one, other)
    if kin in ("equal", "form") and _is_contracted(one, other):
        return True
    if kin == "equal" and any(read_token(token).is_mark for token in (left, right)):
        return True
    return kin == "same" or (kin in ("equal", None) and _is_short(one, other))


def _is_derived(one: str, other: str) -> bool:
    """Whether one is the other with an ending: `fiercely`."""
    return (one.startswith(other) or other.startswith(one)) and abs(len(one) - len(other)) > 1


def _is_contracted(one: str, other: str) -> bool:
    """Whether one of two tokens is a half of a contraction: `'s`, `n't`."""
    return any("'" in token[:2] for token in (one, other))


def _is_short(one: str, other: str) -> bool:
    """Whether the shorter of two words is an abbreviation of the other: a title, or its consonants."""
    short, whole = sorted((one.removesuffix("."), other.removesuffix(".")), key=len)
    if not short.isalpha() or len(short) > LONGEST_SHORT or len(whole) < len(short) + 2 or short[0] != whole[0]:
        return False
    letters = iter(whole)
    return (short in TITLES or not set(short) & set("aeiouy")) and all(letter in letters for letter in short)
