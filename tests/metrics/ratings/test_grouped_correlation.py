"""Correlations that heed groups: inside them, and over draws of whole groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from paraloom.errors import InputError
from paraloom.metrics.correlation import spearman
from paraloom.metrics.ratings.grouped_correlation import _Tied, spearman_intervals, spearman_within

VALUES = st.integers(-4, 4).map(float)
COLUMNS = st.lists(st.tuples(VALUES, VALUES), min_size=3, max_size=40)


def test_within_groups_is_the_mean_over_groups_that_people_rated_apart() -> None:
    random = np.random.default_rng(3)
    groups = np.repeat(np.arange(30), random.integers(1, 8, 30))
    one, other = random.integers(0, 4, len(groups)).astype(float), random.integers(0, 3, len(groups)).astype(float)
    wanted = []
    for group in range(30):
        rows = groups == group
        if rows.sum() >= 3 and np.ptp(other[rows]) > 0:
            wanted.append(stats.spearmanr(one[rows], other[rows]).statistic if np.ptp(one[rows]) > 0 else 0.0)
    shuffled = random.permutation(len(groups))
    found = spearman_within(one[shuffled], other[shuffled], groups[shuffled])
    assert found.groups == len(wanted) > 10
    assert found.by_group.tolist() == pytest.approx(wanted)
    assert found.value == pytest.approx(np.mean(wanted))


def test_mixing_sources_can_show_a_correlation_that_no_source_has() -> None:
    groups = np.repeat(np.arange(20), 4)
    easiness = groups.astype(float)
    one, other = easiness * 10 + np.tile([0, 1, 2, 3], 20), easiness * 10 + np.tile([3, 2, 1, 0], 20)
    mixed = spearman(one, other)
    assert mixed is not None
    assert mixed.value > 0.9
    assert spearman_within(one, other, groups).value == pytest.approx(-1)


def test_without_a_group_to_look_into_there_is_no_correlation_within() -> None:
    found = spearman_within(np.arange(4.0), np.arange(4.0), np.arange(4))
    assert (found.value, found.groups) == (None, 0)


@settings(deadline=None)
@given(COLUMNS, st.data())
def test_a_draws_correlation_is_that_of_its_items_written_out(
    rows: list[tuple[float, float]], data: st.DataObject
) -> None:
    one, other = (np.array(column) for column in zip(*rows, strict=True))
    times = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))))
    assume(times.sum() > 0)
    written = spearman(np.repeat(one, times), np.repeat(other, times))
    weights = times[None].astype(float)
    found = float((_Tied.of(one).standardised(weights) * _Tied.of(other).standardised(weights)).sum())
    assert np.isnan(found) if written is None else found == pytest.approx(written.value, abs=1e-9)


def test_intervals_hold_the_value_and_are_wider_where_items_come_in_groups() -> None:
    random = np.random.default_rng(5)
    groups = np.repeat(np.arange(40), 10)
    shared = np.repeat(random.normal(size=40), 10)
    one = shared + 0.1 * random.normal(size=400)
    other = shared * 0.3 + np.repeat(random.normal(size=40), 10) + 0.1 * random.normal(size=400)
    found = spearman(one, other)
    [[grouped]] = spearman_intervals([one], [other], groups, resamples=300)
    [[single]] = spearman_intervals([one], [other], np.arange(400), resamples=300)
    assert grouped is not None
    assert single is not None
    assert found is not None
    assert grouped.low < found.value < grouped.high
    assert grouped.high - grouped.low > 1.5 * (single.high - single.low)


def test_intervals_of_many_columns_are_those_of_each_alone() -> None:
    random = np.random.default_rng(6)
    ones, others = list(random.normal(size=(2, 30))), list(random.normal(size=(3, 30)))
    together = spearman_intervals(ones, others, np.arange(30), resamples=40)
    assert [len(row) for row in together] == [3, 3]
    for row, one in zip(together, ones, strict=True):
        for interval, other in zip(row, others, strict=True):
            assert spearman_intervals([one], [other], np.arange(30), resamples=40) == [[interval]]


def test_a_column_without_an_order_or_a_single_group_has_no_interval() -> None:
    assert spearman_intervals([np.ones(5)], [np.arange(5.0)], np.arange(5), resamples=10) == [[None]]
    assert spearman_intervals([np.arange(5.0)], [np.arange(5.0)], np.zeros(5, int), resamples=10) == [[None]]


REFUSED = [([1.0], [1.0, 2.0], "does not fit"), ([], [], "no item"), ([1.0], [float("nan")], "not a number")]


@pytest.mark.parametrize(("one", "other", "told"), REFUSED)
def test_columns_that_do_not_fit_are_refused(one: list[float], other: list[float], told: str) -> None:
    with pytest.raises(InputError, match=told):
        spearman_within(np.array(one), np.array(other), np.arange(len(one)))
