"""Sources in, the same sources out: whole, or with a share of their words cut or replaced (Mao and Lee, 2019).

A parrot knows nothing and paraphrases nothing, so what it scores is what a metric gives for copying. Words are what
white space separates. Of n words `round(ratio * n)` are changed, and a half is rounded up. Random positions are drawn
once a source: those changed at a small ratio are changed at every larger one too, so that curves are smooth.

Beside the parrots of the paper stands one that replaces by words of other sources (`borrow`): a made-up word gives
itself away to an encoder, a borrowed one less.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from paraloom.metrics.evaluation_set import EvaluationSet

Kind = Literal["cut", "replace", "borrow"]
Position = Literal["head", "tail", "random"]

KINDS: tuple[Kind, ...] = ("cut", "replace")
"""Those of the paper."""
ALL_KINDS: tuple[Kind, ...] = (*KINDS, "borrow")
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
        self._borrowed: list[list[str]] | None = None
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
        written = self._written(parrot.kind)
        return [
            change(words, places, others) if places else source
            for source, words, places, others in zip(self._sources, self._words, changed, written, strict=True)
        ]

    def _written(self, kind: Kind) -> list[list[str]]:
        """What stands at each position of each source if it is replaced."""
        if kind != "borrow":
            return [[self.replacement] * len(words) for words in self._words]
        if self._borrowed is None:
            every = [word for words in self._words for word in words]
            self._borrowed = [
                _borrowed(words, every, random.Random(_digest(source, self._seed)), self.replacement)
                for source, words in zip(self._sources, self._words, strict=True)
            ]
        return self._borrowed

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
    order = list(range(count))
    random.Random(_digest(source, seed)).shuffle(order)
    return order


def _digest(source: str, seed: int) -> bytes:
    salt = seed.to_bytes(16, "big", signed=True)
    return blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8, salt=salt).digest()


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


DRAWS = 20
"""How often another word is drawn where the source has the one drawn; then the made-up word is taken."""


def _borrowed(words: Sequence[str], every: Sequence[str], drawing: random.Random, made_up: str) -> list[str]:
    """Words of other sources, as often as they occur there, one for each word."""
    own = set(words)
    found = []
    for _ in words:
        drawn = (drawing.choice(every) for _ in range(DRAWS))
        found.append(next((word for word in drawn if word not in own), made_up))
    return found


def _cut(words: Sequence[str], places: Iterable[int], written: Sequence[str]) -> str:
    gone = set(places)
    return " ".join(word for place, word in enumerate(words) if place not in gone)


def _replace(words: Sequence[str], places: Iterable[int], written: Sequence[str]) -> str:
    changed = list(words)
    for place in places:
        changed[place] = written[place]
    return " ".join(changed)


_KINDS = {"cut": _cut, "replace": _replace, "borrow": _replace}
_POSITIONS = {"head": Parroting._head, "tail": Parroting._tail, "random": Parroting._random}
