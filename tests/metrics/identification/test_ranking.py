"""Rankings are measured as scikit-learn measures them, whatever the ties and weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import best_f1
from paraloom.metrics.identification.ranking import Ranking, intervals_of, resampled_figures

ROWS = st.lists(
    st.tuples(st.integers(0, 12).map(lambda number: number / 12), st.booleans(), st.integers(1, 4)), min_size=2
).filter(lambda rows: {truth for _, truth, _ in rows} == {True, False})
UNHURRIED = settings(deadline=None)  # the machine may be busy


@UNHURRIED
@given(ROWS)
def test_figures_are_sklearns_with_ties_and_weights(rows: list[tuple[float, bool, int]]) -> None:
    scores, truth, weights = (np.array(column) for column in zip(*rows, strict=True))
    ranking = Ranking.of(scores, truth)
    for weighed in (None, weights.astype(float)):
        best, average, area = ranking.figures(weighed)
        precision, recall, _ = precision_recall_curve(truth, scores, sample_weight=weighed)
        assert best == pytest.approx((2 * precision * recall / np.maximum(precision + recall, 1e-12)).max())
        assert average == pytest.approx(average_precision_score(truth, scores, sample_weight=weighed))
        assert area == pytest.approx(roc_auc_score(truth, scores, sample_weight=weighed))


@UNHURRIED
@given(ROWS)
def test_the_curve_is_sklearns(rows: list[tuple[float, bool, int]]) -> None:
    scores, truth, _ = (np.array(column) for column in zip(*rows, strict=True))
    precision, recall, cuts = Ranking.of(scores, truth).curve()
    wanted_precision, wanted_recall, wanted_cuts = precision_recall_curve(truth, scores)
    assert cuts.tolist() == wanted_cuts[::-1].tolist()
    assert precision.tolist() == pytest.approx(wanted_precision[-2::-1].tolist())
    assert recall.tolist() == pytest.approx(wanted_recall[-2::-1].tolist())


@UNHURRIED
@given(ROWS)
def test_max_f1_is_the_best_decision_point(rows: list[tuple[float, bool, int]]) -> None:
    scores, truth, _ = (np.array(column) for column in zip(*rows, strict=True))
    assert Ranking.of(scores, truth).figures()[0] == pytest.approx(best_f1(scores, truth).f1)


@UNHURRIED
@given(ROWS, st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_a_draw_is_measured_as_if_its_pairs_were_written_out(
    rows: list[tuple[float, bool, int]], cycle: list[int]
) -> None:
    scores, truth, _ = (np.array(column) for column in zip(*rows, strict=True))
    times = np.resize(cycle, len(rows))
    written_truth, written_scores = np.repeat(truth, times), np.repeat(scores, times)
    found = Ranking.of(scores, truth).figures(times.astype(float))
    if written_truth.any() and not written_truth.all():
        assert found == pytest.approx(Ranking.of(written_scores, written_truth).figures())
    else:
        assert np.isnan(found).all()


def test_many_weights_at_once_give_what_each_gives_alone() -> None:
    random = np.random.default_rng(4)
    scores, truth = random.integers(0, 9, 50) / 9, random.random(50) < 0.3
    ranking = Ranking.of(scores, truth)
    weights = random.integers(0, 3, (5, 50)).astype(float)
    assert ranking.figures(weights) == pytest.approx(np.array([ranking.figures(row) for row in weights]))


def test_two_rankings_are_resampled_with_the_same_draws() -> None:
    random = np.random.default_rng(7)
    truth = random.random(80) < 0.4
    one = Ranking.of(random.random(80), truth)
    first, second = resampled_figures([one, one], resamples=20)
    assert (first == second).all()
    assert (first == resampled_figures([one], resamples=20)[0]).all()
    assert (first != resampled_figures([one], resamples=20, seed=2)[0]).any()


def test_groups_are_drawn_whole() -> None:
    random = np.random.default_rng(7)
    scores, truth = random.integers(0, 9, 60) / 9, random.random(60) < 0.4
    groups = random.permutation(60) % 12
    draws = np.random.default_rng(1)
    wanted = []
    for _ in range(30):
        rows = [row for group in draws.integers(12, size=12) for row in np.flatnonzero(groups == group)]
        wanted.append(Ranking.of(scores[rows], truth[rows]).figures())
    [found] = resampled_figures([Ranking.of(scores, truth)], groups=groups, resamples=30, seed=1)
    assert found == pytest.approx(np.array(wanted))


def test_groups_of_one_pair_each_are_drawn_as_pairs_are_and_one_group_not_at_all() -> None:
    random = np.random.default_rng(8)
    ranking = Ranking.of(random.random(40), random.random(40) < 0.4)
    [alone] = resampled_figures([ranking], groups=np.arange(40) + 5, resamples=20)
    assert (alone == resampled_figures([ranking], resamples=20)[0]).all()
    [together] = resampled_figures([ranking], groups=np.zeros(40, np.int64), resamples=20)
    assert set(intervals_of(together).values()) == {None}
    with pytest.raises(InputError, match="groups of 3 items are told, but there are 40"):
        resampled_figures([ranking], groups=np.arange(3))


def test_an_interval_holds_the_figure_and_narrows_with_more_pairs() -> None:
    random = np.random.default_rng(9)
    widths = []
    for pairs in (100, 1600):
        truth = random.random(pairs) < 0.4
        scores = truth * 0.4 + random.random(pairs)
        ranking = Ranking.of(scores, truth)
        interval = intervals_of(resampled_figures([ranking], resamples=300)[0])["average-precision"]
        assert interval is not None
        assert interval.low < ranking.figures()[1] < interval.high
        widths.append(interval.high - interval.low)
    assert widths[1] < widths[0] / 2


ONE_KIND = [([True, True], "only paraphrases"), ([False, False], "no paraphrase")]


@pytest.mark.parametrize(("truth", "told"), ONE_KIND)
def test_pairs_of_one_kind_cannot_be_ranked(truth: list[bool], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Ranking.of(np.array([0.1, 0.2]), np.array(truth))
