"""Outputs and their sources in, BERT-iBLEU out: high where the meaning is kept and the words are not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.bertscore import BertScore, MeasuredWithEncoder, with_truncated
from paraloom.metrics.measured import Better, mean_of
from paraloom.metrics.overlap.bleu import SentenceBleu


@dataclass(frozen=True, slots=True, kw_only=True)
class BertIBleu:
    """Harmonic mean of BERTScore and 1 - self-BLEU, sentence by sentence, from 0 to 100 (Niu et al., 2021).

    A copy scores 0, and so does an output that says nothing of what the source says.
    """

    bertscore: BertScore
    """How much of the source's meaning is kept; its F1 is measured against the source."""
    beta: float = 4.0
    """How many times as much meaning weighs as change."""
    bleu: SentenceBleu = SentenceBleu()
    """How each output's BLEU against its source is computed."""

    def __post_init__(self) -> None:
        if self.bertscore.against != "source" or self.bertscore.part != "f1":
            raise InputError(f"BERT-iBLEU compares with the source by F1; {self.bertscore.name} was given instead.")
        if self.beta <= 0:
            raise InputError(f"beta is {self.beta}; it must be above 0.")

    @property
    def name(self) -> str:
        """`bert-ibleu`."""
        return "bert-ibleu"

    @property
    def better(self) -> Better:
        """Higher is better."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], MeasuredWithEncoder]:
        """Read the sources once; the references do not matter."""
        sources = evaluation_set.sources
        meaning = self.bertscore.prepare(evaluation_set)
        copying = self.bleu.prepare(EvaluationSet(sources, tuple((text,) for text in sources)))

        def measure(outputs: Sequence[str]) -> MeasuredWithEncoder:
            outputs = evaluation_set.check_outputs(outputs)
            kept, copied = meaning(outputs), copying(outputs)
            items = 100 * harmonic_mean(kept.items / 100, 1 - copied.items / 100, self.beta)
            described = f"{self.name}|beta:{self.beta:g}|self-{copied.signature}|{kept.signature}"
            return with_truncated(mean_of(self.name, items, described, self.better), kept.truncated)

        return measure


def harmonic_mean(meaning: NDArray[np.float64], change: NDArray[np.float64], beta: float = 4.0) -> NDArray[np.float64]:
    """The harmonic mean in which meaning counts beta times; 0 where either is 0 or below.

    >>> harmonic_mean(np.array([0.9, 1.0, 0.5]), np.array([0.6, 0.0, 0.5])).round(3).tolist()
    [0.818, 0.0, 0.5]
    """
    meaning, change = (
        np.where(share > 1e-12, share, 0.0) for share in (meaning, change)
    )  # BLEU of a copy is 1 ± 1e-16
    below = beta * change + meaning
    return np.divide((beta + 1) * meaning * change, below, out=np.zeros_like(below), where=below > 0)
