"""Products of vectors in, how many lie above a number out. Loops over numbers, nothing else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@compiled
def exact_millionths(left: Floats, right: Floats, rows: Integers, others: Integers) -> Integers:
    """The product of row `rows[i]` of one table with row `others[i]` of another, in whole millionths.

    A product of two float32 is exact in float64, and they are added in their order: every machine finds the same.
    """
    found = np.empty(len(rows), np.int64)
    for place in range(len(rows)):
        row, other = rows[place], others[place]
        total = 0.0
        for at in range(left.shape[1]):
            total += np.float64(left[row, at]) * np.float64(right[other, at])
        found[place] = np.int64(np.floor(total * 1e6 + 0.5))
    return found


@compiled
def count_exactly(
    products: Floats,
    queries: Floats,
    candidates: Floats,
    wanted: Integers,
    slack: float,
    above: Integers,
    tied: Integers,
) -> None:
    """Add to `above` and `tied`, by query, the candidates whose product with it is more than, or just, what is wanted.

    `products` may be wrong by as much as `slack`: what lies so near to what is wanted is multiplied anew, exactly.
    """
    for row in range(products.shape[0]):
        low = wanted[row] * 1e-6 - slack
        high = wanted[row] * 1e-6 + slack
        more, same = 0, 0
        for other in range(products.shape[1]):
            product = products[row, other]
            if product > high:
                more += 1
            elif product >= low:
                total = 0.0
                for at in range(queries.shape[1]):
                    total += np.float64(queries[row, at]) * np.float64(candidates[other, at])
                exact = np.int64(np.floor(total * 1e6 + 0.5))
                if exact > wanted[row]:
                    more += 1
                elif exact == wanted[row]:
                    same += 1
        above[row] += more
        tied[row] += same
