"""Raw scores in, scores from 0 to 1 out whose .5 lies where F1 was best on held-out pairs.

For systems whose own score is no probability: a cosine, an edit distance, a margin.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.identification.decisions import best_f1

Floats = NDArray[np.float64]

STEPS = 100
SAME = 1e-12
"""Raw scores with a deviation below this are all the same, but for rounding."""
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
    if spread < SAME:
        return Threshold(middle=middle, slope=1.0)
    slope, _ = logistic_curve(raw, truth)
    return Threshold(middle=middle, slope=max(slope, GENTLEST_SLOPE / spread))


def hash_of_thresholds(thresholds: Mapping[str, Threshold]) -> str:
    """A short name for thresholds, one a definition, to their last digits.

    >>> hash_of_thresholds({"loose": Threshold(middle=0.0, slope=1.0)}), hash_of_thresholds({})
    ('6182b614', 'none')
    """
    told = {definition: asdict(one) for definition, one in thresholds.items()}
    return blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=4).hexdigest() if told else "none"


def probabilities(logits: Floats) -> Floats:
    """The logistic function, rounded to 6 decimals, of any finite number.

    >>> probabilities(np.array([-1e9, 0.0, 1e9])).tolist()
    [0.0, 0.5, 1.0]
    """
    logits = np.clip(logits, -700, 700)  # e to the 710th is no longer a number
    rounded: Floats = (1.0 / (1.0 + np.exp(-logits))).round(6)
    return rounded


def logistic_curve(raw: Floats, truth: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and intercept of the likeliest logistic curve through raw scores (Platt, 1999), by Newton's method.

    Platt's targets lie a little inside 0 and 1, so that pairs which a threshold separates have a finite slope. Where
    all scores are the same the curve is flat.

    >>> slope, intercept = logistic_curve(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, False, True, True]))
    >>> round(-intercept / slope, 6)  # where it crosses .5
    2.5
    """
    positive = int(truth.sum())
    negative = len(truth) - positive
    targets = np.where(truth, (positive + 1) / (positive + 2), 1 / (negative + 2))
    mean, spread = float(raw.mean()), float(raw.std())
    if spread < SAME:
        return 0.0, float(np.log(targets.mean() / (1 - targets.mean())))
    inputs = np.column_stack([(raw - mean) / spread, np.ones(len(truth))])
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
    slope = float(weights[0]) / spread
    return slope, float(weights[1]) - slope * mean


def _loss(logits: Floats, targets: Floats) -> float:
    return float((np.logaddexp(0, logits) - targets * logits).sum())
