"""Sources in, the same sources out: whole, or with a share of their words cut or replaced (Mao and Lee, 2019).

A parrot knows nothing and paraphrases nothing, so what it scores is what a metric gives for copying. Words are what
white space separates. Of n words `round(ratio * n)` are changed, and a half is rounded up. Random positions are drawn
once a source: those changed at a small ratio are changed at every larger one too, so that curves are smooth.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from paraloom.metrics.evaluation_set import EvaluationSet

Kind = Literal["cut", "replace"]
Position = Literal["head", "tail", "random"]

KINDS: tuple[Kind, ...] = ("cut", "replace")
POSITIONS: tuple[Position, ...] = ("head", "tail", "random")
SEED = 1

_MADE_UP = ("zqxv", "vqzx", "xzqk", "qkzv", "kxqz")
"""No language's words; which of them is used depends on what the texts hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parrot:
    """A system that repeats its source, but for a share of its words."""

    kind: Kind = "cut"
    position: Position = "tail"
    ratio: float = 0.0
    """Share of the words that are changed, from 0 (full parroting) to 1."""

    def __post_init__(self) -> None:
        if not 0 <= self.ratio <= 1:
            raise ValueError(f"A parrot cannot change {self.ratio} of its words. Give a ratio from 0 to 1.")

    @property
    def name(self) -> str:
        """As it stands in tables.

        >>> Parrot().name, Parrot(kind="replace", position="random", ratio=0.1).name
        ('parrot', 'parrot-replace-random-0.1')
        """
        return f"parrot-{self.kind}-{self.position}-{self.ratio:g}" if self.ratio else "parrot"


class Parroting:
    """Sources and references read once, for many parrots after each other.

    >>> parroting = Parroting(EvaluationSet.of(["a storm hit the coast"], [["the coast was hit by a storm"]]))
    >>> parroting.outputs(Parrot())
    ['a storm hit the coast']
    >>> parroting.outputs(Parrot(kind="cut", position="head", ratio=0.4))
    ['hit the coast']
    >>> parroting.outputs(Parrot(kind="replace", position="tail", ratio=0.4))
    ['a storm hit zqxv zqxv']
    """

    def __init__(self, evaluation_set: EvaluationSet, seed: int = SEED) -> None:
        self._sources = evaluation_set.sources
        self._words = [source.split() for source in self._sources]
        self._seed = seed
        self._orders: list[list[int]] | None = None
        self.replacement = out_of_vocabulary_word(
            text for texts in (self._sources, *evaluation_set.references) for text in texts
        )
        """A word that is in none of the texts, whatever their case."""

    def outputs(self, parrot: Parrot) -> list[str]:
        """What a parrot says to each source."""
        if not parrot.ratio:
            return list(self._sources)
        changed = _POSITIONS[parrot.position](self, parrot.ratio)
        change = _KINDS[parrot.kind]
        return [
            change(words, places, self.replacement) if places else source
            for source, words, places in zip(self._sources, self._words, changed, strict=True)
        ]

    def _head(self, ratio: float) -> list[Iterable[int]]:
        return [range(number_changed(ratio, len(words))) for words in self._words]

    def _tail(self, ratio: float) -> list[Iterable[int]]:
        return [range(len(words) - number_changed(ratio, len(words)), len(words)) for words in self._words]

    def _random(self, ratio: float) -> list[Iterable[int]]:
        if self._orders is None:
            self._orders = [
                shuffled(len(words), source, self._seed)
                for source, words in zip(self._sources, self._words, strict=True)
            ]
        return [order[: number_changed(ratio, len(order))] for order in self._orders]


def number_changed(ratio: float, words: int) -> int:
    """How many of so many words are changed; a half is rounded up.

    >>> number_changed(0.1, 12), number_changed(0.5, 5), number_changed(0.05, 9)
    (1, 3, 0)
    """
    return math.floor(round(ratio * words, 9) + 0.5)  # 0.29 * 50 is a hair below 14.5


def shuffled(count: int, source: str, seed: int) -> list[int]:
    """Positions in the order in which they are changed: the same for a source and a seed, wherever the source stands.

    >>> shuffled(4, "a storm hit us", seed=1) == shuffled(4, "a storm hit us", seed=1)
    True
    """
    drawn = blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8, salt=seed.to_bytes(16, "big", signed=True))
    order = list(range(count))
    random.Random(drawn.digest()).shuffle(order)
    return order


def out_of_vocabulary_word(texts: Iterable[str]) -> str:
    """A made-up word that no text holds, not even within a longer word.

    >>> out_of_vocabulary_word(["a storm"]), out_of_vocabulary_word(["ZQXV wins"])
    ('zqxv', 'vqzx')
    """
    whole = "\n".join(texts).lower()
    round_number = 1
    while True:
        for word in _MADE_UP:
            if (found := word * round_number) not in whole:
                return found
        round_number += 1


def _cut(words: Sequence[str], places: Iterable[int], replacement: str) -> str:
    gone = set(places)
    return " ".join(word for place, word in enumerate(words) if place not in gone)


def _replace(words: Sequence[str], places: Iterable[int], replacement: str) -> str:
    changed = list(words)
    for place in places:
        changed[place] = replacement
    return " ".join(changed)


_KINDS = {"cut": _cut, "replace": _replace}
_POSITIONS = {"head": Parroting._head, "tail": Parroting._tail, "random": Parroting._random}
