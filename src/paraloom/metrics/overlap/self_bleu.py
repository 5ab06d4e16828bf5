"""Outputs and their sources in, BLEU of output against source out: how much was copied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured
from paraloom.metrics.overlap.bleu import Bleu


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfBleu:
    """BLEU of an output against its own source; 100 is a copy (Dou et al., 2022, and most work on paraphrases).

    In work on open text generation self-BLEU is something else: how alike several outputs are (Zhu et al., 2018).
    That is `inter_bleu` here.

    >>> evaluation_set = EvaluationSet.of(["the storm hit the coast"], [["a gale came in from the sea"]])
    >>> SelfBleu().prepare(evaluation_set)(["the storm hit the coast"]).items.round(2)
    array([100.])
    """

    bleu: Bleu = Bleu()
    """The BLEU that is computed."""

    @property
    def name(self) -> str:
        """`self-bleu`."""
        return "self-bleu"

    @property
    def better(self) -> Better:
        """A paraphrase that says it in other words is lower."""
        return "lower"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read the sources once; the references do not matter."""
        sources = evaluation_set.sources
        measure_against_sources = self.bleu.prepare(EvaluationSet(sources, tuple((text,) for text in sources)))

        def measure(outputs: Sequence[str]) -> Measured:
            measured = measure_against_sources(outputs)
            return replace(measured, name=self.name, signature=f"self-{measured.signature}", better=self.better)

        return measure
