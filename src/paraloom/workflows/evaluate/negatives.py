"""Paraphrases to be added to training pairs in, pairs that are none to go beside them out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from random import Random

from paraloom.graphs import clusters
from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.text.tokenise import words

Pair = tuple[str, str]

COMMON = 200
"""A word in more texts than this tells little about which are alike, and is not looked up."""


def repeated(generated: Sequence[Pair], learned: Mapping[Pair, bool], count: int, random: Random) -> list[Pair]:
    """Training pairs that are no paraphrases, drawn again: nothing new is claimed, and the share stays.

    >>> repeated([("a", "b")], {("c", "d"): False, ("e", "f"): True}, 2, Random(1))
    [('c', 'd'), ('c', 'd')]
    """
    known = [pair for pair, is_paraphrase in learned.items() if not is_paraphrase]
    return random.choices(known, k=count) if known else []


def by_overlap(generated: Sequence[Pair], learned: Mapping[Pair, bool], count: int, random: Random) -> list[Pair]:
    """Generated sources, each with the most similar text that no known paraphrase links to it.

    Such a pair may be a paraphrase that nobody marked: where sources tell of the same events, prefer `repeat`.

    >>> by_overlap([("the storm hit", "a storm struck"), ("the storm passed", "it is over")], {}, 2, Random(1))
    [('the storm passed', 'the storm hit'), ('the storm hit', 'the storm passed')]
    """
    linked = clusters([*generated, *(pair for pair, is_paraphrase in learned.items() if is_paraphrase)])
    texts = list(dict.fromkeys(text for pair in (*generated, *learned) for text in pair))
    bags = {text: frozenset(words(text)) for text in texts}
    holders: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        for word in sorted(bags[text]):
            holders[word].append(text)
    sources = list(dict.fromkeys(source for source, _ in generated))
    random.shuffle(sources)
    found = []
    for source in sources:
        met = {other for word in bags[source] if len(holders[word]) <= COMMON for other in holders[word]}
        alike = [
            (-jaccard_of_tokens(bags[source], bags[other]), other)
            for other in met
            if other != source and linked.get(other, other) != linked.get(source, source)
        ]
        if alike:
            found.append((source, min(alike)[1]))
    return found[:count] if len(found) >= count or not found else found + random.choices(found, k=count - len(found))


def none(generated: Sequence[Pair], learned: Mapping[Pair, bool], count: int, random: Random) -> list[Pair]:
    """No pair: the share of paraphrases rises with the generated ones."""
    return []


NEGATIVES: dict[str, Callable[[Sequence[Pair], Mapping[Pair, bool], int, Random], list[Pair]]] = {
    "repeat": repeated,
    "overlap": by_overlap,
    "none": none,
}
"""A way to find pairs that are no paraphrases, by name."""
