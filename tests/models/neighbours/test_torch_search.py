"""The search by torch finds what the search by FAISS finds, to the last tie; here on torch's own CPU."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.models.neighbours.nearest import ANY, LEAST, start_search
from paraloom.models.neighbours.torch_search import GROUP, TorchSearch, best

torch = pytest.importorskip("torch")


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    count=st.integers(1, 3 * GROUP + 5),
    dims=st.integers(1, 6),
    k=st.integers(0, 80),
    least=st.sampled_from([LEAST, ANY]),
    knows_itself=st.booleans(),
)
def test_it_finds_what_the_cpu_finds_however_candidates_come(seed, count, dims, k, least, knows_itself):
    random = np.random.default_rng(seed)
    rows = random.integers(-2, 3, (count, dims)).astype(np.int8)  # so few numbers that most products are ties
    own = np.arange(count) if knows_itself else np.full(count, -1)
    order = random.permutation(count)
    ours = start_search(rows, k, own=own, least=least)
    theirs = TorchSearch(rows, k, own=own, least=least, device="cpu")
    for search, parts in ((ours, [order]), (theirs, np.array_split(order, 3))):
        for numbers in parts:
            search.add(rows[numbers], numbers)
    np.testing.assert_array_equal(theirs.found().dots, ours.found().dots)
    np.testing.assert_array_equal(theirs.found().numbers, ours.found().numbers)


def test_only_the_rows_that_ask_meet_the_candidates():
    rows = np.random.default_rng(1).integers(-9, 10, (50, 8)).astype(np.int8)
    asking = np.array([3, 17])
    search = TorchSearch(rows, 4, own=np.arange(50), least=LEAST, device="cpu")
    search.add(rows, np.arange(50), asking)
    met = start_search(rows, 4, own=np.arange(50))
    met.add(rows, np.arange(50), asking)
    np.testing.assert_array_equal(search.found().numbers, met.found().numbers)
    assert (search.found().numbers[[0, 49]] == -1).all()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), groups=st.integers(1, 5), count=st.integers(1, 100))
def test_the_best_are_the_best_of_all_and_of_equal_ones_the_first(seed, groups, count):
    products = np.random.default_rng(seed).integers(-3, 4, (3, groups * GROUP)).astype(np.float32)
    count = min(count, products.shape[1])
    dots, places = best(torch, torch.from_numpy(products), count)
    numbers = np.broadcast_to(np.arange(products.shape[1]), products.shape)
    expected = np.lexsort((numbers, -products), axis=1)[:, :count]
    np.testing.assert_array_equal(places.numpy(), expected)
    np.testing.assert_array_equal(dots.numpy(), np.take_along_axis(products, expected, axis=1))
