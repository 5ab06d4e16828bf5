"""Scores of pairs and the truth in, how well paraphrases are told from other pairs out: at one threshold or the best.

A pair counts as a paraphrase where its score lies above the threshold. What the field leaves undefined (the precision
of naming no pair) is 0, as in scikit-learn; what cannot be asked at all (F1 without a paraphrase) is an error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.measured import Combine, Measured, signature

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]

THRESHOLD = 0.5
"""The decision point of every identifier of Paraloom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPoint:
    """A threshold, and how well the pairs above it match the truth."""

    threshold: float
    f1: float
    precision: float
    recall: float


def best_f1(scores: Floats, truth: Truth, weights: Floats | None = None) -> DecisionPoint:
    """The highest F1 of any point on the precision-recall curve, the papers' "max F1", and where it lies.

    Pairs may be weighed, as if for another base rate. The threshold is half-way between two neighbouring scores, so
    that no pair lies on it.

    >>> best_f1(np.array([0.1, 0.4, 0.6, 0.9]), np.array([False, True, False, True]))
    DecisionPoint(threshold=0.25, f1=0.8, precision=0.6666666666666666, recall=1.0)
    """
    check_scores(scores, truth)
    if not truth.any():
        raise InputError("Without a single paraphrase in the truth there is no F1. Give pairs of both kinds.")
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    weighed = np.ones(len(scores)) if weights is None else weights[order]
    found = np.cumsum(weighed * truth[order])
    taken = np.cumsum(weighed)
    f1 = 2 * found / (taken + found[-1])
    last_of_its_score = np.append(ranked[1:] != ranked[:-1], True)
    best = int(np.argmax(np.where(last_of_its_score, f1, -1.0)))
    highest = float(ranked[best])
    below = (
        float(ranked[best + 1]) if best + 1 < len(ranked) else min(highest - 1.0, float(np.nextafter(highest, -np.inf)))
    )
    half_way = highest / 2 + below / 2  # each half first: the sum of two large scores is no number
    return DecisionPoint(
        threshold=half_way if below <= half_way < highest else below,  # two neighbouring floats have none between them
        f1=float(f1[best]),
        precision=float(found[best] / taken[best]),
        recall=float(found[best] / found[-1]),
    )


def at_threshold(scores: Floats, truth: Truth, threshold: float = THRESHOLD) -> DecisionPoint:
    """F1, precision and recall of calling every pair above the threshold a paraphrase; 0 where none is.

    >>> at_threshold(np.array([0.1, 0.4, 0.6, 0.9]), np.array([False, True, False, True])).f1
    0.5
    """
    taken = scores > threshold
    found = int((taken & truth).sum())
    return DecisionPoint(
        threshold=threshold,
        f1=2 * found / max(1, int(taken.sum()) + int(truth.sum())),
        precision=found / max(1, int(taken.sum())),
        recall=found / max(1, int(truth.sum())),
    )


def f1_of_calling_all(base_rate: float) -> float:
    """F1 of calling every pair a paraphrase: the floor that any F1 must be read against.

    >>> f1_of_calling_all(0.5)
    0.6666666666666666
    """
    return 2 * base_rate / (1 + base_rate)


def margin_over_calling_all(scores: Floats, truth: Truth, threshold: float = THRESHOLD) -> Measured:
    """How much F1 is above that of calling every pair a paraphrase; both change together as pairs are drawn again.

    >>> margin = margin_over_calling_all(np.array([0.1, 0.9]), np.array([False, True]))
    >>> round(margin.value, 3)
    0.333
    """
    f1 = measure_decisions(scores, truth, threshold)["f1"]
    assert f1.statistics is not None
    return Measured(
        name="f1-above-calling-all",
        value=float(_margin(f1.statistics.sum(0))),
        items=np.empty(0),
        signature=f1.signature,
        better="higher",
        statistics=f1.statistics,
        combine=_margin,
    )


def _margin(sums: Floats) -> Floats:
    found, _, missed, _ = np.moveaxis(sums, -1, 0)
    return np.asarray(_f1(sums) - _ratio(2 * (found + missed), sums.sum(-1) + found + missed))


def weights_for_base_rate(truth: Truth, base_rate: float) -> Floats:
    """Weights under which `base_rate` of the pairs are paraphrases: figures on a corpus as if it held another share.

    >>> weights_for_base_rate(np.array([True, False, False, False]), 0.5).round(2).tolist()
    [2.0, 0.67, 0.67, 0.67]
    """
    given = float(truth.mean())
    weights: Floats = np.where(truth, base_rate / given, (1 - base_rate) / (1 - given))
    return weights


