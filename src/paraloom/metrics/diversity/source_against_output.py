"""A score of one source and one output in; out comes the metric whose value is its mean over a set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Measured, Metric, mean_of, signature

Read = TypeVar("Read")


def mean_over_pairs(
    metric: Metric,
    evaluation_set: EvaluationSet,
    *,
    read: Callable[[str], Read],
    score: Callable[[Read, Read], float],
    settings: Mapping[str, object],
) -> Callable[[Sequence[str]], Measured]:
    """Read every source once; what is returned reads the outputs and scores each against its own source."""
    sources = [read(text) for text in evaluation_set.sources]
    signed = signature(metric.name, settings)

    def measure(outputs: Sequence[str]) -> Measured:
        outputs = evaluation_set.check_outputs(outputs)
        scores = [score(source, read(output)) for source, output in zip(sources, outputs, strict=True)]
        return mean_of(metric.name, np.array(scores, dtype=np.float64), signed, metric.better)

    return measure
