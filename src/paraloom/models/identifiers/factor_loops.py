"""Sparse rows and a table of vectors in, the vector that best explains each row out: loops over numbers alone.

Compiled, and so imported only where sentences are factorised or folded in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@compiled
def solve_rows(
    starts: Integers, columns: Integers, values: Floats, table: Floats, spread: Floats, base: Floats, extra: float
) -> Floats:
    """For each sparse row x the vector q with (base + extra Σ p pᵀ) q = Σ x p, p the table's rows that x observes.

    `spread` is the table times the inverse of `base`. A row with fewer observations than dimensions needs a system of
    that size only (Woodbury, 1950): with q = Σ r p base⁻¹ it becomes r + extra (p base⁻¹ p'ᵀ) r = x. Each row is
    worked on by itself, so what it becomes does not depend on the others.
    """
    dimensions = table.shape[1]
    solved = np.zeros((len(starts) - 1, dimensions))
    system, turned = np.empty((dimensions, dimensions)), np.empty((dimensions, dimensions))
    answer = np.empty(dimensions)
    for row in range(len(starts) - 1):
        begin, end = starts[row], starts[row + 1]
        observed = end - begin
        if observed < dimensions:
            for one in range(observed):
                for place in range(dimensions):
                    turned[place, one] = table[columns[begin + one], place]
            for one in range(observed):
                for other in range(one + 1):
                    system[one, other] = 0.0
                for place in range(dimensions):  # outside, so that the processor adds to several cells at once
                    weighed = extra * spread[columns[begin + one], place]
                    for other in range(one + 1):
                        system[one, other] += weighed * turned[place, other]
                system[one, one] += 1.0
                answer[one] = values[begin + one]
            _solve(system, answer, observed)
            for one in range(observed):
                for place in range(dimensions):
                    solved[row, place] += answer[one] * spread[columns[begin + one], place]
        else:
            for one in range(dimensions):
                for other in range(one + 1):
                    system[one, other] = base[one, other]
                answer[one] = 0.0
            for cell in range(begin, end):
                vector = table[columns[cell]]
                for one in range(dimensions):
                    answer[one] += values[cell] * vector[one]
                    weighed = extra * vector[one]
                    for other in range(one + 1):
                        system[one, other] += weighed * vector[other]
            _solve(system, answer, dimensions)
            for place in range(dimensions):
                solved[row, place] = answer[place]
    return solved


@compiled
def _solve(system: Floats, answer: Floats, size: int) -> None:
    """Solve a symmetric, positive system by Cholesky's method, in place; only its lower half is read."""
    for column in range(size):
        for row in range(column, size):
            left = system[row, column]
            for place in range(column):
                left -= system[row, place] * system[column, place]
            if row == column:
                system[column, column] = np.sqrt(left)
            else:
                system[row, column] = left / system[column, column]
    for row in range(size):
        left = answer[row]
        for place in range(row):
            left -= system[row, place] * answer[place]
        answer[row] = left / system[row, row]
    for row in range(size - 1, -1, -1):
        left = answer[row]
        for place in range(row + 1, size):
            left -= system[place, row] * answer[place]
        answer[row] = left / system[row, row]
