"""Two token lists, or their counts, in; the cosine of the counts out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt


def cosine_of_tokens(left: Sequence[str], right: Sequence[str]) -> float:
    """Cosine of the two sentences' word counts: 1 where they use the same words equally often, 0 where they share none.

    >>> cosine_of_tokens(["storm", "hits", "coast"], ["storm", "hits", "town"])
    0.6666666666666666
    """
    return cosine_of_counts(Counter(left), Counter(right))


def cosine_of_counts(left: Mapping[str, int], right: Mapping[str, int]) -> float:
    """The same for words that are counted already.

    >>> cosine_of_counts({"storm": 1}, {"storm": 3})
    1.0
    """
    shared = sum([left[word] * right[word] for word in left.keys() & right.keys()])
    if not shared:
        return 0.0
    squared = sum([count * count for count in left.values()]) * sum([count * count for count in right.values()])
    return min(1.0, shared / sqrt(squared))
