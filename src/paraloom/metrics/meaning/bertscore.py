"""Outputs and references (or sources) in, BERTScore out: how well their tokens match, by meaning in context.

As in Zhang et al. (2020) and their package: every token of the output is matched with the most similar token of the
reference, which gives precision, and every token of the reference with the most similar one of the output, which gives
recall. The encoder's own marks ([CLS], [SEP]) have weight 0, yet a token may be matched with one. Of several
references the best counts, for precision, recall and F1 each by itself.

Scores are on the scale from 0 to 100, as papers print them. They depend on the encoder and its layer more than on
anything else, so compare only what has the same signature.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from math import log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.against import Against, check_against
from paraloom.metrics.meaning.bertscore_baseline import Baseline
from paraloom.metrics.meaning.token_vectors import TokenEncoder, TokenVectors
from paraloom.metrics.measured import Better, Measured, mean_of, signature

Part = Literal["p", "r", "f1"]
PARTS: dict[Part, int] = {"p": 0, "r": 1, "f1": 2}

ROWS_AT_ONCE = 1024
"""Vectors of so many rows are in memory at a time, however large the set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredWithEncoder(Measured):
    """A metric over an encoder's vectors: an encoder reads only so many tokens, and says where there were more."""

    truncated: int = 0
    """How many distinct texts were longer than the encoder reads; what stands behind its limit was not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each token counts: all alike, or rare ones more (idf)."""

    of_token: Mapping[int, float] | None = None
    """By token number; None where all count alike."""
    of_unseen: float = 1.0

    @classmethod
    def idf(cls, documents: Iterable[NDArray[np.int64]]) -> Weights:
        """How rare a token is: log((references + 1) / (references with it + 1)), as Zhang et al. (2020) have it.

        >>> weights = Weights.idf([np.array([1, 2]), np.array([1, 3])])
        >>> {token: round(weight, 3) for token, weight in weights.of_token.items()}, round(weights.of_unseen, 3)
        ({1: 0.0, 2: 0.405, 3: 0.405}, 1.099)
        """
        counted: Counter[int] = Counter()
        number = 0
        for ids in documents:
            number += 1
            counted.update(set(ids.tolist()))
        found = {token: log((number + 1) / (count + 1)) for token, count in sorted(counted.items())}
        return cls(of_token=found, of_unseen=log(number + 1))

    def of(self, tokens: TokenVectors) -> NDArray[np.float64] | None:
        """The share of each token, which sum to 1; None where there is no token to count."""
        content = (~tokens.special).astype(np.float64)
        if not content.any():
            return None
        weights = content
        if self.of_token is not None:
            weights = content * [self.of_token.get(token, self.of_unseen) for token in tokens.ids.tolist()]
            if not weights.any():  # every token is in every reference: none says more than another
                weights = content
        return np.asarray(weights / weights.sum())


EVENLY = Weights()


@dataclass(frozen=True, slots=True, kw_only=True)
class BertScore:
    """Greedy matching of token vectors by cosine (Zhang et al., 2020): precision, recall or F1, from 0 to 100."""

    encoder: TokenEncoder
    part: Part = "f1"
    against: Against = "references"
    """`source` says how much of the input's meaning the output keeps, as Dou et al. (2022) report it."""
    idf: bool = False
    """Weigh tokens by how rare they are among the references (among the sources, when measured against those)."""
    baseline: Baseline | None = None
    """What unrelated sentences score, to be taken as 0 (Zhang et al., 2020, rescaling)."""

    def __post_init__(self) -> None:
        """Refuse what there is no score for."""
        check_against(self.against)
        if self.part not in PARTS:
            raise InputError(f"BERTScore has no part {self.part!r}. Choose one of: {', '.join(PARTS)}.")

    @property
    def name(self) -> str:
        """`bertscore-f1`, or `source-bertscore-f1` against the source."""
        return ("source-" if self.against == "source" else "") + f"bertscore-{self.part}"

    @property
    def better(self) -> Better:
        """Higher is better."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], MeasuredWithEncoder]:
        """Read sources or references once; what is returned measures one system's outputs."""
        others = evaluation_set.references
        if self.against == "source":
            others = tuple((source,) for source in evaluation_set.sources)
        weights = EVENLY
        if self.idf:
            weights = Weights.idf(self.encoder.token_ids(list(chain.from_iterable(others))))
        described = self._signature(others)

        def measure(outputs: Sequence[str]) -> MeasuredWithEncoder:
            outputs = evaluation_set.check_outputs(outputs)
            scores, truncated = best_scores(self.encoder, outputs, others, weights)
            if self.baseline is not None:
                scores = self.baseline.rescale(scores)
            items = scores[:, PARTS[self.part]] * 100
            return with_truncated(mean_of(self.name, items, described, self.better), truncated)

        return measure

    def _signature(self, others: Sequence[Sequence[str]]) -> str:
        counts = {len(texts) for texts in others}
        settings = {
            "against": self.against,
            "nrefs": counts.pop() if len(counts) == 1 else "var",
            "idf": "yes" if self.idf else "no",
            "rescaled": self.baseline.signature if self.baseline else "no",
            "marks": "weight-0",
            "scale": 100,
        }
        return f"{signature(self.name, settings)}|{self.encoder.signature}"


