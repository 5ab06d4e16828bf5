"""Centroids are learned the same way every time, and lists near each other share a cell."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.neighbours import centroids as module
from paraloom.models.neighbours.centroids import (
    cut_into_cells,
    learn_centroids,
    learn_lists,
    order_lists,
    sample_size,
)
from paraloom.models.neighbours.codes import Coder, squared_norms
from paraloom.models.neighbours.nearest import ANY, nearest
from tests.models.neighbours.made_up import clustered


def nearness(rows: np.ndarray, centroids: np.ndarray) -> float:
    """Mean product of a row with its nearest centroid."""
    return float(nearest(rows, centroids, 1, least=ANY).dots.mean())


def test_centroids_settle_where_the_clusters_are(rows: np.ndarray) -> None:
    known = rows[squared_norms(rows) > 0]
    learned = learn_centroids(known, 60).centroids
    drawn = known[np.random.default_rng(0).permutation(len(known))[:60]]
    lengths = np.sqrt(squared_norms(learned))
    assert nearness(known, learned) > 1.1 * nearness(known, drawn)
    assert np.abs(lengths / np.sqrt(squared_norms(known).mean()) - 1).max() < 0.02


def test_two_levels_are_nearly_as_good_as_one(rows: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    known = rows[squared_norms(rows) > 0]
    flat = learn_centroids(known, 64)
    monkeypatch.setattr(module, "MOST_AT_ONCE", 16)
    levels = learn_centroids(known, 64)
    assert len(levels.centroids) == 64
    assert levels.sizes.sum() == len(known)
    assert nearness(known, levels.centroids) > 0.95 * nearness(known, flat.centroids)


def test_the_same_sample_and_seed_give_the_same_lists_and_another_seed_others(rows: np.ndarray) -> None:
    one, again, other = (learn_lists(rows, 30, 4, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.centroids, again.centroids)
    np.testing.assert_array_equal(one.starts, again.starts)
    assert not np.array_equal(one.centroids, other.centroids)


@pytest.mark.parametrize("count", [1, 5, 200])
def test_equal_vectors_and_few_of_them_still_make_lists(count: int) -> None:
    equal = np.tile(np.array([[3, 4, 0]], np.int8), (20, 1))
    lists = learn_lists(equal, count, 3)
    assert len(lists) == min(count, 20)
    assert (lists.centroids == equal[0]).all()


def test_lists_of_vectors_of_which_nothing_is_known_are_one() -> None:
    lists = learn_lists(np.zeros((9, 4), np.int8), 5, 2)
    assert (len(lists), lists.cells, list(lists.lists_of(0))) == (1, 1, [0])


def test_no_centroids_of_nothing() -> None:
    with pytest.raises(InputError, match="cannot be learned from 0 vectors"):
        learn_centroids(np.zeros((0, 4), np.int8), 3)


def test_every_centroid_has_rows_where_rows_differ() -> None:
    rows = Coder(dims=6, scale=100.0).encode(clustered(300, 6, 3))
    learned = learn_centroids(rows, 50)
    assert learned.sizes.min() > 0
    assert learned.sizes.sum() == 300


def test_neighbouring_lists_share_a_cell_more_than_chance_would_have_it(rows: np.ndarray) -> None:
    lists = learn_lists(rows, 120, 8)
    nearest_other = nearest(lists.centroids, lists.centroids, 2, least=ANY).numbers[:, 1]
    cells = lists.cells_of(np.arange(120))
    assert lists.cells == 8
    assert (cells == cells[nearest_other]).mean() > 0.3  # one in eight by chance
    assert sorted(order_lists(lists.centroids).tolist()) == list(range(120))


@given(st.lists(st.integers(0, 100), min_size=1, max_size=60), st.integers(1, 12))
@settings(max_examples=80)
def test_cells_are_ranges_of_lists_of_about_equal_size(sizes: list[int], cells: int) -> None:
    starts = cut_into_cells(np.array(sizes), cells)
    assert starts[0] == 0
    assert starts[-1] == len(sizes)
    assert (np.diff(starts) > 0).all()
    assert len(starts) - 1 <= cells
    held = [sum(sizes[start:stop]) for start, stop in pairwise(starts)]
    assert max(held) <= sum(sizes) / cells + 2 * max(sizes)


def test_a_sample_is_no_larger_than_what_it_is_of() -> None:
    assert sample_size(100, 1_000_000) == 10_000
    assert sample_size(1_000_000, 1_000_000_000) == 4_000_000
    assert sample_size(100, 50) == 50
