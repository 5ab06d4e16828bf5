"""Outputs and references in, chrF of the set and of each sentence out, equal to sacrebleu's to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured
from paraloom.metrics.parts import of_parts

SMALLEST = 1e-16
"""Stands for a precision or recall of no n-grams at all where `eps_smoothing` is on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chrf:
    """F-score over character n-grams (Popović, 2015), and word n-grams where asked (Popović, 2017), as sacrebleu's.

    Of several references the one with the best score counts.

    >>> evaluation_set = EvaluationSet.of(["The storm hit the coast."], [["A storm has hit the coast."]])
    >>> measured = Chrf().prepare(evaluation_set)(["A storm hit the coast."])
    >>> measured.name, round(measured.value, 2)
    ('chrf2', 76.27)
    """

    char_order: int = 6
    """The longest character n-grams that count."""
    word_order: int = 0
    """The longest word n-grams that count; 2 makes chrF++."""
    beta: int = 2
    """How many times as much recall weighs as precision."""
    lowercase: bool = False
    """Compare lower-cased."""
    whitespace: bool = False
    """White space counts as a character."""
    eps_smoothing: bool = False
    """Score each length by itself, as chrF++.py and NLTK do, rather than only those of which there are n-grams."""

    def __post_init__(self) -> None:
        """Refuse what has no n-grams."""
        if self.char_order < 0 or self.word_order < 0 or self.char_order + self.word_order < 1:
            raise InputError(
                f"chrF over {self.char_order} characters and {self.word_order} words does not exist. "
                "Give orders of 0 or more, one of them at least 1."
            )
        if not self.beta >= 0:
            raise InputError(f"chrF with a beta of {self.beta} does not exist. Give 0 or more.")

    @property
    def name(self) -> str:
        """`chrf2`, or `chrf2++` with words."""
        return f"chrf{self.beta}" + "+" * self.word_order

    @property
    def better(self) -> Better:
        """Higher is nearer to the references."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read the references once; what is returned measures one system's outputs."""
        from sacrebleu.metrics.chrf import CHRF

        from paraloom.metrics.overlap.chrf_counts import ChrfCounts

        chrf = CHRF(self.char_order, self.word_order, self.beta, self.lowercase, self.whitespace, self.eps_smoothing)
        counts = set(evaluation_set.reference_counts)
        chrf.num_refs = counts.pop() if len(counts) == 1 else -1
        signature = f"{self.name}|{chrf.get_signature()}"
        counts_of = ChrfCounts(
            evaluation_set.references,
            self.char_order,
            self.word_order,
            lowercase=self.lowercase,
            white_space=self.whitespace,
        )

        def measure(outputs: Sequence[str]) -> Measured:
            outputs = evaluation_set.check_outputs(outputs)

            def best_of_part(first: int, last: int) -> NDArray[np.int64]:
                counts = counts_of(outputs[first:last], first)
                bounds = counts_of.bounds[first : last + 1] - counts_of.bounds[first]
                return counts[_first_best(self._scores(counts), bounds)]

            statistics = np.concatenate(of_parts(best_of_part, len(outputs))).astype(np.float64)
            return Measured(
                name=self.name,
                value=float(self._scores(statistics.sum(axis=0))),
                items=self._scores(statistics),
                signature=signature,
                better=self.better,
                statistics=statistics,
                combine=self._scores,
            )

        return measure

    def _scores(self, counts: NDArray[np.float64] | NDArray[np.int64]) -> NDArray[np.float64]:
        """From n-grams (…, of output, of reference, of both, length after length) to scores, step by step as sacrebleu.

        Sums of whole numbers are exact in any order; what follows is done in sacrebleu's order, to the last digit.
        """
        counts = np.asarray(counts, dtype=np.float64)
        weight = self.beta**2
        each = precisions = recalls = effective = np.zeros(counts.shape[:-1])
        for order in range(self.char_order + self.word_order):
            in_output, in_reference, in_both = (counts[..., 3 * order + which] for which in range(3))
            precision = _ratio(in_both, in_output, SMALLEST)
            recall = _ratio(in_both, in_reference, SMALLEST)
            each = each + _ratio((1 + weight) * precision * recall, weight * precision + recall, SMALLEST)
            known = (in_output > 0) & (in_reference > 0)
            precisions = precisions + np.where(known, precision, 0.0)
            recalls = recalls + np.where(known, recall, 0.0)
            effective = effective + known
        if self.eps_smoothing:
            return np.asarray(100 * each / (self.char_order + self.word_order))
        precision, recall = _ratio(precisions, effective, 0.0), _ratio(recalls, effective, 0.0)
        return np.asarray(100 * _ratio((1 + weight) * precision * recall, weight * precision + recall, 0.0))


def _ratio(over: NDArray[np.float64], under: NDArray[np.float64], otherwise: float) -> NDArray[np.float64]:
    return np.asarray(np.divide(over, under, out=np.full(np.shape(under), otherwise), where=under > 0))


def _first_best(scores: NDArray[np.float64], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each source the row of its best reference, of equals the first.

    >>> _first_best(np.array([1.0, 3.0, 3.0, 2.0]), np.array([0, 3, 4]))
    array([1, 3])
    """
    best = np.repeat(np.maximum.reduceat(scores, bounds[:-1]), np.diff(bounds))
    rows = np.flatnonzero(scores == best)
    return rows[np.searchsorted(rows, bounds[:-1])]
