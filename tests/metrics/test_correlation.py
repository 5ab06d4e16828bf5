"""Correlations: scipy's, on columns with and without ties, and nothing where there is nothing to correlate."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from paraloom.errors import InputError
from paraloom.metrics.correlation import METHODS, correlation_interval, kendall, pearson, ranks, spearman

ORACLES = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
NUMBERS = {
    "few different": st.integers(1, 5).map(float),
    "many different": st.integers(-(10**6), 10**6).map(lambda whole: whole / 1000),
}


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
def test_value_and_p_value_are_scipys(method: str, kind: str, data) -> None:
    columns = data.draw(st.lists(st.tuples(NUMBERS[kind], NUMBERS[kind]), min_size=3, max_size=60))
    left, right = (list(column) for column in zip(*columns, strict=True))
    ours = METHODS[method](left, right)
    if len(set(left)) == 1 or len(set(right)) == 1:
        assert ours is None
        return
    theirs = oracle(method, left, right)
    assert ours is not None
    assert ours.value == pytest.approx(theirs.statistic, abs=1e-9)
    if abs(ours.value) < 1 - 1e-9:  # scipy's Spearman leaves p-values of the last digits to rounding
        assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-12)
    assert ours.items == len(left)


def oracle(method: str, left, right):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nearly constant columns
        return ORACLES[method](left, right)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("items", [34, 500, 20_000])
def test_long_columns_are_scipys_too(method: str, items: int) -> None:
    random = np.random.default_rng(items)
    left = random.normal(size=items)
    right = np.round(left + random.normal(size=items) * 20, 1)
    ours, theirs = METHODS[method](left, right), oracle(method, left, right)
    assert ours is not None
    assert ours.value == pytest.approx(theirs.statistic, abs=1e-12)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-6)


SHORT = [([], []), ([1.0], [2.0]), ([3, 3, 3], [1, 2, 3]), ([1, 2, 3], [3, 3, 3])]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("left", "right"), SHORT)
def test_where_nothing_varies_there_is_no_correlation(method, left, right) -> None:
    assert METHODS[method](left, right) is None
    assert correlation_interval(left, right, method, resamples=20) is None


@pytest.mark.parametrize("method", METHODS)
def test_two_items_prove_nothing(method: str) -> None:
    found = METHODS[method]([1, 2], [5, 3])
    assert found is not None
    assert (found.value, found.p_value) == pytest.approx((-1.0, 1.0))


@given(st.lists(st.integers(0, 9), max_size=50))
def test_ranks_are_scipys(values: list[int]) -> None:
    assert ranks(values).tolist() == stats.rankdata(values).tolist()


@pytest.mark.parametrize("method", METHODS)
def test_an_interval_is_what_drawing_items_again_gives(method) -> None:
    random = np.random.default_rng(2)
    left = random.integers(1, 6, 60).astype(float)
    right = left + random.integers(0, 5, 60)
    ours = correlation_interval(left, right, method, resamples=300, seed=4)
    again = np.random.default_rng(4)
    values = []
    for _ in range(300):
        drawn = again.integers(60, size=60)
        values.append(oracle(method, left[drawn], right[drawn]).statistic)
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])), abs=1e-9)


def test_large_numbers_lose_no_digits() -> None:
    left = np.arange(50.0) + 1e9
    right = np.arange(50.0) % 7 + 1e9
    ours = pearson(left, right)
    assert ours is not None
    assert ours.value == pytest.approx(stats.pearsonr(left - 1e9, right - 1e9).statistic, abs=1e-9)


REFUSED = [
    (lambda: spearman([1, 2], [1, 2, 3]), r"two columns of one length, not of shape \(2,\) and \(3,\)"),
    (lambda: pearson([1, float("nan")], [1, 2]), "Item 2 of the left column is nan"),
    (lambda: kendall([1, 2], [float("inf"), 2]), "Item 1 of the right column is inf"),
    (lambda: correlation_interval([1, 2], [1, 2], "gamma"), "no correlation called 'gamma'"),  # type: ignore[arg-type]
    (lambda: correlation_interval([1, 2], [1, 2], resamples=0), "0 resamples are none"),
]


@pytest.mark.parametrize(("do", "message"), REFUSED)
def test_what_cannot_be_correlated_is_refused_with_the_reason(do, message: str) -> None:
    with pytest.raises(InputError, match=message):
        do()


@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e200, 1e307])
def test_pearsons_correlation_does_not_depend_on_the_unit(unit: float) -> None:
    left, right = np.array([1.0, 2, 3, 4, 7]), np.array([2.0, 1, 5, 3, 8])
    wanted, found = pearson(left, right), pearson(left * unit, right)
    assert wanted is not None
    assert found is not None
    assert found.value == pytest.approx(wanted.value)
