"""Counts of matching n-grams in, BLEU out, one value a row."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

SMOOTHING = ("none", "floor", "add-k", "exp")
"""By their numbers below (Chen and Cherry, 2014)."""
NONE, FLOOR, ADD_K, EXP = range(4)

SUMS_ARE_COMPENSATED = sum([0.1] * 10) == 1.0
"""From Python 3.12 on the built-in `sum` makes good for rounding, and so sacrebleu's last digit depends on it."""


def bleu_values(
    statistics: NDArray[np.float64], smoothing: str, smooth_value: float, effective_order: bool
) -> NDArray[np.float64]:
    """BLEU of each row of counts (…, matches 1 to n, n-grams 1 to n, length, reference length), as sacrebleu has it.

    >>> bleu_values(np.array([[4.0, 3, 2, 1, 5, 4, 3, 2, 5, 5]]), "exp", 0.0, True)
    array([66.8740305])
    """
    rows = np.ascontiguousarray(statistics, dtype=np.float64).reshape(-1, statistics.shape[-1])
    values = np.empty(len(rows))
    _write_values(rows, SMOOTHING.index(smoothing), smooth_value, effective_order, SUMS_ARE_COMPENSATED, values)
    return values.reshape(statistics.shape[:-1])


@compiled
def _write_values(
    rows: NDArray[np.float64],
    smoothing: int,
    smooth_value: float,
    effective_order: bool,
    compensated: bool,
    values: NDArray[np.float64],
) -> None:
    order = (rows.shape[1] - 2) // 2
    for row in range(len(rows)):
        values[row] = _value(rows[row], order, smoothing, smooth_value, effective_order, compensated)


@compiled
def _value(
    row: NDArray[np.float64], order: int, smoothing: int, smooth_value: float, effective_order: bool, compensated: bool
) -> float:
    if not row[:order].any():
        return 0.0
    length, reference_length = row[2 * order], row[2 * order + 1]
    brevity = 1.0
    if length < reference_length:
        brevity = math.exp(1 - reference_length / length)
    used = order
    halving = 1.0
    total, lost = 0.0, 0.0
    for n in range(order):
        matches, ngrams = row[n], row[order + n]
        if smoothing == ADD_K and n > 0:
            matches += smooth_value
            ngrams += smooth_value
        if ngrams == 0:
            if not effective_order:
                return 0.0
            break
        if effective_order:
            used = n + 1
        if matches != 0:
            precision = 100.0 * matches / ngrams
        elif smoothing == EXP:
            halving *= 2
            precision = 100.0 / (halving * ngrams)
        elif smoothing == FLOOR:
            precision = 100.0 * smooth_value / ngrams
        else:
            precision = 0.0
        if precision == 0:
            return 0.0
        logarithm = math.log(precision)
        if compensated:
            # Neumaier (1974), as the built-in sum has it: what a step rounds off is kept aside and added at the end.
            after = total + logarithm
            if abs(total) >= abs(logarithm):
                lost += (total - after) + logarithm
            else:
                lost += (logarithm - after) + total
            total = after
        else:
            total += logarithm
    return brevity * math.exp((total + lost) / used)
