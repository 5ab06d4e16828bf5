"""Outputs and sources (or references) in, SIM out: the cosine of averaged sub-word vectors learned on paraphrases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.against import Against, check_against
from paraloom.metrics.meaning.embedding_cosine import SentenceEncoder, others_of, prepare_nearest
from paraloom.metrics.measured import Better, Measured, mean_of, signature
from paraloom.text.treebank import treebank_tokens

SIMILE_ALPHA = 0.25
"""The strength of the length penalty that Wieting et al. (2019) found best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sim:
    """SIM, and with a length penalty SIMILE, from -1 to 1 and mostly above 0 (Wieting et al., 2019)."""

    encoder: SentenceEncoder
    """Their averaging model: `paraloom.models.encoders.load_sentence_encoder("sim")`."""
    against: Against = "source"
    alpha: float = 0.0
    """0 is SIM; 0.25 is SIMILE, which an output much longer or shorter than the other text cannot win."""

    def __post_init__(self) -> None:
        """Refuse what has no score."""
        check_against(self.against)
        if self.alpha < 0:
            raise InputError(f"alpha is {self.alpha}; it must be 0 (SIM) or above ({SIMILE_ALPHA} is SIMILE).")

    @property
    def name(self) -> str:
        """`sim` or `simile`, with `reference-` before it against references."""
        return ("reference-" if self.against == "references" else "") + ("simile" if self.alpha else "sim")

    @property
    def better(self) -> Better:
        """Higher is better."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Encode sources or references once; what is returned measures one system's outputs."""
        cosines = prepare_nearest(self.encoder, evaluation_set, self.against)
        lengths = [[_words(text) for text in texts] for texts in others_of(evaluation_set, self.against)]
        settings = {"against": self.against, "alpha": f"{self.alpha:g}"}
        described = f"{signature(self.name, settings)}|{self.encoder.signature}"

        def measure(outputs: Sequence[str]) -> Measured:
            outputs = evaluation_set.check_outputs(outputs)
            items = [
                max(
                    cosine * length_penalty(_words(output), theirs) ** self.alpha
                    for cosine, theirs in zip(*pairs, strict=True)
                )
                for output, *pairs in zip(outputs, cosines(outputs), lengths, strict=True)
            ]
            return mean_of(self.name, np.array(items), described, self.better)

        return measure


def length_penalty(ours: int, theirs: int) -> float:
    """1 for texts of equal length, less the more they differ: e^(1 - longer / shorter) (Wieting et al., 2019).

    >>> length_penalty(7, 7), round(length_penalty(5, 10), 3), length_penalty(0, 3)
    (1.0, 0.368, 0.0)
    """
    shorter, longer = sorted((ours, theirs))
    if not shorter:
        return float(ours == theirs)
    return exp(1 - longer / shorter)


def _words(text: str) -> int:
    return len(treebank_tokens(text.lower()))
