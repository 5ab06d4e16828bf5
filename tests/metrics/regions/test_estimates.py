"""Shares with bounds: statsmodels knows Wilson's, and a drawn sample must tell of the whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from paraloom.errors import InputError
from paraloom.metrics.regions.estimates import measure_region, weighted_share, wilson


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_bounds_are_wilsons(counts: tuple[int, int]) -> None:
    found, n = counts
    np.testing.assert_allclose(wilson(found / n, n), proportion_confint(found, n, method="wilson"), atol=1e-9)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.floats(0.1, 1e6))
def test_equal_weights_change_nothing_however_large(found: list[bool], weight: float) -> None:
    truths = np.array(found)
    plain, heavy = weighted_share(truths, np.ones(len(found))), weighted_share(truths, np.full(len(found), weight))
    assert heavy.value == pytest.approx(plain.value)
    assert (heavy.low, heavy.high) == pytest.approx((plain.low, plain.high))
    assert plain.low <= plain.value <= plain.high


def test_unequal_weights_make_the_bounds_wider() -> None:
    truths = np.array([True] * 80 + [False] * 20)
    even, uneven = weighted_share(truths, np.ones(100)), weighted_share(truths, np.tile([1.0, 9.0], 50))
    assert uneven.effective < even.effective == 100
    assert uneven.high - uneven.low > even.high - even.low


def test_a_sample_with_weights_tells_of_the_whole_population() -> None:
    random = np.random.default_rng(1)
    populations, chances = np.array([900, 90, 10]), np.array([0.9, 0.5, 0.1])
    covered = 0
    for _ in range(200):
        found = np.concatenate([random.random(30) < chance for chance in chances])
        share = weighted_share(found, np.repeat(populations / 30, 30))
        covered += share.low <= (populations * chances).sum() / populations.sum() <= share.high
    assert covered >= 180  # 95% bounds, with room for chance


LAYOUTS = [
    ("errors in the most populous interval alone", 30, [0.98] + [0.999] * 19, 1.0),
    ("errors in the two most populous", 30, [0.9, 0.92] + [0.99] * 18, 1.0),
    ("few pairs of each", 8, [0.9, 0.92] + [0.99] * 18, 1.0),
    ("a region that takes half of each", 30, [0.97, 0.98] + [0.999] * 18, 0.5),
]


@pytest.mark.parametrize(("layout", "drawn", "chances", "inside"), LAYOUTS, ids=[layout[0] for layout in LAYOUTS])
def test_bounds_cover_the_truth_where_what_is_rare_weighs_most(
    layout, drawn: int, chances: list[float], inside
) -> None:
    random = np.random.default_rng(7)
    populations = np.maximum(50, 100_000 * 0.6 ** np.arange(20)).astype(int)
    strata, weights = np.repeat(np.arange(20), drawn), np.repeat(populations / drawn, drawn)
    truth = (populations * chances).sum() / populations.sum()
    covered = 0
    for _ in range(1000):
        found, among = random.random(len(strata)) < np.array(chances)[strata], random.random(len(strata)) < inside
        share = weighted_share(found, weights, among=among, strata=strata)
        covered += share.low <= truth <= share.high
    assert covered >= 935  # 95% bounds, with room for chance


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 4)), min_size=1, max_size=60))
def test_strata_make_bounds_no_narrower_and_change_no_share(rows: list[tuple[bool, bool, int]]) -> None:
    found, among, strata = (np.array(column) for column in zip(*rows, strict=True))
    weights = np.array([1.0, 2.0, 5.0, 0.5, 30.0])[strata]
    plain, stratified = (weighted_share(found, weights, among=among, strata=one) for one in (None, strata))
    assert (stratified.value, stratified.judged) == (plain.value, plain.judged)
    assert stratified.effective <= plain.effective
    assert stratified.low <= plain.low <= plain.high <= stratified.high


def test_the_variance_is_that_of_a_stratified_sample() -> None:
    """Of a whole population: the sum of each interval's share of it, squared, times the variance of its mean."""
    found, strata = np.array([True, False, False, True, True, True, True, False]), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    share = weighted_share(found, np.array([90.0] * 4 + [10.0] * 4), strata=strata)
    variance = 0.9**2 * 0.5 * 0.5 / 3 + 0.1**2 * 0.75 * 0.25 / 3
    assert share.effective == pytest.approx(share.value * (1 - share.value) / variance)


def test_what_no_pair_tells_is_not_known() -> None:
    nothing = weighted_share(np.empty(0, np.bool_), np.empty(0))
    assert (nothing.value, nothing.low, nothing.high) == (None, 0.0, 1.0)
    assert wilson(0.5, 0) == (0.0, 1.0)
    with pytest.raises(InputError, match="level"):
        wilson(0.5, 10, 1.0)


def test_a_region_is_measured_by_what_is_in_it_what_it_takes_and_what_it_finds() -> None:
    inside, is_right = np.array([True, True, False, False]), np.array([True, False, True, True])
    region = measure_region(inside, is_right, np.ones(4))
    assert region.precision.value == 0.5
    assert region.taken.value == 0.5
    assert region.found.value == pytest.approx(1 / 3)
