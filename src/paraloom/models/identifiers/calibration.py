"""Held-out scores and the truth in, the best decision point and how far the scores can be believed out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPoint:
    """A threshold, and how well the pairs above it match the truth."""

    threshold: float
    f1: float
    precision: float
    recall: float


def best_f1(
    scores: NDArray[np.float64], truth: NDArray[np.bool_], weights: NDArray[np.float64] | None = None
) -> DecisionPoint:
    """The highest F1 of any point on the precision-recall curve, the papers' "max F1", and where it lies.

    Pairs may be weighed, as if for another base rate. The threshold is half-way between two neighbouring scores, so
    that no pair lies on it.

    >>> best_f1(np.array([0.1, 0.4, 0.6, 0.9]), np.array([False, True, False, True]))
    DecisionPoint(threshold=0.25, f1=0.8, precision=0.6666666666666666, recall=1.0)
    """
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
    below = float(ranked[best + 1]) if best + 1 < len(ranked) else float(ranked[best]) - 1.0
    return DecisionPoint(
        threshold=(float(ranked[best]) + below) / 2,
        f1=float(f1[best]),
        precision=float(found[best] / taken[best]),
        recall=float(found[best] / found[-1]),
    )


def at_threshold(scores: NDArray[np.float64], truth: NDArray[np.bool_], threshold: float = 0.5) -> DecisionPoint:
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


def weights_for_base_rate(truth: NDArray[np.bool_], base_rate: float) -> NDArray[np.float64]:
    """Weights under which `base_rate` of the pairs are paraphrases: figures on a corpus as if it held another share.

    >>> weights_for_base_rate(np.array([True, False, False, False]), 0.5).round(2).tolist()
    [2.0, 0.67, 0.67, 0.67]
    """
    given = float(truth.mean())
    weights: NDArray[np.float64] = np.where(truth, base_rate / given, (1 - base_rate) / (1 - given))
    return weights


def expected_calibration_error(
    probabilities: NDArray[np.float64],
    truth: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
    bins: int = 10,
) -> float:
    """Mean distance between what is promised and what comes true, over bins of equal width (Naeini et al., 2015).

    >>> expected_calibration_error(np.array([0.75, 0.75, 0.75, 0.75]), np.array([True, True, True, False]))
    0.0
    """
    weighed = np.ones(len(truth)) if weights is None else weights
    bin_of = np.minimum((probabilities * bins).astype(np.int64), bins - 1)
    promised = np.bincount(bin_of, weighed * probabilities, bins)
    happened = np.bincount(bin_of, weighed * truth, bins)
    return float(np.abs(promised - happened).sum() / weighed.sum())
