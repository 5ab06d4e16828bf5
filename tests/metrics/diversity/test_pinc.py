"""PINC against a plain reading of its definition, and what holds for all texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.diversity.pinc import Pinc, pinc, pinc_of_tokens
from paraloom.metrics.evaluation_set import EvaluationSet

TOKENS = st.lists(st.sampled_from("abcde"), max_size=12)


def pinc_as_defined(source: list[str], candidate: list[str], n: int) -> float:
    shares = []
    for length in range(1, n + 1):
        of_source = {tuple(source[i : i + length]) for i in range(len(source) - length + 1)}
        of_candidate = {tuple(candidate[i : i + length]) for i in range(len(candidate) - length + 1)}
        if of_candidate:
            shares.append(1 - len(of_source & of_candidate) / len(of_candidate))
    return sum(shares) / len(shares) if shares else 0.0


@settings(max_examples=200, deadline=None)
@given(TOKENS, TOKENS, st.integers(1, 6))
def test_pinc_is_what_its_definition_says(source, candidate, n):
    assert pinc_of_tokens(source, candidate, n) == pytest.approx(pinc_as_defined(source, candidate, n))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_a_copy_scores_0_and_every_score_lies_between_0_and_1(left, right):
    assert pinc(left, left) == 0.0
    assert 0.0 <= pinc(left, right) <= 1.0


CASES = [
    ("the storm hit", "the storm hit", 0.0),
    ("The Storm HIT", "the storm hit", 0.0),
    ("the storm hit", "a gale came in", 1.0),
    ("the storm hit", "", 0.0),
    ("", "the storm hit", 1.0),
    ("a b", "a", 0.0),
    ("a b", "a c", 0.75),
]


@pytest.mark.parametrize(("source", "candidate", "expected"), CASES)
def test_new_wording_scores_high_and_old_wording_low(source, candidate, expected):
    assert pinc(source, candidate) == expected


def test_an_n_below_1_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        pinc("a", "b", n=0)


def test_the_metric_is_the_mean_over_sources_and_outputs():
    sources, outputs = ["The storm hit", "a b", "嵐が来た 😀"], ["the storm struck", "", "嵐が去った 😀"]
    measured = Pinc(n=2).prepare(EvaluationSet.of(sources, [["x"]] * 3))(outputs)
    expected = [pinc(source, output, n=2) for source, output in zip(sources, outputs, strict=True)]
    assert measured.items.tolist() == expected
    assert measured.value == pytest.approx(sum(expected) / 3)
    assert (measured.name, measured.better) == ("pinc", "higher")
    assert measured.signature == "pinc|n:2|case:lc|tok:paraloom"
    assert measured.combine(measured.statistics[:2].sum(axis=0)) == pytest.approx(sum(expected[:2]) / 2)


def test_the_metric_refuses_what_does_not_fit():
    with pytest.raises(InputError, match="at least 1"):
        Pinc(n=0)
    with pytest.raises(InputError, match="1 outputs for 2 sources"):
        Pinc().prepare(EvaluationSet.of(["a", "b"], [["c"], ["d"]]))(["a"])
