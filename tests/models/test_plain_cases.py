"""Empty texts and copies are decided without a model, in either order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.models.identifiers.plain_cases import plain_scores, with_plain_scores

DECIDED = [
    ("a storm", "a storm", 1.0),
    ("A STORM", "a storm", 1.0),
    ("Straße", "STRASSE", 1.0),
    ("", "", 0.0),
    (" \n\t", "a storm", 0.0),
    ("\u3000", "\u3000", 0.0),
    ("a storm", "a storm.", None),
    ("a storm ", "a storm", None),
    ("\ud800", "\ud800", 1.0),
]


@pytest.mark.parametrize(("one", "other", "score"), DECIDED)
def test_a_plain_pair_has_its_score_in_either_order(one: str, other: str, score: float | None) -> None:
    expected = [np.nan if score is None else score] * 2
    np.testing.assert_array_equal(plain_scores([one, other], [other, one]), expected)


@given(st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3), st.floats(0, 1))))
def test_other_scores_are_left_as_they_are(rows: list[tuple[str, str, float]]) -> None:
    left, right = [one for one, _, _ in rows], [other for _, other, _ in rows]
    scores = np.array([score for _, _, score in rows], np.float64)
    found, plain = with_plain_scores(scores, left, right), plain_scores(left, right)
    for score, given_score, plain_score in zip(found, scores, plain, strict=True):
        assert score == (given_score if np.isnan(plain_score) else plain_score)
