"""Two texts as tokens in, which of their tokens stand for each other out: one Protocol for every way to align words.

Nothing here loads a model: a system's module is imported when it is asked for. What an aligner says of a pair depends
on the pair and on what the aligner has learned alone, never on the pairs beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from paraloom.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Tokens: TypeAlias = Sequence[str]
TokenPair: TypeAlias = tuple[Tokens, Tokens]
"""The tokens of a left and a right text."""
Links: TypeAlias = tuple[tuple[int, int], ...]
"""Places of tokens that stand for each other, left and right, each link once, in order."""


@runtime_checkable
class Aligner(Protocol):
    """Says which tokens of two texts stand for each other."""

    @property
    def name(self) -> str:
        """As it stands in tables; a key of `systems.SYSTEMS` where it is one of those."""

    @property
    def signature(self) -> str:
        """All that decides a link, in the manner of sacrebleu: `name|setting:value|…|weights:ab12cd34`."""

    def align(self, pairs: Sequence[TokenPair]) -> list[Links]:
        """The links of each pair, in the order given; none where a side has no token."""


@runtime_checkable
class KnowsLikeness(Protocol):
    """An aligner that says of any two tokens how well they go together."""

    def likeness(self, pairs: Sequence[TokenPair]) -> list[NDArray[np.float64]]:
        """Left tokens × right tokens for each pair, from 0 to 1."""


@runtime_checkable
class LearnsFromPairs(Protocol):
    """An aligner that has to see a corpus of pairs, without alignments, before it can align."""

    def learn(self, pairs: Sequence[TokenPair]) -> None:
        """Learn from these alone; what was learned before is forgotten."""


def written(links: Links) -> str:
    """As aligners write them (Pharaoh's format).

    >>> written(((0, 0), (1, 2)))
    '0-0 1-2'
    """
    return " ".join(f"{left}-{right}" for left, right in links)


def read_links(text: str) -> Links:
    """Links as aligners write them, each once and in order; an error where that is not what it is.

    >>> read_links("1-2 0-0 1-2")
    ((0, 0), (1, 2))
    """
    found = set()
    for one in text.split():
        left, dash, right = one.partition("-")
        if not (dash and left.isascii() and left.isdigit() and right.isascii() and right.isdigit()):
            raise InputError(f"{one!r} is no link between two words. Links look like 0-0 1-2, counted from 0.")
        found.add((int(left), int(right)))
    return tuple(sorted(found))
