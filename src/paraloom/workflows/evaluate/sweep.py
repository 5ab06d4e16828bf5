"""A set and metrics in, curves out: every metric of every parrot, over the share of words that it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Measured, Metric
from paraloom.models.generators.parrots import KINDS, POSITIONS, Parrot, Parroting
from paraloom.reports.parrot_summary import CurvePoint

Step = Callable[[str, int, int], None]
"""Told what is being done, and how many of how many steps are done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """The curves, and on how many sources each metric was measured."""

    points: tuple[CurvePoint, ...]
    sources: Mapping[str, int]


def sweep(
    evaluation_set: EvaluationSet,
    metrics: Sequence[Metric],
    ratios: Sequence[float],
    *,
    sample: Mapping[str, int],
    seed: int,
    step: Step = lambda name, done, total: None,
) -> Sweep:
    """Measure cutting and replacing at head, tail and random positions; ratio 0 is the full parrot, once a curve.

    `sample` holds how many sources at most a metric is measured on, where that is not all. Smaller samples are part of
    larger ones, and a sample is the same for every ratio.
    """
    total = len(evaluation_set.sources)
    order = np.random.default_rng(seed).permutation(total)
    by_size: dict[int, list[Metric]] = {}
    for metric in metrics:
        by_size.setdefault(min(total, sample.get(metric.name) or total), []).append(metric)
    variants = [
        Parrot(kind=kind, position=position, ratio=ratio)
        for kind, position in product(KINDS, POSITIONS)
        for ratio in ratios
        if ratio
    ]
    points: list[CurvePoint] = []
    done, steps = 0, (len(variants) + 1) * len(metrics)
    for size, chosen in by_size.items():
        part = evaluation_set if size == total else evaluation_set.chosen(sorted(order[:size].tolist()))
        parroting = Parroting(part, seed)
        measures: list[Callable[[Sequence[str]], Measured]] = [metric.prepare(part) for metric in chosen]
        for parrot in (Parrot(), *variants):
            outputs = parroting.outputs(parrot)
            for metric, measure in zip(chosen, measures, strict=True):
                points += _points(parrot, metric.name, measure(outputs).value)
                done += 1
                step("sweep", done, steps)
    sources = {metric.name: size for size, chosen in by_size.items() for metric in chosen}
    return Sweep(points=tuple(sorted(points, key=_place)), sources=sources)


def _points(parrot: Parrot, metric: str, value: float) -> list[CurvePoint]:
    curves = [(parrot.kind, parrot.position)] if parrot.ratio else list(product(KINDS, POSITIONS))
    return [
        CurvePoint(metric=metric, kind=kind, position=position, ratio=parrot.ratio, value=value)
        for kind, position in curves
    ]


def _place(point: CurvePoint) -> tuple[str, str, str, float]:
    return point.metric, point.kind, point.position, point.ratio
