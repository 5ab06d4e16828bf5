"""Outputs in, out comes how close they stay to their sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from paraloom.metrics.diversity.copying import CopyRate
from paraloom.metrics.diversity.edit_ratio import EditRatio
from paraloom.metrics.diversity.pinc import Pinc
from paraloom.metrics.diversity.small_changes import SmallChangeRate
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.reports.generation_summary import Likeness
from paraloom.workflows.evaluate.closeness import ParrotScale

NEAR = 0.2
"""A near copy differs from its source by at most this share of its words."""
BINS = 20


def prepare_likeness(
    evaluation_set: EvaluationSet, scale: ParrotScale, language: str
) -> Callable[[Sequence[str]], Likeness]:
    """Read the sources once; what is returned counts copies, small changes and near copies among outputs."""
    copies = CopyRate().prepare(evaluation_set)
    small = SmallChangeRate(language=language).prepare(evaluation_set)
    edits = EditRatio().prepare(evaluation_set)
    new_words = Pinc(n=1).prepare(evaluation_set)

    def likeness(outputs: Sequence[str]) -> Likeness:
        return Likeness(
            copies=copies(outputs).value,
            small_changes=small(outputs).value,
            near_copies=float((edits(outputs).items <= NEAR).mean()),
            empty=sum(not text.strip() for text in outputs) / len(outputs),
            new_words=new_words(outputs).value,
            self_bleu=scale.self_bleu(outputs),
            share_replaced=scale.share_replaced(outputs),
        )

    return likeness


def edit_ratios(evaluation_set: EvaluationSet, outputs: Sequence[str]) -> tuple[int, ...]:
    """Outputs by how much of them must be edited to get the source, in 20 bins from 0 to 1."""
    counts, _ = np.histogram(EditRatio().prepare(evaluation_set)(outputs).items, bins=BINS, range=(0, 1))
    return tuple(counts.tolist())
