"""Pairs of texts in, which of them need no model out: those with an empty text, and copies.

What a network says of an empty text, or of a text and itself, is chance; nobody's labels teach it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def plain_scores(left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """0 for a pair with an empty text, which says nothing; 1 for a text and its copy, whatever the case of its
    letters; NaN for every other pair.

    >>> plain_scores(["A storm", " ", "a storm"], ["a storm", "", "a gale"]).tolist()
    [1.0, 0.0, nan]
    """
    return np.array([_plain_score(one, other) for one, other in zip(left, right, strict=True)], np.float64)


def with_plain_scores(scores: NDArray[np.float64], left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """Scores of a model, but for pairs that need none.

    >>> with_plain_scores(np.array([0.9, 0.9]), ["", "a storm"], ["a storm", "a gale"]).tolist()
    [0.0, 0.9]
    """
    plain = plain_scores(left, right)
    return np.where(np.isnan(plain), scores, plain)


def _plain_score(one: str, other: str) -> float:
    if not one.strip() or not other.strip():
        return 0.0
    return 1.0 if one.casefold() == other.casefold() else np.nan
