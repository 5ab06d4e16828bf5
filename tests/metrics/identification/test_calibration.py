"""Calibration is what scikit-learn and plain loops say it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

from paraloom.metrics.identification.calibration import expected_calibration_error, measure_calibration, reliability

ROWS = st.lists(st.tuples(st.integers(0, 100).map(lambda number: number / 100), st.booleans()), min_size=1)
UNHURRIED = settings(deadline=None)  # the machine may be busy


def plain_error(probabilities: list[float], truth: list[bool], weights: list[float], bins: int) -> float:
    """The error as it is defined: bin by bin, each weighed by its share of the pairs."""
    error = 0.0
    for place in range(bins):
        rows = [row for row, p in enumerate(probabilities) if sum(p >= k / bins for k in range(1, bins)) == place]
        weight = sum(weights[row] for row in rows)
        if weight:
            promised = sum(weights[row] * probabilities[row] for row in rows) / weight
            happened = sum(weights[row] * truth[row] for row in rows) / weight
            error += weight / sum(weights) * abs(promised - happened)
    return error


@UNHURRIED
@given(ROWS, st.integers(1, 20), st.data())
def test_the_calibration_error_is_what_a_plain_loop_says(
    rows: list[tuple[float, bool]], bins: int, data: st.DataObject
) -> None:
    probabilities, truth = zip(*rows, strict=True)
    weights = data.draw(st.lists(st.integers(1, 5).map(float), min_size=len(rows), max_size=len(rows)))
    found = expected_calibration_error(np.array(probabilities), np.array(truth), np.array(weights), bins)
    assert found == pytest.approx(plain_error(list(probabilities), list(truth), weights, bins))


@UNHURRIED
@given(ROWS)
def test_the_brier_score_is_sklearns(rows: list[tuple[float, bool]]) -> None:
    probabilities, truth = np.array([p for p, _ in rows]), np.array([t for _, t in rows])
    wanted = brier_score_loss(truth, probabilities, labels=[False, True], pos_label=True)
    assert measure_calibration(probabilities, truth)["brier"].value == pytest.approx(wanted)


@UNHURRIED
@given(ROWS)
def test_the_bins_of_the_diagram_add_up_to_the_error(rows: list[tuple[float, bool]]) -> None:
    probabilities, truth = np.array([p for p, _ in rows]), np.array([t for _, t in rows])
    bins = reliability(probabilities, truth)
    assert sum(bin.pairs for bin in bins) == len(rows)
    error = sum(bin.pairs * abs(bin.promised - bin.happened) for bin in bins) / len(rows)
    measured = measure_calibration(probabilities, truth)["ece"]
    assert measured.value == pytest.approx(error)
    assert measured.combine is not None
    assert measured.statistics is not None
    assert float(measured.combine(measured.statistics.sum(0))) == pytest.approx(error)


CALIBRATION = [
    ([0.2] * 5, [True] + [False] * 4, 0.0),
    ([1.0, 1.0], [True, True], 0.0),
    ([1.0, 1.0], [False, False], 1.0),
    ([0.95, 0.05], [False, True], 0.95),
]


@pytest.mark.parametrize(("probabilities", "truth", "error"), CALIBRATION)
def test_the_calibration_error_is_the_distance_from_what_happened(
    probabilities: list[float], truth: list[bool], error: float
) -> None:
    assert expected_calibration_error(np.array(probabilities), np.array(truth)) == pytest.approx(error)


def test_the_signature_says_how_many_bins() -> None:
    measured = measure_calibration(np.array([0.3]), np.array([True]), bins=15)
    assert measured["ece"].signature == "ece|bins:15|width:equal|norm:1"


@pytest.mark.parametrize("bins", [10, 100])
def test_a_probability_on_a_bound_belongs_to_the_bin_above(bins: int) -> None:
    for place in range(bins):
        [found] = reliability(np.array([place / bins]), np.array([True]), bins)
        assert found.low == place / bins
