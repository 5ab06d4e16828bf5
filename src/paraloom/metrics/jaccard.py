"""Two texts in, out comes how much of their vocabulary they share."""

from __future__ import annotations

from collections.abc import Iterable

from paraloom.text.tokenise import tokenise


def jaccard(left: str, right: str) -> float:
    """Tokens in both texts over tokens in either, as sets, lower-cased; punctuation counts (Jaccard, 1912).

    Two texts without tokens are the same text, and score 1.

    >>> jaccard("the storm hit the coast", "The storm hit Florida")
    0.6
    """
    return jaccard_of_tokens(tokenise(left.lower()), tokenise(right.lower()))


def jaccard_of_tokens(left_tokens: Iterable[str], right_tokens: Iterable[str]) -> float:
    """The same for texts that are tokens already; case is taken as it is.

    >>> jaccard_of_tokens(["a", "b"], ["b", "c"])
    0.3333333333333333
    """
    left, right = set(left_tokens), set(right_tokens)
    shared = len(left & right)
    either = len(left) + len(right) - shared
    return shared / either if either else 1.0
