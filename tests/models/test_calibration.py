"""The best decision point and the calibration error are what scikit-learn and plain loops say they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_curve

from paraloom.errors import InputError
from paraloom.models.identifiers.calibration import (
    at_threshold,
    best_f1,
    expected_calibration_error,
    weights_for_base_rate,
)

SCORED = st.lists(st.tuples(st.integers(0, 20).map(lambda number: number / 20), st.booleans()), min_size=1).filter(
    lambda rows: any(truth for _, truth in rows)
)

UNHURRIED = settings(deadline=None)  # the machine may be busy


@UNHURRIED
@given(SCORED)
def test_best_f1_is_the_highest_on_sklearns_precision_recall_curve(rows: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([score for score, _ in rows]), np.array([truth for _, truth in rows])
    precision, recall, _ = precision_recall_curve(truth, scores)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    assert best_f1(scores, truth).f1 == pytest.approx(f1.max())


@UNHURRIED
@given(SCORED)
def test_the_best_threshold_gives_the_best_f1(rows: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([score for score, _ in rows]), np.array([truth for _, truth in rows])
    best = best_f1(scores, truth)
    reached = at_threshold(scores, truth, best.threshold)
    assert (reached.f1, reached.precision, reached.recall) == pytest.approx((best.f1, best.precision, best.recall))


@UNHURRIED
@given(SCORED)
def test_weights_of_two_are_every_pair_twice(rows: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([score for score, _ in rows]), np.array([truth for _, truth in rows])
    assert best_f1(scores, truth, np.full(len(rows), 2.0)).f1 == pytest.approx(best_f1(scores, truth).f1)


def test_weights_give_the_base_rate_asked_for() -> None:
    truth = np.array([True] * 3 + [False] * 7)
    weights = weights_for_base_rate(truth, 0.6)
    assert weights[truth].sum() / weights.sum() == pytest.approx(0.6)


def test_without_a_paraphrase_there_is_no_best_f1() -> None:
    with pytest.raises(InputError, match="pairs of both kinds"):
        best_f1(np.array([0.5]), np.array([False]))


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
