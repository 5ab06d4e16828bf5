"""What is known of phrase pairs in, the rating that people would give them out, from 1 (nothing alike) to 5 (the same).

People rated pairs that stood by themselves, so what spelling and models say of two phrases is weighed by trees that
have learned from such ratings. How the phrases were aligned is evidence beside: it moves a rating up or down from there
by a straight line, and where there is none the rating stays what it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.identifiers import SHIPPED
from paraloom.phrases.rank_measures import NAMES
from paraloom.phrases.rank_trees import Trees

WEIGHTS = SHIPPED / "phrases" / "rating.json"
LOWEST, HIGHEST = 1.0, 5.0
MODEL_COLUMNS = ("fast", "fast_rest", "good", "good_rest", "loose", "strict")
"""What models say of a pair: cosines by `fast` and `good`, those of the words that the other phrase lacks (`_rest`),
and the logits of the shipped identifier under two definitions."""
COLUMNS = (*NAMES, *MODEL_COLUMNS)
SOFT = 0.5
"""So near an edge what is foretold is bent towards it."""
LEAST_PROBABILITY = 1e-6
"""Of evidence, smaller probabilities are as bad as this one."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evidence:
    """How far a logarithm of a probability moves a rating."""

    column: str
    usual: float
    """The logarithm (to base 10) that moves it nowhere."""
    weight: float
    """By how much one more moves it."""

    def moves(self, probabilities: Floats) -> Floats:
        """By how much each rating moves; not at all where the probability is not known.

        >>> Evidence("translation", -1.0, 0.5).moves(np.array([1.0, 0.1, np.nan])).tolist()
        [0.5, 0.0, 0.0]
        """
        logs = np.log10(np.clip(probabilities, LEAST_PROBABILITY, 1.0))
        return np.asarray(np.where(np.isnan(logs), 0.0, self.weight * (logs - self.usual)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingModel:
    """Foretells people's mean rating of a phrase pair."""

    trees: Trees
    evidence: tuple[Evidence, ...]
    signature: str

    def ratings(self, given: Mapping[str, Floats]) -> Floats:
        """One number a pair, from 1 to 5, with six decimals. `given` are columns by their names: those of `COLUMNS`,
        and evidence; what is not given, or nan, is missing."""
        found = self.trees.of(given)
        for each in self.evidence:
            if each.column in given:
                found = found + each.moves(given[each.column])
        return softly_bounded(found)

    @classmethod
    def read(cls, file: Path = WEIGHTS) -> RatingModel:
        """The model that is shipped, or another one that the recipe wrote."""
        if not file.is_file():
            raise InputError(f"There is no model of ratings {file}. Install Paraloom again, or check the path.")
        evidence = json.loads(file.read_text(encoding="utf-8"))["evidence"]
        return cls(
            trees=Trees.read(file),
            evidence=tuple(Evidence(each["column"], each["usual"], each["weight"]) for each in evidence),
            signature=f"rating|trees-and-evidence|weights:{hash_of_file(file)[:8]}",
        )


def softly_bounded(foretold: Floats) -> Floats:
    """Ratings between 1 and 5, with six decimals. What is foretold to be near an edge or beyond comes ever nearer to
    it: of pairs that all seem the same, the surest is still the first.

    >>> softly_bounded(np.array([-1.0, 1.5, 3.0, 4.5, 5.0, 5.5])).tolist()
    [1.000045, 1.5, 3.0, 4.5, 4.880797, 4.982014]
    """
    inside = foretold.clip(LOWEST + SOFT, HIGHEST - SOFT)
    return np.asarray((inside + SOFT * np.tanh((foretold - inside) / SOFT)).round(6))


def as_share(ratings: Floats) -> Floats:
    """Ratings from 1 to 5 as scores from 0 to 1.

    >>> as_share(np.array([1.0, 3.0, 5.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    return np.asarray(((ratings - LOWEST) / (HIGHEST - LOWEST)).round(6))


def geometric_mean(one: Floats, other: Floats) -> Floats:
    """Of two columns of probabilities, with six decimals; nan where either is.

    >>> geometric_mean(np.array([0.5, np.nan]), np.array([0.125, 1.0])).tolist()
    [0.25, nan]
    """
    return np.asarray(np.sqrt(one * other).round(6))
