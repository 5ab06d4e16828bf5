"""Raw scores in, scores from 0 to 1 out whose .5 lies where F1 was best on held-out pairs.

For systems whose own score is no probability: a cosine, an edit distance, a margin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.identification.decisions import best_f1

Floats = NDArray[np.float64]

STEPS = 100
GENTLEST_SLOPE = 0.1
"""For each standard deviation of the raw scores. Where they say nothing, or the opposite, their order is still kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """Where .5 lies on a system's own scale, and how quickly doubt falls away on either side.

    >>> Threshold(middle=3.0, slope=1.0).apply(np.array([0.0, 3.0, 6.0])).round(2).tolist()
    [0.05, 0.5, 0.95]
    """

    middle: float
    slope: float

    def apply(self, raw: Floats) -> Floats:
        """The scores from 0 to 1, in the order of the raw ones, rounded to 6 decimals."""
        return probabilities((np.asarray(raw, np.float64) - self.middle) * self.slope)


def place_threshold(raw: Floats, targets: Floats) -> Threshold:
    """Put .5 where F1 is best on these held-out pairs; the slope is that of a logistic curve (Platt, 1999).

    >>> held_out = np.array([0.1, 0.4, 0.6, 0.9])
    >>> place_threshold(held_out, np.array([0.0, 0.0, 1.0, 1.0])).apply(held_out).round().tolist()
    [0.0, 0.0, 1.0, 1.0]
    """
    truth = np.asarray(targets) > 0.5
    raw = np.asarray(raw, np.float64)
    middle = best_f1(raw, truth).threshold
    spread = float(raw.std())
    if spread < 1e-12:  # all the same, but for rounding
        return Threshold(middle=middle, slope=1.0)
    slope = _logistic_slope((raw - raw.mean()) / spread, truth)
    return Threshold(middle=middle, slope=max(slope, GENTLEST_SLOPE) / spread)


def probabilities(logits: Floats) -> Floats:
    """The logistic function, rounded to 6 decimals, of any finite number.

    >>> probabilities(np.array([-1e9, 0.0, 1e9])).tolist()
    [0.0, 0.5, 1.0]
    """
    logits = np.clip(logits, -700, 700)  # e to the 710th is no longer a number
    rounded: Floats = (1.0 / (1.0 + np.exp(-logits))).round(6)
    return rounded


def _logistic_slope(standardised: Floats, truth: NDArray[np.bool_]) -> float:
    """The slope of the likeliest logistic curve, by Newton's method.

    Platt's targets lie a little inside 0 and 1, so that pairs which a threshold separates have a finite slope.
    """
    positive = int(truth.sum())
    negative = len(truth) - positive
    targets = np.where(truth, (positive + 1) / (positive + 2), 1 / (negative + 2))
    inputs = np.column_stack([standardised, np.ones(len(truth))])
    weights = np.zeros(2)
    loss = _loss(inputs @ weights, targets)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        gradient = inputs.T @ (chances - targets)
        curvature = (inputs.T * (chances * (1 - chances))) @ inputs + 1e-9 * np.eye(2)
        step, size = np.linalg.solve(curvature, gradient), 1.0
        while size > 1e-6 and _loss(inputs @ (weights - size * step), targets) > loss:
            size /= 2
        weights = weights - size * step
        before, loss = loss, _loss(inputs @ weights, targets)
        if before - loss < 1e-10 * len(truth):
            break
    return float(weights[0])


def _loss(logits: Floats, targets: Floats) -> float:
    return float((np.logaddexp(0, logits) - targets * logits).sum())
