"""The nearest are those that sorting all products gives, ties and all."""

from __future__ import annotations

import faiss
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from paraloom.errors import InputError
from paraloom.models.neighbours.nearest import merge_nearest, nearest, start_search, threads
from tests.models.neighbours.made_up import assert_same, plain_nearest

FEW_VALUES = st.integers(-2, 2)
"""So that most products are equal to others."""


def codes(rows: int, dims: int = 3):
    return arrays(np.int8, (rows, dims), elements=FEW_VALUES)


@given(codes(6), codes(40), st.integers(1, 45))
@settings(max_examples=60)
def test_ties_are_broken_by_the_lower_place_also_at_the_last_one(queries, candidates, k: int) -> None:
    assert_same(nearest(queries, candidates, k), plain_nearest(queries, candidates, k))


@pytest.mark.parametrize(("queries", "candidates"), [(0, 5), (5, 0), (1, 1), (2, 1), (700, 1500), (513, 1025), (3, 64)])
@pytest.mark.parametrize("k", [1, 10])
def test_every_number_of_queries_and_candidates_is_searched(queries: int, candidates: int, k: int) -> None:
    random = np.random.default_rng(queries + candidates)
    left = random.integers(-20, 21, (queries, 9)).astype(np.int8)
    right = random.integers(-20, 21, (candidates, 9)).astype(np.int8)
    assert_same(nearest(left, right, k), plain_nearest(left, right, k))


def test_of_equal_vectors_the_lowest_places_are_the_nearest() -> None:
    equal = np.full((2000, 4), 7, np.int8)
    assert_same(nearest(equal[:600], equal, 3), plain_nearest(equal[:600], equal, 3))


def test_no_neighbours_are_asked_for() -> None:
    assert nearest(np.ones((2, 3), np.int8), np.ones((4, 3), np.int8), 0).numbers.shape == (2, 0)


def test_a_vector_of_zeros_is_nobodys_neighbour_and_has_none() -> None:
    rows = np.array([[0, 0], [3, 4], [4, 3], [-3, -4]], np.int8)
    assert nearest(rows, rows, 3).numbers.tolist() == [[-1, -1, -1], [1, 2, -1], [2, 1, -1], [3, -1, -1]]


@given(codes(8), codes(30), st.permutations(range(30)), st.integers(1, 30), st.integers(1, 8))
@settings(max_examples=40)
def test_the_order_in_which_candidates_come_changes_nothing(queries, candidates, order, at_once: int, k: int) -> None:
    numbers = np.array(order)
    own = np.arange(8)
    search = start_search(queries, k, own=own)
    for start in range(0, 30, at_once):
        some = numbers[start : start + at_once]
        search.add(candidates[some], some)
    assert_same(search.found(), plain_nearest(queries, candidates, k, own))


def test_rows_that_meet_other_candidates_find_only_those() -> None:
    rows = np.array([[1, 0], [1, 0], [1, 0]], np.int8)
    search = start_search(rows, 2)
    search.add(np.array([[5, 0]], np.int8), np.array([70]), np.array([2, 0]))
    search.add(np.array([[9, 0]], np.int8), np.array([80]), np.array([0]))
    assert search.found().numbers.tolist() == [[80, 70], [-1, -1], [70, -1]]


@given(codes(5), codes(24), st.integers(0, 24), st.integers(0, 24), st.integers(1, 9))
@settings(max_examples=60)
def test_merging_two_searches_equals_one_also_where_both_found_the_same(queries, candidates, one, other, k) -> None:
    low, high = sorted((one, other))
    whole = plain_nearest(queries, candidates, k)
    halves = []
    for places in (np.arange(high), np.arange(low, 24)):
        search = start_search(queries, k)
        search.add(candidates[places], places)
        halves.append(search.found())
    assert_same(merge_nearest(*halves), whole)
    assert_same(merge_nearest(*halves[::-1]), whole)


def test_threads_are_set_and_set_back_and_change_nothing() -> None:
    random = np.random.default_rng(5)
    rows = random.integers(-3, 4, (900, 16)).astype(np.int8)
    before = faiss.omp_get_max_threads()
    found = []
    for count in (1, 2):
        with threads(count):
            assert faiss.omp_get_max_threads() == count
            found.append(nearest(rows, rows, 5))
    assert faiss.omp_get_max_threads() == before
    assert_same(*found)


def test_an_unknown_device_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"no device 'tpu'.*cpu, cuda"):
        start_search(np.ones((1, 2), np.int8), 1, device="tpu")


def test_a_gpu_finds_the_same() -> None:
    torch = pytest.importorskip("torch")
    rows = np.random.default_rng(6).integers(-3, 4, (3000, 16)).astype(np.int8)
    if not torch.cuda.is_available():
        with pytest.raises(InputError, match="no GPU here"):
            nearest(rows, rows, 5, device="cuda")
        return
    for k in (1, 5, 40):
        assert_same(nearest(rows, rows, k, device="cuda"), nearest(rows, rows, k))
        for device in ("cpu", "cuda"):
            search = start_search(rows[:500], k, own=np.arange(500), device=device)
            for start in (2000, 0, 1000):
                search.add(rows[start : start + 1000], np.arange(start, start + 1000), np.arange(0, 500, 2))
            if device == "cpu":
                expected = search.found()
        assert_same(search.found(), expected)
