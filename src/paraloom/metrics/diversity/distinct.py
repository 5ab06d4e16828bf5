"""Outputs in, out comes how many of their n-grams are different ones: whether a system says the same to everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured, signature
from paraloom.text.ngrams import ngrams
from paraloom.text.tokenise import tokenise


def distinct(outputs: Sequence[str], n: int = 1) -> float:
    """Distinct n-grams over all n-grams of all outputs together (Li et al., 2016); 0 where there is none.

    >>> distinct(["I do not know", "I do not care"])
    0.625
    """
    if isinstance(outputs, str):
        raise InputError("Outputs are one string, so each character would count as an output. Give a list of texts.")
    _refuse_length(n)
    return _share([ngrams(tokenise(text.lower()), n) for text in outputs])


@dataclass(frozen=True, slots=True)
class Distinct:
    """Distinct-n (Li et al., 2016), from 0 to 1. It falls as outputs grow in number: compare sets of one size only."""

    n: int = 1
    """Length of the n-grams."""

    def __post_init__(self) -> None:
        """Refuse a length that does not exist before anything is read."""
        _refuse_length(self.n)

    @property
    def name(self) -> str:
        """`distinct-1`, `distinct-2` and so on."""
        return f"distinct-{self.n}"

    @property
    def better(self) -> Better:
        """Higher: the outputs differ more from each other and repeat themselves less."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Measure outputs alone; neither sources nor references are looked at.

        An item's value is the ratio within that output. There are no statistics, for the distinct n-grams of two
        outputs do not add up: one that both have counts once.
        """

        def measure(outputs: Sequence[str]) -> Measured:
            outputs = evaluation_set.check_outputs(outputs)
            found = [ngrams(tokenise(text.lower()), self.n) for text in outputs]
            return Measured(
                name=self.name,
                value=_share(found),
                items=np.array([_share([of_output]) for of_output in found], dtype=np.float64),
                signature=signature(self.name, {"case": "lc", "tok": "paraloom"}),
                better=self.better,
            )

        return measure


def _refuse_length(n: int) -> None:
    if n < 1:
        raise InputError(f"Distinct over n-grams of {n} tokens does not exist. Give an n of at least 1.")


def _share(found: Sequence[Sequence[tuple[str, ...]]]) -> float:
    total = sum(len(of_output) for of_output in found)
    return len({gram for of_output in found for gram in of_output}) / total if total else 0.0
