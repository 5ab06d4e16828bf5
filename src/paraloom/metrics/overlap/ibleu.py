"""Outputs, references and sources in, iBLEU out: likeness to the references less likeness to the source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Combine, Measured
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.self_bleu import SelfBleu


@dataclass(frozen=True, slots=True, kw_only=True)
class IBleu:
    """alpha · BLEU(output, references) - (1 - alpha) · BLEU(output, source) (Sun and Zhou, 2012).

    An item's value is the same of the two sentence BLEUs. Papers differ in alpha (.7 to .9), so it is in the signature.

    >>> evaluation_set = EvaluationSet.of(["the storm hit the coast"], [["the storm has hit the coast"]])
    >>> measure = IBleu(alpha=0.7).prepare(evaluation_set)
    >>> round(measure(["the storm hit the coast"]).value, 2)  # .7 · 40.94 - .3 · 100
    -1.34
    """

    alpha: float = 0.9
    """How much likeness to the references weighs; the rest is held against likeness to the source."""
    bleu: Bleu = Bleu()
    """The BLEU of both."""

    def __post_init__(self) -> None:
        """Refuse weights that are none."""
        if not 0 <= self.alpha <= 1:
            raise InputError(f"alpha is {self.alpha}. Give a number from 0 to 1.")

    @property
    def name(self) -> str:
        """`ibleu`."""
        return "ibleu"

    @property
    def better(self) -> Better:
        """Higher is nearer to the references and farther from the source."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read sources and references once; what is returned measures one system's outputs."""
        measure_against_references = self.bleu.prepare(evaluation_set)
        measure_against_sources = SelfBleu(bleu=self.bleu).prepare(evaluation_set)

        def measure(outputs: Sequence[str]) -> Measured:
            outputs = evaluation_set.check_outputs(outputs)
            near, copied = measure_against_references(outputs), measure_against_sources(outputs)
            assert near.statistics is not None
            assert copied.statistics is not None
            assert near.combine is not None
            return Measured(
                name=self.name,
                value=self.alpha * near.value - (1 - self.alpha) * copied.value,
                items=self.alpha * near.items - (1 - self.alpha) * copied.items,
                signature=f"{self.name}|alpha:{self.alpha:g}|{near.signature.removeprefix('bleu|')}",
                better=self.better,
                statistics=np.hstack([near.statistics, copied.statistics]),
                combine=partial(_combine, self.alpha, near.combine),
            )

        return measure


def _combine(alpha: float, bleu: Combine, sums: NDArray[np.float64]) -> NDArray[np.float64]:
    near, copied = np.split(sums, 2, axis=-1)
    return np.asarray(alpha * bleu(near) - (1 - alpha) * bleu(copied))
