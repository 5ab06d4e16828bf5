"""Decisions are what scikit-learn and plain counting say they are, and so are their resamples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    matthews_corrcoef,
    precision_recall_curve,
    precision_score,
    recall_score,
)

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import (
    at_threshold,
    best_f1,
    f1_of_calling_all,
    margin_over_calling_all,
    mean_of_runs,
    measure_decisions,
    weights_for_base_rate,
)
from paraloom.metrics.measured import mean_of
from paraloom.metrics.significance import bootstrap_interval, compare

ROWS = st.lists(st.tuples(st.integers(0, 20).map(lambda number: number / 20), st.booleans()), min_size=1)
WITH_A_PARAPHRASE = ROWS.filter(lambda rows: any(truth for _, truth in rows))

UNHURRIED = settings(deadline=None)  # the machine may be busy


def arrays(rows: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([score for score, _ in rows]), np.array([truth for _, truth in rows])


@UNHURRIED
@given(WITH_A_PARAPHRASE)
def test_best_f1_is_the_highest_on_sklearns_precision_recall_curve(rows: list[tuple[float, bool]]) -> None:
    scores, truth = arrays(rows)
    precision, recall, _ = precision_recall_curve(truth, scores)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    assert best_f1(scores, truth).f1 == pytest.approx(f1.max())


@UNHURRIED
@given(WITH_A_PARAPHRASE)
def test_the_best_threshold_gives_the_best_f1(rows: list[tuple[float, bool]]) -> None:
    scores, truth = arrays(rows)
    best = best_f1(scores, truth)
    reached = at_threshold(scores, truth, best.threshold)
    assert (reached.f1, reached.precision, reached.recall) == pytest.approx((best.f1, best.precision, best.recall))


def test_the_best_threshold_lies_between_scores_that_are_next_to_one_another() -> None:
    for low in np.random.default_rng(3).random(200):
        scores = np.array([np.nextafter(low, 1), low])
        best = best_f1(scores, np.array([True, False]))
        assert at_threshold(scores, np.array([True, False]), best.threshold).f1 == 1.0


@UNHURRIED
@given(WITH_A_PARAPHRASE)
def test_weights_of_two_are_every_pair_twice(rows: list[tuple[float, bool]]) -> None:
    scores, truth = arrays(rows)
    assert best_f1(scores, truth, np.full(len(rows), 2.0)).f1 == pytest.approx(best_f1(scores, truth).f1)


def test_weights_give_the_base_rate_asked_for() -> None:
    truth = np.array([True] * 3 + [False] * 7)
    weights = weights_for_base_rate(truth, 0.6)
    assert weights[truth].sum() / weights.sum() == pytest.approx(0.6)


@UNHURRIED
@given(WITH_A_PARAPHRASE)
def test_the_floor_is_the_f1_of_calling_every_pair_a_paraphrase(rows: list[tuple[float, bool]]) -> None:
    _, truth = arrays(rows)
    called = at_threshold(np.ones(len(truth)), truth)
    assert f1_of_calling_all(float(truth.mean())) == pytest.approx(called.f1)


@UNHURRIED
@given(ROWS, st.sampled_from([0.0, 0.25, 0.5, 1.0]))
def test_decisions_are_sklearns(rows: list[tuple[float, bool]], threshold: float) -> None:
    scores, truth = arrays(rows)
    said = scores > threshold
    measured = measure_decisions(scores, truth, threshold)
    assert measured["precision"].value == pytest.approx(precision_score(truth, said, zero_division=0))
    assert measured["recall"].value == pytest.approx(recall_score(truth, said, zero_division=0))
    assert measured["f1"].value == pytest.approx(f1_score(truth, said, zero_division=0))
    assert measured["accuracy"].value == pytest.approx(accuracy_score(truth, said))
    both = len(set(truth.tolist())) == len(set(said.tolist())) == 2
    assert measured["mcc"].value == pytest.approx(matthews_corrcoef(truth, said) if both else 0.0)


def test_many_sums_at_once_give_what_each_gives_alone() -> None:
    random = np.random.default_rng(5)
    measured = measure_decisions(random.random(40), random.random(40) < 0.4)
    sums = random.integers(0, 9, (3, 7, 4)).astype(float)
    for one in measured.values():
        assert one.combine is not None
        alone = [[float(one.combine(row)) for row in rows] for rows in sums]
        assert one.combine(sums).tolist() == alone


def test_matthews_correlation_of_a_huge_corpus_has_no_overflow() -> None:
    measured = measure_decisions(np.array([0.9, 0.1]), np.array([True, False]))["mcc"]
    assert measured.combine is not None
    assert float(measured.combine(np.array([1e15, 1e14, 1e14, 1e15]))) == pytest.approx(9 / 11)


def test_intervals_and_comparisons_of_decisions_come_from_the_shared_resampling() -> None:
    random = np.random.default_rng(1)
    truth = random.random(400) < 0.4
    good = np.clip(truth * 0.5 + random.random(400) * 0.6, 0, 1)
    poor = random.random(400)
    ours, other = measure_decisions(good, truth)["f1"], measure_decisions(poor, truth)["f1"]
    interval = bootstrap_interval(ours)
    assert interval is not None
    assert interval.low < ours.value < interval.high
    for method in ("bootstrap", "randomisation"):
        assert compare(ours, other, method=method).p_value < 0.01  # type: ignore[arg-type]
        assert compare(ours, ours, method=method).p_value == 1.0  # type: ignore[arg-type]


def test_the_mean_of_runs_is_resampled_pair_by_pair() -> None:
    random = np.random.default_rng(2)
    truth = random.random(60) < 0.5
    runs = [measure_decisions(random.random(60), truth)["f1"] for _ in range(3)]
    mean = mean_of_runs(runs)
    weights = random.integers(0, 4, 60).astype(float)
    assert mean.combine is not None
    assert mean.statistics is not None
    wanted = [float(run.combine(weights @ run.statistics)) for run in runs]  # type: ignore[misc, operator]
    assert float(mean.combine(weights @ mean.statistics)) == pytest.approx(np.mean(wanted))
    assert mean.value == pytest.approx(np.mean([run.value for run in runs]))


def test_a_single_run_is_its_own_mean() -> None:
    one = mean_of("pinc", np.array([0.0, 0.5]), "pinc|n:4", "higher")
    assert mean_of_runs([one]).value == one.value


REFUSED = [
    ([0.5], [False], best_f1, "pairs of both kinds"),
    ([0.5, 0.1], [True], best_f1, "2 scores for 1 labels"),
    ([], [], measure_decisions, "no pair"),
    ([float("nan")], [True], measure_decisions, "score of pair 1 is nan"),
]


@pytest.mark.parametrize(("scores", "truth", "measure", "told"), REFUSED)
def test_what_cannot_be_measured_is_refused(scores: list[float], truth: list[bool], measure, told: str) -> None:
    with pytest.raises(InputError, match=told):
        measure(np.array(scores, float), np.array(truth, bool))


@given(
    st.lists(st.tuples(st.floats(-1.7e308, 1.7e308), st.booleans()), min_size=1).filter(
        lambda rows: any(label for _, label in rows)
    )
)
@example([(1e308, True), (9e307, True), (-1e308, False)])
@example([(5e-324, True), (0.0, False)])
@example([(1e300, True), (1e300, False)])
def test_the_threshold_of_max_f1_gives_max_f1(rows: list[tuple[float, bool]]) -> None:
    scores, truth = np.array([score for score, _ in rows]), np.array([label for _, label in rows])
    best = best_f1(scores, truth)
    assert np.isfinite(best.threshold)
    assert at_threshold(scores, truth, best.threshold).f1 == pytest.approx(best.f1)


def test_f1_and_its_floor_are_drawn_together() -> None:
    """A system that finds all but a few is above calling all in every draw, though F1 alone swings with the share."""
    truth = np.tile([True, True, False], 12)
    scores = np.where(truth, 0.9, 0.1)
    scores[2] = 0.9
    margin = margin_over_calling_all(scores, truth)
    assert margin.value == pytest.approx(f1_score(truth, scores > 0.5) - f1_score(truth, np.ones(len(truth))))
    interval = bootstrap_interval(margin)
    assert interval is not None
    assert interval.low > 0
    everything = bootstrap_interval(margin_over_calling_all(np.ones(len(truth)), truth))
    assert everything is not None
    assert (everything.low, everything.high) == (0, 0)
