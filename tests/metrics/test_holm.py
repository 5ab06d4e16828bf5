"""Holm's correction, equal to that of statsmodels."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from paraloom.metrics.holm import holm


@given(st.lists(st.floats(0.0001, 1.0), min_size=1, max_size=40))
def test_it_equals_statsmodels(p_values: list[float]) -> None:
    with mock.patch("gc.collect"):  # statsmodels collects garbage in every call, which takes most of a second here
        expected = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(expected)


def test_no_test_needs_no_correction() -> None:
    assert holm([]) == []
