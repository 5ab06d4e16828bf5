"""Both ways to multiply codes give the same whole numbers, and a processor that would overflow is found out."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.models.neighbours import products
from paraloom.models.neighbours.nearest import CANDIDATES_AT_ONCE, QUERIES_AT_ONCE, nearest


def room() -> np.ndarray:
    return np.empty(QUERIES_AT_ONCE * CANDIDATES_AT_ONCE, np.float32)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), dims=st.integers(1, 300), candidates=st.integers(1, 90), queries=st.integers(1, 90))
def test_bytes_and_floats_give_the_products_of_whole_numbers(seed, dims, candidates, queries):
    random = np.random.default_rng(seed)
    met = random.integers(-127, 128, (candidates, dims)).astype(np.int8)
    codes = random.integers(-127, 128, (100, dims)).astype(np.int8)
    rows = random.integers(0, 100, queries)
    expected = codes[rows].astype(np.int64) @ met.astype(np.int64).T
    np.testing.assert_array_equal(products.by_floats(met, room())(codes, rows), expected)
    if products.bytes_are_exact():
        np.testing.assert_array_equal(products.by_bytes(met)(codes, rows), expected)


def test_the_largest_products_there_can_be_are_exact():
    codes = np.full((3, 1040), 127, np.int8)
    codes[1] = -127
    expected = [[16_774_160, -16_774_160, 16_774_160]]
    rows = np.array([0])
    assert products.by_floats(codes, room())(codes, rows).tolist() == expected
    if products.bytes_are_exact():
        assert products.by_bytes(codes)(codes, rows).tolist() == expected


def test_a_processor_that_overflows_is_found_out_and_finds_the_same(monkeypatch):
    codes = np.random.default_rng(2).integers(-9, 10, (700, 24)).astype(np.int8)
    expected = nearest(codes, codes, 7)

    def overflowing(candidates):
        multiply = exact(candidates)
        return lambda queries, rows: np.clip(multiply(queries, rows), -32_768, 32_767)

    exact = products.by_bytes
    products.bytes_are_exact.cache_clear()
    with monkeypatch.context() as changed:
        changed.setattr(products, "by_bytes", overflowing)
        assert not products.bytes_are_exact()
        found = nearest(codes, codes, 7)
    products.bytes_are_exact.cache_clear()
    np.testing.assert_array_equal(found.numbers, expected.numbers)
    np.testing.assert_array_equal(found.dots, expected.dots)


@pytest.mark.parametrize("way", [products.by_bytes, lambda met: products.by_floats(met, room())])
def test_rows_may_be_asked_for_in_any_order_and_twice(way):
    codes = np.arange(-12, 12).reshape(6, 4).astype(np.int8)
    rows = np.array([5, 0, 5])
    assert way(codes)(codes, rows).tolist() == (codes[rows].astype(int) @ codes.astype(int).T).tolist()
