"""Pairs and a model in, how often each word is expected to stand for each by IBM model 1 out: compiled loops.

Expected counts are whole numbers of small parts of a sighting. Whole numbers add up to the same in any order, so that
neither the number of threads nor the order of the pairs shows in a model, to the last bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled
from paraloom.models.aligners.statistical.directed_pairs import DirectedPairs

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]


@compiled
def expect_model_one(
    pairs: DirectedPairs, parts: int, expected: Integers, expected_from: int, told: Floats, first: int, last: int
) -> None:
    """For each pair of tokens how likely one stands for the other, and the log-likelihood of each pair of texts.

    What is expected is written from the token pair with the number `expected_from` on.
    """
    for pair in range(first, last):
        base = pairs.cell_starts[pair]
        sources = pairs.source_starts[pair + 1] - pairs.source_starts[pair]
        targets = pairs.target_starts[pair + 1] - pairs.target_starts[pair]
        told[pair] = 0.0
        if sources == 0:
            continue
        real = (1.0 - pairs.null_probability) * min(1.0, sources / max(targets, 1))
        each = real / sources
        step = targets if not pairs.is_turned else 1
        for target in range(targets):
            begin = base + (target * sources if pairs.is_turned else target)
            total = (1.0 - real) * pairs.null_chances[pairs.target_words[pairs.target_starts[pair] + target]]
            for source in range(sources):
                total += each * pairs.chances[pairs.places[begin + source * step]]
            for source in range(sources):
                at = begin + source * step
                likely = each * pairs.chances[pairs.places[at]] / total
                expected[at - expected_from] = np.int64(likely * parts + 0.5)
            told[pair] += np.log(total)


@compiled
def add_up(
    counts: Integers, expected: Integers, places: Codes, places_from: int, first_cell: int, last_cell: int
) -> None:
    """Add what is expected of pairs of tokens to the counts of their cells, of those from the first to the last."""
    for number in range(len(expected)):
        cell = places[places_from + number]
        if first_cell <= cell < last_cell:
            counts[cell] += expected[number]
