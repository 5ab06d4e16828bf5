"""How much two token lists point the same way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.metrics.diversity.cosine import cosine_of_tokens

PAIRS = [
    ("storm hits coast", "storm hits town", 2 / 3),
    ("a a b", "a b b", 4 / 5),
    ("a b", "b a", 1.0),
    ("a a", "a", 1.0),
    ("a b", "c d", 0.0),
    ("", "a", 0.0),
    ("a", "", 0.0),
    ("", "", 0.0),
]


@pytest.mark.parametrize(("left", "right", "cosine"), PAIRS)
def test_a_pair_has_the_cosine_of_its_word_counts(left: str, right: str, cosine: float) -> None:
    assert cosine_of_tokens(left.split(), right.split()) == pytest.approx(cosine)


tokens = st.lists(st.sampled_from("abcdef"), max_size=12)


@settings(max_examples=200, deadline=None)
@given(tokens, tokens)
def test_it_is_what_numpy_computes_between_0_and_1_and_symmetric(left: list[str], right: list[str]) -> None:
    cosine = cosine_of_tokens(left, right)
    counts = [np.array([side.count(word) for word in "abcdef"], float) for side in (left, right)]
    norms = float(np.linalg.norm(counts[0]) * np.linalg.norm(counts[1]))
    assert cosine == pytest.approx(float(counts[0] @ counts[1]) / norms if norms else 0.0)
    assert 0 <= cosine <= 1
    assert cosine == cosine_of_tokens(right, left)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12))
def test_a_text_is_wholly_like_itself_in_any_order(left: list[str]) -> None:
    assert cosine_of_tokens(left, left[::-1]) == pytest.approx(1.0)
