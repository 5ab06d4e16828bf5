"""Positive numbers in, their digamma out, without scipy, which only an extra brings."""

from __future__ import annotations

import numpy as np

from paraloom.labels.aggregate.result import Floats

_STEPS = 10
"""The series is exact to the last digits from here on; below, the recurrence leads up to it."""


def digamma(numbers: Floats) -> Floats:
    """The logarithmic derivative of the gamma function, by its asymptotic series (Bernardo, 1976).

    >>> digamma(np.array([1.0])).round(10).tolist()  # minus Euler's constant
    [-0.5772156649]
    """
    below = sum(1 / (numbers + step) for step in range(_STEPS))
    large = numbers + _STEPS
    square = 1 / (large * large)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square * (1 / 132)))))
    return np.asarray(np.log(large) - 0.5 / large - series - below)