def with_truncated(measured: Measured, truncated: int) -> MeasuredWithEncoder:
    """The same, with the number of texts that were cut."""
    copied = {field.name: getattr(measured, field.name) for field in fields(Measured)}
    return MeasuredWithEncoder(**copied, truncated=truncated)


def best_scores(
    encoder: TokenEncoder, outputs: Sequence[str], others: Sequence[Sequence[str]], weights: Weights = EVENLY
) -> tuple[NDArray[np.float64], int]:
    """Precision, recall and F1 of each output, each the best over its references; and how many texts were cut."""
    scores = np.zeros((len(outputs), len(PARTS)))
    cut: set[str] = set()
    for start in range(0, len(outputs), ROWS_AT_ONCE):
        rows = range(start, min(start + ROWS_AT_ONCE, len(outputs)))
        texts = list(dict.fromkeys(chain.from_iterable((outputs[row], *others[row]) for row in rows)))
        encoded = dict(zip(texts, encoder.encode(texts), strict=True))
        cut.update(text for text in texts if encoded[text].truncated)
        units = {text: unit_vectors(tokens.vectors) for text, tokens in encoded.items()}
        shares = {text: weights.of(tokens) for text, tokens in encoded.items()}
        for row in rows:
            ours = outputs[row]
            matched = [match(units[ours], shares[ours], units[text], shares[text]) for text in others[row]]
            scores[row] = np.max(matched, axis=0)
    return scores, len(cut)


def measure_baseline(encoder: TokenEncoder, sentences: Sequence[str], pairs: int = 10_000, seed: int = 1) -> Baseline:
    """The mean scores of random pairs; give sentences that have nothing to do with each other, a million if you can."""
    distinct = [text for text in dict.fromkeys(sentences) if text.strip()]
    if len(distinct) < 2:
        raise InputError("A baseline needs at least two different sentences to pair.")
    draw = random.Random(seed)
    drawn = [draw.sample(distinct, 2) for _ in range(pairs)]
    scores, _ = best_scores(encoder, [left for left, _ in drawn], [(right,) for _, right in drawn])
    precision, recall, f1 = scores.mean(axis=0).tolist()
    return Baseline(precision=precision, recall=recall, f1=f1)


def match(
    output: NDArray[np.float32],
    output_shares: NDArray[np.float64] | None,
    reference: NDArray[np.float32],
    reference_shares: NDArray[np.float64] | None,
) -> tuple[float, float, float]:
    """Precision, recall and F1 of one output against one reference; 0 where either has no token.

    >>> two, half = np.eye(2, dtype=np.float32), np.array([0.5, 0.5])
    >>> match(two, half, two[:1], np.array([1.0]))
    (0.5, 1.0, 0.6666666666666666)
    """
    if output_shares is None or reference_shares is None:
        return 0.0, 0.0, 0.0
    cosines = (output @ reference.T).clip(-1.0, 1.0)
    precision = float(output_shares @ cosines.max(axis=1))
    recall = float(reference_shares @ cosines.max(axis=0))
    f1 = 2 * precision * recall / (precision + recall) if precision > 0 and recall > 0 else 0.0
    return precision, recall, f1


def unit_vectors(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row with length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)
