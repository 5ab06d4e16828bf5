"""The adversarial reward follows the paper's equation; the metrics follow from what a model answers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meaning.adversarial import (
    Answers,
    AptPass,
    AptReward,
    LearnedSimilarity,
    MutualImplication,
    apt_passes,
    apt_reward,
)
from paraloom.metrics.measured import Metric

SET = EvaluationSet.of(["a b c", "d e f", "g h i"], [["c b a"], ["f e d"], ["i h g"]])


class Judge:
    """A model with known answers: implication and similarity are written in the output."""

    signature = "model:judge"

    def answer(self, left: Sequence[str], right: Sequence[str]) -> Answers:
        said = np.array([[float(number) for number in text.split()] for text in right]).reshape(-1, 2)
        return Answers(implication=said[:, 0], similarity=said[:, 1])


@pytest.mark.parametrize("similarity", [-2.2, -1.0, 0.0, 0.3, 0.5, 1.1])
def test_the_reward_is_equation_1(similarity: float) -> None:
    assert apt_reward(True, similarity) == pytest.approx(1 / (1 + math.exp(5 * similarity)) ** 2, rel=1e-12)
    assert apt_reward(False, similarity) == 0


@given(st.floats(-1e308, 1e308), st.floats(-1e308, 1e308))
def test_the_reward_falls_with_similarity_and_stays_between_0_and_1(low: float, high: float) -> None:
    low, high = sorted((low, high))
    assert 0 <= apt_reward(True, high) <= apt_reward(True, low) <= 1


@pytest.mark.parametrize(
    ("implicative", "similarity", "passes"),
    [(True, 0.5, True), (True, 0.5000001, False), (True, -1.5, True), (False, -1.5, False), (False, 0.9, False)],
)
def test_an_attempt_passes_if_it_implies_and_is_unlike(implicative: bool, similarity: float, passes: bool) -> None:
    assert apt_passes(implicative, similarity) is passes


METRICS: list[tuple[Metric, list[float]]] = [
    (MutualImplication(Judge()), [0.9, 0.5, 0.8]),
    (LearnedSimilarity(Judge()), [-1.0, -1.0, 0.9]),
    (AptReward(Judge()), [apt_reward(True, -1.0), 0.0, apt_reward(True, 0.9)]),
    (AptPass(Judge()), [1.0, 0.0, 0.0]),
]


@pytest.mark.parametrize(("metric", "items"), METRICS, ids=lambda given: getattr(given, "name", ""))
def test_a_metric_follows_from_the_answers(metric: Metric, items: list[float]) -> None:
    measured = metric.prepare(SET)(["0.9 -1.0", "0.5 -1.0", "0.8 0.9"])
    assert measured.items.tolist() == pytest.approx(items, rel=1e-12)
    assert measured.value == pytest.approx(np.mean(items), rel=1e-12)
    assert measured.signature == f"{metric.name}|model:judge"
    assert isinstance(metric, Metric)


@pytest.mark.parametrize("metric", [metric for metric, _ in METRICS], ids=lambda metric: metric.name)
def test_outputs_that_do_not_fit_the_sources_are_refused(metric: Metric) -> None:
    with pytest.raises(InputError, match="2 outputs for 3 sources"):
        metric.prepare(SET)(["0.9 0.1", "0.9 0.1"])


class Yes:
    """A model that finds every pair mutually implicative and unlike."""

    signature = "model:yes"

    def answer(self, left: Sequence[str], right: Sequence[str]) -> Answers:
        return Answers(implication=np.ones(len(right)), similarity=-np.ones(len(right)))


@pytest.mark.parametrize("output", ["", "  ", ".", "?!", "\u200b"])
def test_an_output_without_a_word_implies_nothing_whatever_the_model_says(output: str) -> None:
    for metric in (MutualImplication(Yes()), AptReward(Yes()), AptPass(Yes())):
        items = metric.prepare(SET)([output, "a word", "7"]).items
        assert items[0] == 0
        assert (items[1:] > 0.9).all()
