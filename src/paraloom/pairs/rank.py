"""The sentences of one group in, their order by averaged word probability out (Xu et al., 2015)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain


def word_probability(sentences: Sequence[Sequence[str]]) -> list[float]:
    """Mean probability of each sentence's words, counted in this group alone.

    >>> word_probability([["storm", "hits"], ["storm", "ends"], ["sun"]])
    [0.3, 0.3, 0.2]
    """
    counts = Counter(chain.from_iterable(sentences))
    total = counts.total()
    return [
        round(sum(map(counts.__getitem__, words)) / (total * len(words)), 12) if words else 0.0 for words in sentences
    ]


def ranked(sentence_ids: Sequence[str], words: Sequence[Sequence[str]]) -> list[int]:
    """Places of the sentences, the most central first; equals in the order of their ids.

    >>> ranked(["b", "a", "c"], [["storm", "hits"], ["storm", "ends"], ["sun"]])
    [1, 0, 2]
    """
    probability = word_probability(words)
    return sorted(range(len(words)), key=lambda place: (-probability[place], sentence_ids[place]))
