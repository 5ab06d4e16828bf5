"""Jaccard similarity against sets, and what holds for all texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.metrics.diversity.jaccard import Jaccard, jaccard, jaccard_of_tokens
from paraloom.metrics.evaluation_set import EvaluationSet

TOKENS = st.lists(st.sampled_from("abcdef"), max_size=10)


@settings(max_examples=150, deadline=None)
@given(TOKENS, TOKENS)
def test_jaccard_is_the_intersection_over_the_union(left, right):
    either = set(left) | set(right)
    expected = len(set(left) & set(right)) / len(either) if either else 1.0
    assert jaccard_of_tokens(left, right) == expected


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_jaccard_is_symmetric_and_lies_between_0_and_1(left, right):
    assert jaccard(left, right) == jaccard(right, left)
    assert 0.0 <= jaccard(left, right) <= 1.0
    assert jaccard(left, left) == 1.0


CASES = [("a b c", "b c d", 0.5), ("A b", "a B", 1.0), ("a", "b", 0.0), ("", "", 1.0), ("", "a", 0.0)]


@pytest.mark.parametrize(("left", "right", "expected"), CASES)
def test_shared_words_raise_the_score(left, right, expected):
    assert jaccard(left, right) == expected


def test_the_metric_is_the_mean_over_sources_and_outputs():
    sources, outputs = ["The storm hit", "a b", "嵐が来た 😀"], ["the storm struck", "", "嵐が去った 😀"]
    measured = Jaccard().prepare(EvaluationSet.of(sources, [["x"]] * 3))(outputs)
    expected = [jaccard(source, output) for source, output in zip(sources, outputs, strict=True)]
    assert measured.items.tolist() == expected
    assert measured.value == pytest.approx(sum(expected) / 3)
    assert (measured.name, measured.better) == ("jaccard", "lower")
    assert measured.signature == "jaccard|case:lc|tok:paraloom"
