"""The nearest of many centroids is found with few products, nearly always."""

from __future__ import annotations

import numpy as np

from paraloom.models.neighbours.centroids import learn_centroids
from paraloom.models.neighbours.codes import squared_norms
from paraloom.models.neighbours.groups import group_centroids, rows_of
from paraloom.models.neighbours.nearest import ANY, highest, nearest


def test_the_nearest_centroid_is_found_around_a_row_s_group(rows: np.ndarray) -> None:
    known = rows[squared_norms(rows) > 0]
    centroids = learn_centroids(known, 400).centroids
    middles = learn_centroids(centroids, 40).centroids
    groups = group_centroids(middles, nearest(centroids, middles, 1, least=ANY).numbers[:, 0])
    assert max(len(near) for near in groups.near) < 250
    found, exact = groups.nearest(known, centroids), nearest(known, centroids, 1, least=ANY)
    assert (found.numbers == exact.numbers).mean() > 0.95
    products = (known.astype(int) * centroids[found.numbers[:, 0]].astype(int)).sum(axis=1)
    np.testing.assert_array_equal(found.dots[:, 0], products)


def test_of_few_groups_all_are_looked_into(rows: np.ndarray) -> None:
    centroids = rows[20:60]
    groups = group_centroids(centroids[:8], nearest(centroids, centroids[:8], 1, least=ANY).numbers[:, 0])
    np.testing.assert_array_equal(
        groups.nearest(rows[:200], centroids).numbers, nearest(rows[:200], centroids, 1, least=ANY).numbers
    )


def test_rows_of_a_group_rise_and_a_group_may_have_none() -> None:
    assert [rows.tolist() for rows in rows_of(np.array([1, 3, 1, 0]), 5)] == [[3], [0, 2], [], [1], []]


def test_the_highest_are_those_that_are_nearest_whatever_their_number(rows: np.ndarray) -> None:
    candidates = np.concatenate([rows[:900], rows[:40], np.zeros((3, rows.shape[1]), np.int8)])  # ties
    for k in (1, 9, 700, 943, 2000):
        expected = nearest(rows[:300], candidates, min(k, 943), least=ANY).numbers
        np.testing.assert_array_equal(highest(rows[:300], candidates, k), expected)
    assert highest(rows[:3], candidates[:0], 5).shape == (3, 0)
    assert highest(rows[:0], candidates, 5).shape == (0, 5)