def measure_decisions(scores: Floats, truth: Truth, threshold: float = THRESHOLD) -> dict[str, Measured]:
    """Precision, recall, F1, accuracy and Matthews' correlation (1975) at one threshold.

    Each follows from sums over pairs, so that its interval and its difference between two systems can be resampled.

    >>> measured = measure_decisions(np.array([0.1, 0.4, 0.6, 0.9]), np.array([False, True, False, True]))
    >>> {name: one.value for name, one in measured.items()}
    {'precision': 0.5, 'recall': 0.5, 'f1': 0.5, 'accuracy': 0.5, 'mcc': 0.0}
    """
    check_scores(scores, truth)
    taken = scores > threshold
    outcomes = np.column_stack([taken & truth, taken & ~truth, ~taken & truth, ~taken & ~truth]).astype(np.float64)
    right = (taken == truth).astype(np.float64)
    return {
        name: Measured(
            name=name,
            value=float(combine(outcomes.sum(0))),
            items=right if name == "accuracy" else np.empty(0),
            signature=signature(name, {"threshold": f"{threshold:g}", "rule": "above", "undefined": 0}),
            better="higher",
            statistics=outcomes,
            combine=combine,
        )
        for name, combine in DECISIONS.items()
    }


def mean_of_runs(runs: list[Measured]) -> Measured:
    """One metric of several runs on the same items as one: its value is their mean, resampled item by item.

    >>> truth = np.array([True, False])
    >>> runs = [measure_decisions(np.array(scores), truth)["f1"] for scores in ([0.9, 0.1], [0.1, 0.1])]
    >>> mean_of_runs(runs).value
    0.5
    """
    statistics = [run.statistics for run in runs if run.statistics is not None]
    combines = [run.combine for run in runs if run.combine is not None]
    if not runs or len(statistics) != len(runs) or len(combines) != len(runs):
        raise InputError("Runs of a metric that is no sum over items cannot be averaged item by item.")
    borders = np.cumsum([table.shape[1] for table in statistics])[:-1]

    def combine(sums: Floats) -> Floats:
        parts = np.split(sums, borders, axis=-1)
        return np.asarray(np.mean([one(part) for one, part in zip(combines, parts, strict=True)], axis=0))

    return Measured(
        name=runs[0].name,
        value=float(np.mean([run.value for run in runs])),
        items=np.empty(0),
        signature=f"{runs[0].signature}|runs:{len(runs)}",
        better=runs[0].better,
        statistics=np.concatenate(statistics, axis=1),
        combine=combine,
    )


def check_scores(scores: Floats, truth: Truth) -> None:
    """Refuse scores that do not fit the truth, or that are no numbers."""
    if len(scores) != len(truth):
        raise InputError(f"There are {len(scores)} scores for {len(truth)} labels. Give one score a pair.")
    if not len(scores):
        raise InputError("There is no pair to measure on. Give at least one of each kind.")
    broken = np.flatnonzero(~np.isfinite(scores))
    if len(broken):
        raise InputError(f"The score of pair {broken[0] + 1} is {scores[broken[0]]}, not a number.")


def _ratio(part: Floats, whole: Floats) -> Floats:
    """A share; 0 where there is nothing to have a share of."""
    return np.asarray(np.divide(part, whole, out=np.zeros(np.broadcast(part, whole).shape), where=whole > 0))


def _precision(sums: Floats) -> Floats:
    found, wrong, _, _ = np.moveaxis(sums, -1, 0)
    return _ratio(found, found + wrong)


def _recall(sums: Floats) -> Floats:
    found, _, missed, _ = np.moveaxis(sums, -1, 0)
    return _ratio(found, found + missed)


def _f1(sums: Floats) -> Floats:
    found, wrong, missed, _ = np.moveaxis(sums, -1, 0)
    return _ratio(2 * found, 2 * found + wrong + missed)


def _accuracy(sums: Floats) -> Floats:
    found, _, _, left = np.moveaxis(sums, -1, 0)
    return _ratio(found + left, sums.sum(-1))


def _matthews(sums: Floats) -> Floats:
    found, wrong, missed, left = np.moveaxis(sums, -1, 0)
    # Roots one by one: the product of four counts of a large corpus has more digits than a float.
    scale = np.sqrt(found + wrong) * np.sqrt(found + missed) * np.sqrt(left + wrong) * np.sqrt(left + missed)
    return _ratio(found * left - wrong * missed, scale)


DECISIONS: dict[str, Combine] = {
    "precision": _precision,
    "recall": _recall,
    "f1": _f1,
    "accuracy": _accuracy,
    "mcc": _matthews,
}
"""A metric of decisions, and how it follows from the sums of pairs found, wrongly named, missed and rightly left."""
