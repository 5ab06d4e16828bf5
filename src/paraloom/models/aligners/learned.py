"""Pairs of tokens in, links out as people would draw them: letters, vectors and neighbours, weighed by learning.

A small network says of any two tokens how probably they stand for each other, and a second one says it again, knowing
what the first said of all others. It learned from word alignments made by people (Edinburgh++, Cohn et al., 2008, in
the form of Thadani et al., 2012; MSR RTE2, Brockett, 2007); `recipes/aligner.py` is how. Of these no text is shipped.

The encoder, the vectors of words and the lexical aligner it looks at are those of the package. A pair is read with its
longer text first, so that turning a pair around turns its links around and changes nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.aligners import Links, TokenPair
from paraloom.models.aligners.learned_features import Features, Floats, Known, features_of, names_of
from paraloom.models.aligners.learned_network import Pass, probabilities, read_passes
from paraloom.models.aligners.learned_states import Side, TokenStates
from paraloom.models.aligners.lexical import LexicalAligner, cosines, links_of, vectors_of
from paraloom.models.embedders.cards import hash_of_weights
from paraloom.models.embedders.shared_parts import pairs_folder
from paraloom.models.identifiers import SHIPPED

FOLDER, WEIGHTS, CARD = "aligner", "model.safetensors", "card.json"
MOST_TOKENS = 512
"""Of a longer text only so many tokens are linked."""
PAIRS_AT_ONCE = 256
"""Pairs whose states are in memory at a time."""


class PairReader:
    """Turns pairs into features: all that the aligner knows before it has learned anything."""

    def __init__(self, states: TokenStates, lexical: LexicalAligner) -> None:
        self.states, self.lexical = states, lexical

    def __call__(self, pairs: Sequence[TokenPair]) -> list[Features]:
        """Left × right × features of each pair, no side of which may be empty."""
        vectors = vectors_of(self.lexical.vectors, pairs)
        found = []
        for (left, right), (ours, theirs) in zip(pairs, self.states(pairs), strict=True):
            cosine = cosines(left, right, vectors)
            known = Known(
                words=cosine,
                states=_products(ours, theirs),
                linked=self.lexical.linked(left, right, cosine),
                rarity_left=ours.rarity.astype(np.float64),
                rarity_right=theirs.rarity.astype(np.float64),
            )
            found.append(features_of(left, right, known))
        return found


def _products(ours: Side, theirs: Side) -> Floats:
    return np.asarray(ours.states @ theirs.states.transpose(0, 2, 1), np.float64)


class LearnedAligner:
    """Links two tokens where people would, as far as word alignments of news and of entailment tell."""

    name: ClassVar[str] = "learned"

    def __init__(self, read: PairReader, passes: Sequence[Pass], *, threshold: float, weights: str) -> None:
        """`threshold` is the probability a link must have; `weights` stands for all files that decide one."""
        self.read, self.passes, self.threshold = read, tuple(passes), threshold
        self.signature = (
            f"{self.name}|threshold:{threshold}|layers:{','.join(map(str, read.states.layers))}|weights:{weights}"
            f"|lexical:{{{read.lexical.signature}}}|paraloom:{paraloom_version()}"
        )

    @classmethod
    def load(cls, folder: Path | None = None, *, threshold: float | None = None) -> LearnedAligner:
        """The shipped aligner, or one that the recipe wrote into a folder; a lower threshold links more."""
        place = folder or SHIPPED / FOLDER
        card = read_card(place)
        if threshold is not None and not 0 < threshold < 1:
            raise InputError(f"A threshold is a probability between 0 and 1, and {threshold} is none.")
        layers, passes = tuple(card["layers"]), read_passes(place / WEIGHTS)
        if len(passes[0].mean) != len(names_of(layers)):
            raise InputError(f"{place / WEIGHTS} was not made for the features of layers {layers}. Train it anew.")
        encoder = [pairs_folder() / file for file in ("config.json", "model.safetensors", "tokenizer.json")]
        return cls(
            open_reader(layers),
            passes,
            threshold=threshold if threshold is not None else float(card["threshold"]),
            weights=hash_of_weights([place / WEIGHTS, *encoder]),
        )

    def align(self, pairs: Sequence[TokenPair]) -> list[Links]:
        """The links of each pair; a token may have several.

        >>> aligner = LearnedAligner.load()
        >>> aligner.align([("Storms hit the coast .".split(), "The coast was struck by a storm .".split())])
        [((0, 6), (1, 3), (2, 0), (3, 1), (4, 7))]
        """
        return [links_of(found >= self.threshold) for found in self.likeness(pairs)]

    def likeness(self, pairs: Sequence[TokenPair]) -> list[Floats]:
        """How probably any two tokens stand for each other; zeros for tokens beyond `MOST_TOKENS`."""
        found = [np.zeros((len(left), len(right))) for left, right in pairs]
        told = [place for place, (left, right) in enumerate(pairs) if left and right]
        for start in range(0, len(told), PAIRS_AT_ONCE):
            places = told[start : start + PAIRS_AT_ONCE]
            for place, score in zip(places, self._block([pairs[place] for place in places]), strict=True):
                found[place][: score.shape[0], : score.shape[1]] = score
        return found

    def _block(self, pairs: Sequence[TokenPair]) -> list[Floats]:
        cut = [(left[:MOST_TOKENS], right[:MOST_TOKENS]) for left, right in pairs]
        turns = [is_turned(pair) for pair in cut]
        ahead = [pair[::-1] if turn else pair for pair, turn in zip(cut, turns, strict=True)]
        scores = [np.round(probabilities(self.passes, features), 6) for features in self.read(ahead)]
        for place, (left, right) in enumerate(cut):
            if list(left) == list(right):
                scores[place] = (scores[place] + scores[place].T) / 2
        return [score.T if turn else score for score, turn in zip(scores, turns, strict=True)]


def is_turned(pair: TokenPair) -> bool:
    """Whether a pair is read with its right text first, which is the longer one.

    >>> is_turned((["a"], ["a", "b"])), is_turned((["a", "b"], ["a"])), is_turned((["a"], ["a"]))
    (True, False, False)
    """
    left, right = ((len(side), list(side)) for side in pair)
    return left < right


def read_card(folder: Path) -> dict[str, Any]:
    """How an aligner was made, and what it needs to be read."""
    file = folder / CARD
    try:
        card: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {error}. Name a folder that recipes/aligner.py wrote.") from error
    if not {"layers", "threshold"} <= card.keys():
        raise InputError(f"{file} names no layers or no threshold. Name a folder that recipes/aligner.py wrote.")
    return card


@lru_cache(maxsize=2)
def open_reader(layers: tuple[int, ...]) -> PairReader:
    """The reader that looks at these layers of the shipped model of pairs, opened once."""
    return PairReader(TokenStates(pairs_folder(), layers), LexicalAligner.load())
