"""Pairs of texts in, chance out: the floor that every other system is read against.

The score is a hash of the pair and a seed: uniform between 0 and 1, the same in either order and in every run. The
papers' tables take F1 at its best threshold, which for a guess is to call every pair a paraphrase (recall 1).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.models.identifiers import CARD, DEFINITIONS, Examples
from paraloom.models.identifiers.refusals import check_definition, check_pairs, check_sets

NAME = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomGuess:
    """Knows nothing, and the same of every definition.

    >>> guess = RandomGuess()
    >>> guess.score(["the storm"], ["a storm"]) == guess.score(["a storm"], ["the storm"])
    array([ True])
    """

    seed: int = 1
    """Another seed, other guesses."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return DEFINITIONS

    @property
    def parameters(self) -> int:
        return 0

    @property
    def signature(self) -> str:
        return f"{NAME}|seed:{self.seed}|paraloom:{paraloom_version()}"

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals."""
        check_definition(NAME, definition, DEFINITIONS)
        check_pairs(left, right)
        guesses = [self._guess(*sorted(pair)) for pair in zip(left, right, strict=True)]
        return np.array(guesses, np.float64).round(6)

    def _guess(self, first: str, second: str) -> float:
        # The length of the first text keeps "ab", "c" from being the same pair as "a", "bc".
        told = f"{self.seed} {len(first)} {first}{second}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(told, digest_size=8).digest()) / 2**64

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> RandomGuess:
        """Another guess: nothing is learned from the examples, and .5 stays where it is."""
        check_sets(examples, held_out)
        return RandomGuess(seed=seed)

    def save(self, folder: Path) -> None:
        """Write the seed into a folder as JSON."""
        folder.mkdir(parents=True, exist_ok=True)
        card = {"name": NAME, "seed": self.seed}
        (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> RandomGuess:
        """What was saved into a folder."""
        return cls(seed=int(json.loads((folder / CARD).read_text(encoding="utf-8"))["seed"]))
