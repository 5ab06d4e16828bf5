"""Scores of systems on the same labelled pairs in, all figures of each and their differences out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.identification.calibration import BINS, ReliabilityBin, measure_calibration, reliability
from paraloom.metrics.identification.decisions import (
    THRESHOLD,
    DecisionPoint,
    best_f1,
    f1_of_calling_all,
    margin_over_calling_all,
    measure_decisions,
)
from paraloom.metrics.identification.ranking import (
    FIGURES,
    Ranking,
    compare_resampled,
    intervals_of,
    resampled_figures,
)
from paraloom.metrics.identification.slices import Slice, Slicing, measure_slices
from paraloom.metrics.measured import Better, Measured
from paraloom.metrics.significance import (
    RESAMPLES,
    SEED,
    Comparison,
    Groups,
    Interval,
    bootstrap_interval,
    bootstrap_intervals,
    compare,
    numbered,
)

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]

COMPARED = ("f1", "accuracy", "mcc")
"""What is compared by bootstrap and by randomisation; what ranks pairs is compared by bootstrap alone."""

POINTS_OF_A_CURVE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One metric of one system, with its interval and all that decides it."""

    value: float
    interval: Interval | None
    signature: str
    better: Better


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One point of a precision-recall curve: all pairs at or above a score taken for paraphrases."""

    score: float
    precision: float
    recall: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemFigures:
    """All that is measured of one system on labelled pairs."""

    name: str
    made_by: str
    """The identifier's signature, or the file that its scores were read from."""
    pairs: int
    paraphrases: int
    groups: int | None
    """How many groups the pairs come in, which are drawn whole; None where pairs are drawn one by one."""
    threshold: float
    figures: Mapping[str, Figure]
    best: DecisionPoint
    """Where max F1 lies."""
    floor: float
    """F1 of calling every pair a paraphrase."""
    above_floor: Interval | None
    """Of the difference between F1 and that floor, both on the same draws."""
    curve: Sequence[CurvePoint]
    reliability: Sequence[ReliabilityBin]
    slices: Mapping[str, Sequence[Slice]]
    not_measured: Mapping[str, str]
    """Metrics that do not exist for these scores, and why."""

    @property
    def base_rate(self) -> float:
        """Share of paraphrases among the pairs."""
        return self.paraphrases / self.pairs

    def as_json(self) -> dict[str, Any]:
        """`{"metrics": …, "signature": …}` and all else, as plain values."""
        best = {f"max-f1-{name}": getattr(self.best, name) for name in ("threshold", "precision", "recall")}
        return {
            "metrics": {name: figure.value for name, figure in self.figures.items()} | best,
            "signature": {name: figure.signature for name, figure in self.figures.items()},
            "intervals": {name: _bounds(figure.interval) for name, figure in self.figures.items()},
            "not_measured": dict(self.not_measured),
            "made_by": self.made_by,
            "pairs": self.pairs,
            "paraphrases": self.paraphrases,
            "groups": self.groups,
            "threshold": self.threshold,
            "f1_of_calling_all": self.floor,
            "f1_above_calling_all_interval": _bounds(self.above_floor),
            "slices": {
                name: [asdict(part) | _bounds_of(part) for part in parts] for name, parts in self.slices.items()
            },
            "reliability": [asdict(one) for one in self.reliability],
            "curve": [asdict(point) for point in self.curve],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemComparison:
    """One metric of two systems on the same pairs."""

    ours: str
    other: str
    bootstrap: Comparison
    randomisation_p_value: float | None
    """None where only the bootstrap applies."""

    def as_json(self) -> dict[str, Any]:
        """The comparison as plain values."""
        return {
            "ours": self.ours,
            "other": self.other,
            "metric": self.bootstrap.name,
            "difference": self.bootstrap.difference,
            "low": self.bootstrap.low,
            "high": self.bootstrap.high,
            "p_bootstrap": self.bootstrap.p_value,
            "p_randomisation": self.randomisation_p_value,
        }


def measure_systems(
    systems: Mapping[str, tuple[str, Floats]],
    truth: Truth,
    slicings: Sequence[Slicing] = (),
    *,
    groups: Groups | None = None,
    threshold: float = THRESHOLD,
    bins: int = BINS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[list[SystemFigures], list[SystemComparison]]:
    """Figures of every system, named with what made its scores; and every two systems compared on the same draws.

    What is drawn are the pairs, or their groups where these are told.

    >>> truth = np.array([True, True, False, False])
    >>> good, poor = np.array([0.9, 0.8, 0.2, 0.1]), np.array([0.9, 0.1, 0.8, 0.2])
    >>> systems = {"good": ("good.tsv", good), "poor": ("poor.tsv", poor)}
    >>> (good, poor), compared = measure_systems(systems, truth, resamples=20)
    >>> good.figures["f1"].value, poor.figures["f1"].value, [one.bootstrap.name for one in compared]
    (1.0, 0.5, ['f1', 'accuracy', 'mcc', 'max-f1', 'average-precision', 'roc-auc'])
    """
    rankings = [Ranking.of(scores, truth) for _, scores in systems.values()]
    resampled = resampled_figures(rankings, groups=groups, resamples=resamples, seed=seed)
    count = None if groups is None else int(numbered(groups, len(truth)).max()) + 1
    drawn = f"pairs:{len(truth)}|{draws_told(count)}|bootstrap:{resamples}|seed:{seed}"
    found, decided = [], {}
    for (name, (made_by, scores)), ranking, ranked in zip(systems.items(), rankings, resampled, strict=True):
        decided[name] = measure_decisions(scores, truth, threshold)
        summed, not_measured = _calibrated(decided[name], scores, truth, bins)
        intervals = bootstrap_intervals(list(summed.values()), groups=groups, resamples=resamples, seed=seed)
        figures = {
            one.name: Figure(
                value=one.value, interval=interval, signature=f"{one.signature}|{drawn}", better=one.better
            )
            for one, interval in zip(summed.values(), intervals, strict=True)
        }
        found.append(
            SystemFigures(
                name=name,
                made_by=made_by,
                pairs=len(truth),
                paraphrases=int(truth.sum()),
                groups=count,
                threshold=threshold,
                figures=figures | _ranked(ranking, ranked, drawn, seed),
                best=best_f1(scores, truth),
                floor=f1_of_calling_all(float(truth.mean())),
                above_floor=bootstrap_interval(
                    margin_over_calling_all(scores, truth, threshold), groups=groups, resamples=resamples, seed=seed
                ),
                curve=_points(ranking),
                reliability=() if not_measured else reliability(scores, truth, bins),
                slices={
                    slicing.name: measure_slices(
                        slicing, scores, truth, threshold, groups=groups, resamples=resamples, seed=seed
                    )
                    for slicing in slicings
                },
                not_measured=not_measured,
            )
        )
    return found, _compared(list(systems), decided, rankings, resampled, groups, resamples, seed)


def draws_told(groups: int | None) -> str:
    """The part of a signature that says what was drawn.

    >>> draws_told(140), draws_told(None)
    ('draws:groups|groups:140', 'draws:pairs')
    """
    return "draws:pairs" if groups is None else f"draws:groups|groups:{groups}"


def _calibrated(
    decided: Mapping[str, Measured], scores: Floats, truth: Truth, bins: int
) -> tuple[dict[str, Measured], dict[str, str]]:
    """The metrics of decisions with those of probabilities, or why there are none of these."""
    outside = int(((scores < 0) | (scores > 1)).sum())
    if outside:
        why = f"{outside} of {len(scores)} scores lie outside 0 to 1: they are no probabilities"
        return dict(decided), {"ece": why, "brier": why}
    return dict(decided) | measure_calibration(scores, truth, bins), {}


def _ranked(ranking: Ranking, resampled: Floats, drawn: str, seed: int) -> dict[str, Figure]:
    intervals = intervals_of(resampled, seed=seed)
    return {
        name: Figure(
            value=float(value), interval=intervals[name], signature=f"{name}|ties:together|{drawn}", better="higher"
        )
        for name, value in zip(FIGURES, ranking.figures(), strict=True)
    }


def _compared(
    names: Sequence[str],
    decided: Mapping[str, Mapping[str, Measured]],
    rankings: Sequence[Ranking],
    resampled: Sequence[Floats],
    groups: Groups | None,
    resamples: int,
    seed: int,
) -> list[SystemComparison]:
    found = []
    for (first, ours), (second, other) in combinations(enumerate(names), 2):
        for metric in COMPARED:
            one, two = decided[ours][metric], decided[other][metric]
            swapped = compare(one, two, groups=groups, method="randomisation", resamples=resamples, seed=seed)
            found.append(
                SystemComparison(
                    ours=ours,
                    other=other,
                    bootstrap=compare(one, two, groups=groups, resamples=resamples, seed=seed),
                    randomisation_p_value=swapped.p_value,
                )
            )
        ranked = compare_resampled(
            rankings[first].figures(), rankings[second].figures(), resampled[first], resampled[second], seed=seed
        )
        found += [SystemComparison(ours=ours, other=other, bootstrap=one, randomisation_p_value=None) for one in ranked]
    return found


def _points(ranking: Ranking) -> list[CurvePoint]:
    """The curve, or as many of its points as can be seen, its ends among them."""
    precision, recall, scores = ranking.curve()
    kept = np.unique(np.linspace(0, len(scores) - 1, min(len(scores), POINTS_OF_A_CURVE)).round().astype(int))
    return [
        CurvePoint(score=float(scores[place]), precision=float(precision[place]), recall=float(recall[place]))
        for place in kept
    ]


def _bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def _bounds_of(part: Slice) -> dict[str, Any]:
    return {"f1_interval": _bounds(part.f1_interval), "mcc_interval": _bounds(part.mcc_interval)}
