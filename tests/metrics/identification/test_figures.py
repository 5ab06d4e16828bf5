"""All figures of systems: each is its own metric's, and two systems are compared on the same draws."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import best_f1, measure_decisions
from paraloom.metrics.identification.figures import POINTS_OF_A_CURVE, measure_systems
from paraloom.metrics.identification.slices import by_value
from paraloom.metrics.significance import Interval

RANDOM = np.random.default_rng(11)
TRUTH = RANDOM.random(500) < 0.35
GOOD = np.clip(0.55 * TRUTH + 0.6 * RANDOM.random(500), 0, 1).round(3)
POOR = RANDOM.random(500).round(2)
HALVES = np.where(np.arange(500) < 250, "first", "second")
SYSTEMS = {"good": ("good.tsv", GOOD), "poor": ("poor.tsv", POOR)}


def test_every_metric_has_its_value_its_interval_and_its_signature() -> None:
    (good, _), _ = measure_systems(SYSTEMS, TRUTH, resamples=200)
    decided = measure_decisions(GOOD, TRUTH)
    for name, one in decided.items():
        assert good.figures[name].value == one.value
    assert good.figures["max-f1"].value == pytest.approx(best_f1(GOOD, TRUTH).f1)
    assert good.figures["average-precision"].value == pytest.approx(average_precision_score(TRUTH, GOOD))
    assert good.figures["roc-auc"].value == pytest.approx(roc_auc_score(TRUTH, GOOD))
    for name, figure in good.figures.items():
        assert figure.interval is not None
        assert figure.interval.low <= figure.interval.high
        assert figure.signature.startswith(f"{name}|")
        assert figure.signature.endswith("|pairs:500|draws:pairs|bootstrap:200|seed:1")
    assert good.figures["ece"].signature.startswith("ece|bins:10|")
    assert good.figures["f1"].signature.startswith("f1|threshold:0.5|")


def test_where_pairs_come_in_groups_all_intervals_and_p_values_are_those_of_groups() -> None:
    """Every pair stands five times, as one group: what is known is that of the pairs before they were repeated."""
    five = np.repeat(np.arange(500), 5)
    repeated = {name: (made_by, scores[five]) for name, (made_by, scores) in SYSTEMS.items()}
    once, compared_once = measure_systems(SYSTEMS, TRUTH, [by_value("half", HALVES)], resamples=60)
    halves = by_value("half", HALVES[five])
    found, compared = measure_systems(repeated, TRUTH[five], [halves], groups=five, resamples=60)
    for ours, wanted in zip(found, once, strict=True):
        assert (ours.groups, wanted.groups) == (500, None)
        for name, figure in ours.figures.items():
            assert "|draws:groups|groups:500|" in figure.signature
            assert ends(figure.interval) == pytest.approx(ends(wanted.figures[name].interval))
        assert ends(ours.above_floor) == pytest.approx(ends(wanted.above_floor))
        for part, other in zip(ours.slices["half"], wanted.slices["half"], strict=True):
            assert ends(part.f1_interval) == pytest.approx(ends(other.f1_interval))
            assert ends(part.mcc_interval) == pytest.approx(ends(other.mcc_interval))
    for one, two in zip(compared, compared_once, strict=True):
        assert one.bootstrap.p_value == two.bootstrap.p_value
        assert one.randomisation_p_value == two.randomisation_p_value
        assert (one.bootstrap.low, one.bootstrap.high) == pytest.approx((two.bootstrap.low, two.bootstrap.high))


def ends(interval: Interval | None) -> tuple[float, float]:
    assert interval is not None
    return interval.low, interval.high


def test_a_good_system_differs_from_a_poor_one_and_not_from_itself() -> None:
    systems = {**SYSTEMS, "again": ("again.tsv", GOOD)}
    _, compared = measure_systems(systems, TRUTH, resamples=200)
    assert len(compared) == 3 * 6
    for one in compared:
        same = {one.ours, one.other} == {"good", "again"}
        assert (one.bootstrap.p_value == 1.0) == same
        assert (one.bootstrap.p_value < 0.01) == (not same)
        if one.randomisation_p_value is not None:
            assert (one.randomisation_p_value < 0.01) == (not same)
        if same:
            assert one.bootstrap.low == one.bootstrap.high == one.bootstrap.difference == 0
    assert {one.bootstrap.name for one in compared if one.randomisation_p_value is None} == {
        "max-f1",
        "average-precision",
        "roc-auc",
    }


def test_scores_that_are_no_probabilities_have_no_calibration_and_it_is_said_why() -> None:
    ([system], _) = measure_systems({"logits": ("l.tsv", GOOD * 8 - 4)}, TRUTH, threshold=0, resamples=20)
    assert set(system.not_measured) == {"ece", "brier"}
    assert "outside 0 to 1" in system.not_measured["ece"]
    assert "ece" not in system.figures
    assert system.reliability == ()
    assert system.figures["average-precision"].value == pytest.approx(average_precision_score(TRUTH, GOOD))


def test_the_curve_is_thinned_and_keeps_its_ends() -> None:
    scores = RANDOM.random(500)
    ([system], _) = measure_systems({"s": ("s.tsv", scores)}, TRUTH, resamples=20)
    assert len(system.curve) == POINTS_OF_A_CURVE
    assert system.curve[0].score == scores.max()
    assert (system.curve[-1].score, system.curve[-1].recall) == (scores.min(), 1.0)


def test_slices_are_those_asked_for_and_all_of_it_is_json() -> None:
    slicing = by_value("topic", ["a" if row % 2 else "b" for row in range(500)])
    ([system, _], compared) = measure_systems(SYSTEMS, TRUTH, [slicing], resamples=20)
    written = json.loads(json.dumps([system.as_json(), [one.as_json() for one in compared]], allow_nan=False))
    assert [part["name"] for part in written[0]["slices"]["topic"]] == ["a", "b"]
    assert written[0]["metrics"]["max-f1-threshold"] == system.best.threshold
    assert set(written[0]["signature"]) <= set(written[0]["metrics"])
    low, high = written[0]["intervals"]["f1"]
    assert low <= written[0]["metrics"]["f1"] <= high


def test_the_same_seed_gives_the_same_figures() -> None:
    assert measure_systems(SYSTEMS, TRUTH, resamples=30) == measure_systems(SYSTEMS, TRUTH, resamples=30)
    other = measure_systems(SYSTEMS, TRUTH, resamples=30, seed=2)
    assert (
        other[0][0].figures["f1"].interval != measure_systems(SYSTEMS, TRUTH, resamples=30)[0][0].figures["f1"].interval
    )


def test_pairs_of_one_kind_are_an_error() -> None:
    with pytest.raises(InputError, match="no paraphrase"):
        measure_systems({"s": ("s.tsv", np.array([0.1, 0.9]))}, np.array([False, False]))
