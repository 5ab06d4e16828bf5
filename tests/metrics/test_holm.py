"""Holm's correction, equal to that of statsmodels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from paraloom.metrics.holm import holm


@given(st.lists(st.floats(0.0001, 1.0), min_size=1, max_size=40))
def test_it_equals_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_no_test_needs_no_correction() -> None:
    assert holm([]) == []
