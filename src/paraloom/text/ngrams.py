"""Tokens in, their n-grams out."""

from __future__ import annotations

from collections.abc import Sequence


def ngrams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Every run of `n` neighbouring tokens, in order; none if there are fewer tokens than `n`.

    >>> ngrams(["the", "storm", "hit"], 2)
    [('the', 'storm'), ('storm', 'hit')]
    """
    if n < 1:
        raise ValueError(f"n-grams of length {n} do not exist. Give an n of at least 1.")
    return list(zip(*(tokens[start:] for start in range(n)), strict=False))
