"""Raw scores become scores from 0 to 1: their order is kept, and .5 lies where F1 is best."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import at_threshold, best_f1
from paraloom.models.identifiers.thresholds import place_threshold, probabilities

RAW = st.floats(-1e6, 1e6).map(lambda number: round(number, 3))
HELD_OUT = st.lists(st.tuples(RAW, st.booleans()), min_size=1, max_size=40).filter(
    lambda pairs: any(truth for _, truth in pairs)
)


@given(HELD_OUT, st.lists(RAW, max_size=20))
def test_the_order_of_raw_scores_is_kept(held_out: list[tuple[float, bool]], asked: list[float]) -> None:
    threshold = place_threshold(
        np.array([raw for raw, _ in held_out]), np.array([float(truth) for _, truth in held_out])
    )
    scores = threshold.apply(np.sort(np.array(asked)))
    assert ((scores >= 0) & (scores <= 1)).all()
    assert (np.diff(scores) >= 0).all()
    assert (scores == scores.round(6)).all()


@pytest.mark.parametrize("seed", range(5))
def test_half_is_the_best_point_of_the_held_out_pairs(seed: int) -> None:
    random = np.random.default_rng(seed)
    truth = random.random(300) < 0.3
    raw = random.normal(size=300) + truth
    scores = place_threshold(raw, truth.astype(float)).apply(raw)
    assert at_threshold(scores, truth).f1 == pytest.approx(best_f1(raw, truth).f1)


def test_the_slope_is_that_of_a_generalised_linear_model_on_platts_targets() -> None:
    import statsmodels.api as statsmodels

    random = np.random.default_rng(1)
    truth = random.random(400) < 0.3
    raw = 5 + 2 * (random.normal(size=400) + truth)
    positive, negative = truth.sum(), (~truth).sum()
    targets = np.where(truth, (positive + 1) / (positive + 2), 1 / (negative + 2))
    family = statsmodels.families.Binomial()
    theirs = statsmodels.GLM(targets, statsmodels.add_constant(raw), family=family).fit().params[1]
    assert place_threshold(raw, truth.astype(float)).slope == pytest.approx(theirs, rel=1e-5)


def test_scores_that_a_threshold_separates_have_a_finite_slope() -> None:
    threshold = place_threshold(np.arange(10.0), np.array([0.0] * 5 + [1.0] * 5))
    assert threshold.middle == 4.5
    assert 0 < threshold.slope < 100


@pytest.mark.parametrize("raw", [np.zeros(4), np.array([4.0, 3.0, 2.0, 1.0])], ids=["all alike", "upside down"])
def test_scores_that_say_nothing_still_get_a_threshold(raw: np.ndarray) -> None:
    threshold = place_threshold(raw, np.array([0.0, 0.0, 1.0, 1.0]))
    assert threshold.slope > 0
    assert (threshold.apply(raw) > 0.5).all()  # to call every pair a paraphrase is all that is left


def test_without_a_paraphrase_there_is_no_threshold() -> None:
    with pytest.raises(InputError, match="Without a single paraphrase"):
        place_threshold(np.zeros(3), np.zeros(3))


def test_numbers_of_any_size_become_probabilities() -> None:
    assert probabilities(np.array([-1e300, -800.0, 0.0, 800.0])).tolist() == [0.0, 0.0, 0.5, 1.0]
