"""chrF's name, choices and refusals; parity with sacrebleu has its own file."""

from __future__ import annotations

import pytest

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.chrf import Chrf

NAMES = [(Chrf(), "chrf2"), (Chrf(word_order=2), "chrf2++"), (Chrf(beta=1), "chrf1"), (Chrf(word_order=1), "chrf2+")]


@pytest.mark.parametrize(("metric", "name"), NAMES)
def test_the_name_tells_beta_and_words(metric, name):
    assert metric.name == name


def test_the_best_of_several_references_counts():
    near, far = "a storm hit the coast", "nothing of the kind"
    both = Chrf().prepare(EvaluationSet.of(["source"], [[far, near]]))(["a storm has hit the coast"])
    alone = Chrf().prepare(EvaluationSet.of(["source"], [[near]]))(["a storm has hit the coast"])
    assert both.value == alone.value
    assert both.statistics.tolist() == alone.statistics.tolist()


@pytest.mark.parametrize(("characters", "words"), [(0, 0), (-1, 2), (6, -1)])
def test_orders_without_ngrams_are_refused(characters, words):
    with pytest.raises(InputError, match="does not exist"):
        Chrf(char_order=characters, word_order=words)


@pytest.mark.parametrize("beta", [-1, float("nan")])
def test_a_beta_below_0_is_refused(beta):
    with pytest.raises(InputError, match=r"does not exist\. Give 0 or more"):
        Chrf(beta=beta)
