"""Intervals and tiles: every pair is in one, and counts add up."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.regions.intervals import interval_name, intervals_of
from paraloom.metrics.regions.tiles import tile_map

SHARES = st.floats(0, 1).map(lambda value: round(value, 6))


@given(st.integers(1, 100), st.lists(SHARES, max_size=30))
def test_a_number_lies_within_its_interval(count: int, values: list[float]) -> None:
    for value, place in zip(values, intervals_of(np.array(values), count).tolist(), strict=True):
        assert place / count - 1e-6 <= value <= (place + 1) / count + 1e-6


@pytest.mark.parametrize("step", range(20))
def test_a_bound_lies_in_the_interval_that_it_begins(step: int) -> None:
    assert intervals_of(np.array([step * 0.05, step / 20]), 20).tolist() == [step, step]
    assert interval_name(step, 20).startswith(f"{step / 20:.2f}")


@pytest.mark.parametrize("count", [1, 7, 20, 99, 100, 101, 128, 250, 333, 999, 1000])
def test_no_two_intervals_share_a_name(count: int) -> None:
    names = [interval_name(place, count) for place in range(count)]
    assert len(set(names)) == count
    assert all(one.split("–")[1] == other.split("–")[0] for one, other in pairwise(names))


@pytest.mark.parametrize("count", [0, -1, 1001])
def test_a_number_of_intervals_that_parts_nothing_is_refused(count: int) -> None:
    with pytest.raises(InputError, match="--intervals"):
        intervals_of(np.array([0.5]), count)


@given(st.lists(st.tuples(SHARES, SHARES, st.booleans()), min_size=1, max_size=50), st.integers(1, 6))
def test_every_pair_is_in_one_tile(rows: list[tuple[float, float, bool]], steps: int) -> None:
    similarity, confidence, negative = (np.array(column) for column in zip(*rows, strict=True))
    tiles = tile_map(similarity, confidence, negative, np.ones(len(rows)), steps)
    assert sum(tile.pairs for tile in tiles) == len(rows)
    assert sum(tile.negatives for tile in tiles) == negative.sum()
    assert [(tile.similarity, tile.confidence) for tile in tiles] == [
        (row, column) for row in range(steps) for column in range(steps)
    ]
