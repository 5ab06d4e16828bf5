"""Two texts as tokens in, links between tokens whose vectors are alike out; nothing is learned for it.

Jalili Sabet et al. (2020), *SimAlign: High Quality Word Alignments Without Parallel Training Data*: cosines of the
states that an encoder has of tokens half-way up, lessened where two tokens stand far apart in their texts. Beside that
the cosines of a token's neighbours count, which tells apart words that come twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.models.aligners import Links, TokenPair, Tokens
from paraloom.models.aligners.embedding_loading import load_reader
from paraloom.models.aligners.embedding_options import OTHERS, TUNED, EmbeddingOptions, Method
from paraloom.models.aligners.embedding_readers import Reader
from paraloom.models.aligners.matching import argmax, itermax, mwmf
from paraloom.models.known import known_name

Floats = NDArray[np.float64]

PAIRS_AT_ONCE = 1024
"""The vectors of so many pairs are in memory at a time."""
NEARER = 1e-6
"""Of words that are equally alike those are taken that stand nearer: so much it counts where one text's first token
meets the other's last."""


class EmbeddingAligner:
    """Links tokens by the vectors an encoder has of them.

    A network reads texts up to its limit (see the signature's `max-tokens`): tokens beyond it have no link, and
    `unread` counts them.

    >>> aligner = EmbeddingAligner()
    >>> aligner.align([("a gale hit the coast".split(), "the coast was struck by storms".split()), ((), ("storms",))])
    [((2, 3), (3, 0), (4, 1)), ()]
    """

    name = "embedding"

    def __init__(self, options: EmbeddingOptions = EmbeddingOptions(), *, reader: Reader | None = None) -> None:
        """`reader` is what the encoder's name stands for, where it is loaded already."""
        tuned = TUNED.get(known_name(options.encoder), OTHERS)
        layer = tuned.layer if options.layer is None else options.layer
        self.options = options
        self.reader = reader or load_reader(options.encoder, layer)
        self.threshold = tuned.threshold if options.threshold is None else options.threshold
        self.neighbours = tuned.neighbours if options.neighbours is None else options.neighbours
        self.distortion = tuned.distortion if options.distortion is None else options.distortion

    @property
    def signature(self) -> str:
        options = self.options
        rounds = f"|rounds:{options.rounds}|again:{options.again:g}" if options.method == "itermax" else ""
        return (
            f"aligner:{self.name}|method:{options.method}{rounds}|threshold:{self.threshold:g}"
            f"|neighbours:{self.neighbours:g}|distortion:{self.distortion:g}|{_with_version(self.reader.signature)}"
        )

    def align(self, pairs: Sequence[TokenPair]) -> list[Links]:
        """The links of each pair; the same ones, turned, where its sides are."""
        link = METHODS[self.options.method]
        found = []
        for cosines, is_turned in self._cosines(pairs):
            links = link(self._worth(cosines), self.options, self.threshold)
            found.append(_turned(links) if is_turned else links)
        return found

    def likeness(self, pairs: Sequence[TokenPair]) -> list[Floats]:
        """The cosines of tokens, negative ones as 0: left tokens × right tokens for each pair."""
        return [cosines.T if is_turned else cosines for cosines, is_turned in self._cosines(pairs)]

    def unread(self, pairs: Sequence[TokenPair]) -> list[int]:
        """Of each pair, how many tokens have no vector: beyond the encoder's limit, or unknown to it altogether."""
        return [
            sum(int((~vectors.any(axis=1)).sum()) for vectors in sides)
            for start in range(0, len(pairs), PAIRS_AT_ONCE)
            for sides in self.reader(pairs[start : start + PAIRS_AT_ONCE])
        ]

    def _cosines(self, pairs: Sequence[TokenPair]) -> Iterator[tuple[Floats, bool]]:
        """The cosines of each pair from 0 on, the longer text's tokens first, and whether its sides were turned for it.

        So that turned sides give turned links to the last digit.
        """
        for start in range(0, len(pairs), PAIRS_AT_ONCE):
            part = [_longer_first(left, right) for left, right in pairs[start : start + PAIRS_AT_ONCE]]
            vectors = iter(self.reader([(first, second) for first, second, _ in part if first and second]))
            for first, second, is_turned in part:
                if not (first and second):
                    yield np.zeros((len(first), len(second))), is_turned
                    continue
                ours, theirs = next(vectors)
                cosines = np.clip(ours.astype(np.float64) @ theirs.astype(np.float64).T, 0.0, 1.0)
                yield (cosines + cosines.T) / 2 if _rank(first) == _rank(second) else cosines, is_turned

    def _worth(self, cosines: Floats) -> Floats:
        """What a link between any two tokens is worth; minus infinity where it is too little, or nothing is known."""
        apart = _apart(*cosines.shape)
        worth = _with_neighbours(cosines, self.neighbours) * (1 - self.distortion * apart**2) - NEARER * apart
        return np.where((worth >= self.threshold) & (cosines > 0), worth, -np.inf)


METHODS: dict[Method, Callable[[Floats, EmbeddingOptions, float], Links]] = {
    "argmax": lambda worth, options, threshold: argmax(worth),
    "itermax": lambda worth, options, threshold: itermax(worth, options.rounds, options.again),
    "mwmf": lambda worth, options, threshold: mwmf(worth, alone=threshold),
}
"""A method's name, and how it makes links of what they are worth."""


def _rank(tokens: Tokens) -> tuple[int, tuple[str, ...]]:
    return len(tokens), tuple(tokens)


def _longer_first(left: Tokens, right: Tokens) -> tuple[Tokens, Tokens, bool]:
    """Both sides in an order that does not depend on which was given first, and whether they were turned for it."""
    return (right, left, True) if _rank(left) < _rank(right) else (left, right, False)


def _turned(links: Links) -> Links:
    return tuple(sorted((right, left) for left, right in links))


def _apart(rows: int, columns: int) -> Floats:
    """How far apart two tokens stand in their texts, from 0 to 1.

    >>> _apart(2, 3).tolist()
    [[0.0, 0.5, 1.0], [1.0, 0.5, 0.0]]
    """
    ours, theirs = np.arange(rows) / max(rows - 1, 1), np.arange(columns) / max(columns - 1, 1)
    return np.asarray(np.abs(ours[:, None] - theirs[None, :]))


def _with_neighbours(cosines: Floats, share: float) -> Floats:
    """Cosines, and a share of those of the tokens just before and just behind.

    >>> _with_neighbours(np.eye(3), 0.1).diagonal().tolist()
    [1.1, 1.2, 1.1]
    """
    around = np.zeros((len(cosines) + 2, cosines.shape[1] + 2))
    around[1:-1, 1:-1] = cosines
    return np.asarray(cosines + share * (around[:-2, :-2] + around[2:, 2:]))


def _with_version(signature: str) -> str:
    """A reader's signature, our version at its end once."""
    version = f"|paraloom:{paraloom_version()}"
    return signature.removesuffix(version) + version
