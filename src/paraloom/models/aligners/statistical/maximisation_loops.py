"""Expected counts in, the model under which they are likeliest out: loops over numbers alone, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]


@compiled
def totals_by_source(row_starts: Integers, columns: Codes, is_turned: bool, counts: Integers) -> Integers:
    """What the cells of each source word add up to; the source is the column where `is_turned`."""
    totals = np.zeros(len(row_starts) - 1, np.int64)
    for row in range(len(row_starts) - 1):
        for cell in range(row_starts[row], row_starts[row + 1]):
            totals[columns[cell] if is_turned else row] += counts[cell]
    return totals


@compiled
def fill_chances(
    row_starts: Integers,
    columns: Codes,
    is_turned: bool,
    counts: Integers,
    parts: float,
    alike: NDArray[np.float32],
    commonness: Floats,
    masses: Floats,
    smoothing: float,
    same_word: float,
    alike_words: float,
    chances: Floats,
) -> None:
    """The chance of the target word of each cell by its source word; see `word_table` for the formula."""
    for row in range(len(row_starts) - 1):
        for cell in range(row_starts[row], row_starts[row + 1]):
            source, target = (columns[cell], row) if is_turned else (row, columns[cell])
            seen = counts[cell] / parts + smoothing * commonness[target] + alike_words * alike[cell]
            if source == target:
                seen += same_word
            chances[cell] = seen / (masses[source] + smoothing + same_word)


@compiled
def likelier_weights(
    weights: Floats, starts: Floats, jump_counts: Integers, start_counts: Integers, leaving: Integers, rounds: int
) -> None:
    """Make weights of distances likelier, given how often each was gone and each place of a text was left.

    Which distances can be gone depends on the place and the length of the text, so that the likeliest weights have no
    formula; each round of Hunter's (2004) minorisation brings them closer, and never makes them less likely.
    """
    largest = len(weights) // 2
    for _ in range(rounds):
        jump_sums, start_sums = np.zeros(len(weights)), np.zeros(len(starts))
        for sources in range(1, len(leaving)):
            if leaving[sources, 0] > 0:
                total = 0.0
                for source in range(sources):
                    total += starts[min(source, len(starts) - 1)]
                for source in range(sources):
                    start_sums[min(source, len(starts) - 1)] += leaving[sources, 0] / total
            for place in range(sources):
                if leaving[sources, place + 1] > 0:
                    total = 0.0
                    for source in range(sources):
                        total += weights[min(max(source - place, -largest), largest) + largest]
                    for source in range(sources):
                        jump = min(max(source - place, -largest), largest) + largest
                        jump_sums[jump] += leaving[sources, place + 1] / total
        _divide(jump_counts, jump_sums, weights)
        _divide(start_counts, start_sums, starts)


@compiled
def _divide(counts: Integers, sums: Floats, weights: Floats) -> None:
    """Counts by sums where there are any, with a sum of 1; never 0, as a weight that is stays it."""
    total = 0.0
    for bucket in range(len(weights)):
        if sums[bucket] > 0.0:
            weights[bucket] = max(counts[bucket] / sums[bucket], 1e-12)
        total += weights[bucket]
    for bucket in range(len(weights)):
        weights[bucket] /= total
