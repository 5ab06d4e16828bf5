"""Outputs and sources (or references) in, the cosine of their sentence vectors out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.against import Against, check_against
from paraloom.metrics.measured import Better, Measured, mean_of, signature

ROWS_AT_ONCE = 8192


@runtime_checkable
class SentenceEncoder(Protocol):
    """Turns texts into vectors, one for each text."""

    @property
    def signature(self) -> str:
        """All that decides a vector."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Texts × dimensions, in the order given; no row depends on the others. Zeros where a text says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingCosine:
    """Cosine of the vectors of output and source, from -1 to 1; against references, the nearest one counts."""

    encoder: SentenceEncoder
    against: Against = "source"

    def __post_init__(self) -> None:
        """Refuse what outputs cannot be compared with."""
        check_against(self.against)

    @property
    def name(self) -> str:
        """`embedding-cosine`, or `reference-embedding-cosine`."""
        return ("reference-" if self.against == "references" else "") + "embedding-cosine"

    @property
    def better(self) -> Better:
        """Higher is better."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Encode sources or references once; what is returned measures one system's outputs."""
        nearest = prepare_nearest(self.encoder, evaluation_set, self.against)
        described = f"{signature(self.name, {'against': self.against})}|{self.encoder.signature}"

        def measure(outputs: Sequence[str]) -> Measured:
            return mean_of(self.name, np.array([max(found) for found in nearest(outputs)]), described, self.better)

        return measure


def prepare_nearest(
    encoder: SentenceEncoder, evaluation_set: EvaluationSet, against: Against
) -> Callable[[Sequence[str]], list[NDArray[np.float64]]]:
    """The cosines of each output with its source, or with each of its references; 0 for a text that says nothing."""
    others = others_of(evaluation_set, against)
    vectors = unit_rows(encoder, list(chain.from_iterable(others)))
    ends = np.cumsum([len(texts) for texts in others])
    owners = np.repeat(np.arange(len(others)), [len(texts) for texts in others])

    def cosines(outputs: Sequence[str]) -> list[NDArray[np.float64]]:
        outputs = evaluation_set.check_outputs(outputs)
        ours = unit_rows(encoder, outputs)
        found = np.empty(len(owners))
        for start in range(0, len(owners), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            found[rows] = np.einsum("ij,ij->i", vectors[rows], ours[owners[rows]], dtype=np.float64)
        return np.split(found.clip(-1.0, 1.0), ends[:-1])

    return cosines


def others_of(evaluation_set: EvaluationSet, against: Against) -> Sequence[tuple[str, ...]]:
    """What each output is compared with."""
    if against == "source":
        return [(source,) for source in evaluation_set.sources]
    return evaluation_set.references


def unit_rows(encoder: SentenceEncoder, texts: Sequence[str]) -> NDArray[np.float32]:
    """The vectors of texts with length 1; a text of white space says nothing."""
    vectors = encoder.embed(texts)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)
    vectors[[row for row, text in enumerate(texts) if not text.strip()]] = 0
    return vectors
