"""Outputs in, out comes how close they stay to their sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from paraloom.metrics.diversity.copying import CopyRate, wording
from paraloom.metrics.diversity.edit_ratio import EditRatio
from paraloom.metrics.diversity.pinc import Pinc
from paraloom.metrics.diversity.small_changes import SmallChangeRate
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.reports.generation_summary import Likeness
from paraloom.workflows.evaluate.closeness import ParrotScale
from paraloom.workflows.evaluate.near_copies import prepare_near_copies

BINS = 20


def prepare_likeness(
    evaluation_set: EvaluationSet, scale: ParrotScale, language: str
) -> Callable[[Sequence[str]], Likeness]:
    """Read the sources once; what is returned counts copies, small changes and near copies among outputs."""
    copies = CopyRate().prepare(evaluation_set)
    small = SmallChangeRate(language=language).prepare(evaluation_set)
    near_copies = prepare_near_copies(evaluation_set.sources)
    new_words = Pinc(n=1).prepare(evaluation_set)

    def likeness(outputs: Sequence[str]) -> Likeness:
        return Likeness(
            copies=copies(outputs).value,
            small_changes=small(outputs).value,
            near_copies=sum(near_copies(outputs)) / len(outputs),
            empty=sum(not text.strip() for text in outputs) / len(outputs),
            distinct=_share_of_distinct(outputs),
            new_words=new_words(outputs).value,
            self_bleu=scale.self_bleu(outputs),
            share_replaced=scale.share_replaced(outputs),
        )

    return likeness


def _share_of_distinct(outputs: Sequence[str]) -> float:
    """Of outputs with words, how many there would be if none were said twice; 1 where all are empty, another fault.

    >>> _share_of_distinct(["so it is", "So it is!", "it is not", "no"])
    0.75
    """
    said = [wording(text) for text in outputs if text.strip()]
    return len(set(said)) / len(said) if said else 1.0


def edit_ratios(evaluation_set: EvaluationSet, outputs: Sequence[str]) -> tuple[int, ...]:
    """Outputs by how much of them must be edited to get the source, in 20 bins from 0 to 1."""
    counts, _ = np.histogram(EditRatio().prepare(evaluation_set)(outputs).items, bins=BINS, range=(0, 1))
    return tuple(counts.tolist())
