"""Scores become probabilities that can be believed, in the order of the scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.identification.calibration import expected_calibration_error
from paraloom.metrics.identification.decisions import best_f1
from paraloom.models.identifiers.calibrated import calibrate
from paraloom.models.identifiers.thresholds import place_threshold

SCORES = st.floats(0, 1).map(lambda number: round(number, 6))
HELD_OUT = st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=40)


def drawn(seed: int, share: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Raw scores that tell a little of the truth, and the truth."""
    random = np.random.default_rng(seed)
    truth = random.random(4000) < share
    return random.normal(size=4000) + 0.7 * truth, truth


def test_the_curve_is_that_of_a_generalised_linear_model_on_platts_targets() -> None:
    import statsmodels.api as statsmodels

    raw, truth = drawn(1)
    scores = place_threshold(raw, truth.astype(float)).apply(raw)
    positive, negative = truth.sum(), (~truth).sum()
    targets = np.where(truth, (positive + 1) / (positive + 2), 1 / (negative + 2))
    family = statsmodels.families.Binomial()
    odds = np.log(scores / (1 - scores))
    intercept, slope = statsmodels.GLM(targets, statsmodels.add_constant(odds), family=family).fit().params
    found = calibrate(scores, truth.astype(float))
    assert (found.slope, found.intercept) == (pytest.approx(slope, rel=1e-4), pytest.approx(intercept, rel=1e-4))


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_probabilities_come_true_where_scores_do_not(share: float) -> None:
    raw, truth = drawn(2, share)
    threshold = place_threshold(raw, truth.astype(float))
    calibration = calibrate(threshold.apply(raw), truth.astype(float))
    others, other_truth = drawn(3, share)
    scores = threshold.apply(others)
    chances = calibration.probabilities(scores)
    assert chances.mean() == pytest.approx(share, abs=0.02)
    assert expected_calibration_error(chances, other_truth) < 0.03
    assert expected_calibration_error(scores, other_truth) > 2 * expected_calibration_error(chances, other_truth)
    assert best_f1(chances, other_truth).f1 == pytest.approx(best_f1(scores, other_truth).f1, abs=1e-3)


@given(HELD_OUT, st.lists(SCORES, max_size=20))
def test_the_order_of_scores_is_kept_and_chances_are_from_0_to_1(
    held_out: list[tuple[float, bool]], asked: list[float]
) -> None:
    calibration = calibrate(
        np.array([score for score, _ in held_out]), np.array([float(truth) for _, truth in held_out])
    )
    chances = calibration.probabilities(np.sort(np.array(asked)))
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (np.diff(chances) >= 0).all()


@pytest.mark.parametrize("scores", [[0.5] * 4, [0.9, 0.8, 0.7, 0.1]], ids=["all alike", "upside down"])
def test_scores_that_say_nothing_give_every_pair_the_base_rate(scores: list[float]) -> None:
    chances = calibrate(np.array(scores), np.array([0.0, 0.0, 1.0, 1.0])).probabilities(np.array([0.0, 0.3, 1.0]))
    assert chances.tolist() == [0.5, 0.5, 0.5]
