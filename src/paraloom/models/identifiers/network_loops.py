"""Features and a network's numbers in, logits out, in loops over numbers.

A matrix product may add in another order for another number of rows; here a pair's logit is the same in any batch.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled
from paraloom.models.identifiers.quick_network import FARTHEST


@compiled
def run_network(
    features: NDArray[np.float64],
    means: NDArray[np.float64],
    scales: NDArray[np.float64],
    linear: NDArray[np.float64],
    inner: NDArray[np.float64],
    inner_bias: NDArray[np.float64],
    outer: NDArray[np.float64],
    bias: float,
) -> NDArray[np.float64]:
    """One logit a row of features."""
    logits = np.empty(len(features))
    units = np.empty(len(outer))
    for row in range(len(features)):
        total = bias
        units[:] = inner_bias
        for column in range(len(linear)):
            value = (features[row, column] - means[column]) / scales[column]
            value = min(max(value, -FARTHEST), FARTHEST)
            total += value * linear[column]
            for unit in range(len(units)):
                units[unit] += value * inner[column, unit]
        for unit in range(len(units)):
            if units[unit] > 0:
                total += units[unit] * outer[unit]
        logits[row] = total
    return logits
