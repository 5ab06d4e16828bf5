"""Two token lists in, the cosine of their counts out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt


def cosine_of_tokens(left: Sequence[str], right: Sequence[str]) -> float:
    """Cosine of the two sentences' word counts: 1 where they use the same words equally often, 0 where they share none.

    >>> cosine_of_tokens(["storm", "hits", "coast"], ["storm", "hits", "town"])
    0.6666666666666666
    """
    if not left or not right:
        return 0.0
    counts, others = Counter(left), Counter(right)
    shared = sum(count * others[word] for word, count in counts.items() if word in others)
    if not shared:
        return 0.0
    squared = sum(count * count for count in counts.values()) * sum(count * count for count in others.values())
    return min(1.0, shared / sqrt(squared))
