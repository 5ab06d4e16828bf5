"""Sources with several references in, how far people's own paraphrases differ from their source out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.self_bleu import SelfBleu

if TYPE_CHECKING:
    from paraloom.metrics.measured import Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceSelfBleu:
    """Self-BLEU of people's references: the row "Human Reference" that generators are held against."""

    lowest: float
    """The lowest of each source's references, averaged over sources."""
    mean: float
    deviation: float
    """Of a source's references, averaged over sources."""
    highest: float
    sources: int
    references: int
    skipped: int
    """Sources with a single reference: it has no lowest and highest."""
    signature: str


def reference_self_bleu(evaluation_set: EvaluationSet, metric: Metric | None = None) -> ReferenceSelfBleu:
    """Lowest, mean and highest self-BLEU of a source's references, averaged over sources (Dou et al., 2022, Table 4).

    Sentence BLEU of every reference against its source, as sacrebleu computes it. The paper does not say what its
    "±9.14" is the deviation of; the spread among one source's references fits its lowest and highest.

    >>> found = reference_self_bleu(EvaluationSet.of(["the storm hit the coast"],
    ...     [["the storm hit the coast", "a gale struck land"]]))
    >>> round(found.lowest, 1), round(found.mean, 1), round(found.highest, 1)
    (0.0, 50.0, 100.0)
    """
    rows = [row for row, count in enumerate(evaluation_set.reference_counts) if count > 1]
    if not rows:
        raise InputError("No source has several references, so there is no spread of them. Give at least two to one.")
    source_of = np.repeat(np.arange(len(rows)), [evaluation_set.reference_counts[row] for row in rows])
    outputs = [text for row in rows for text in evaluation_set.references[row]]
    sources = tuple(evaluation_set.sources[rows[place]] for place in source_of)
    repeated = EvaluationSet(sources, tuple((source,) for source in sources))
    measured = (metric or SelfBleu(bleu=Bleu(effective_order=True))).prepare(repeated)(outputs)
    starts = np.flatnonzero(np.diff(source_of, prepend=-1))
    counts = np.bincount(source_of)
    means = np.add.reduceat(measured.items, starts) / counts
    deviations = np.sqrt(np.add.reduceat((measured.items - means[source_of]) ** 2, starts) / counts)
    return ReferenceSelfBleu(
        lowest=float(np.minimum.reduceat(measured.items, starts).mean()),
        mean=float(means.mean()),
        deviation=float(deviations.mean()),
        highest=float(np.maximum.reduceat(measured.items, starts).mean()),
        sources=len(rows),
        references=len(outputs),
        skipped=len(evaluation_set.sources) - len(rows),
        signature=measured.signature if metric else f"sentence-{measured.signature}",
    )
