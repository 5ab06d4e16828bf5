"""What spelling says of two phrases is the same either way round, and says what its name says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from paraloom.phrases.rank_measures import NAMES, measured, plain_measures, without_shared

WORDS = ("storm", "storms", "the", "didn't", "not", "5,000", "...", "#flood", "struck", "ß", "日本")
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@given(phrases, phrases)
def test_the_order_of_two_phrases_does_not_matter_and_every_measure_is_a_number(left: str, right: str) -> None:
    one, other = measured([(left, right)]), measured([(right, left)])
    assert one.shape == (1, len(NAMES))
    assert np.isfinite(one).all()
    assert one.tolist() == other.tolist()


@given(phrases)
def test_a_phrase_is_all_like_itself(phrase: str) -> None:
    found = plain_measures(phrase, phrase)
    assert (found.edit_similarity, found.trigrams, found.words, found.lemmas, found.content) == (1.0,) * 5
    assert (found.negated, found.numbers, found.marks, found.lost_functions) == (0.0,) * 4


SAID = [
    ("hit", "did not hit", "negated", 1.0),
    ("did not hit", "didn't hit", "negated", 0.0),
    ("500 dead", "600 dead", "numbers", 1.0),
    ("500 dead", "500 people dead", "numbers", 0.0),
    ("the storm", "storm", "is_inside", 1.0),
    ("the storm", "a storm", "is_inside", 0.0),
    ("storms hit", "storm hits", "lemmas", 1.0),
    ("storms hit", "storm hits", "words", 0.0),
    ("the storm", "a storm", "content", 1.0),
    ("u.s.", "us", "marks", 0.0),
    ("the end .", "the end", "marks", 1.0),
    ("hit the coast", "struck the coast", "same_last", 1.0),
    ("hit the coast", "struck the coast", "same_first", 0.0),
    ("hit the coast", "struck", "longer_words", 3.0),
]


@pytest.mark.parametrize(("left", "right", "name", "value"), SAID)
def test_a_measure_says_what_its_name_says(left: str, right: str, name: str, value: float) -> None:
    assert getattr(plain_measures(left, right), name) == value


def test_edits_are_a_share_of_the_longer_phrase() -> None:
    found = plain_measures("storm", "stormy").edit_similarity
    assert found == pytest.approx(1 - Levenshtein.distance("storm", "stormy") / 6)


@given(phrases, phrases)
def test_what_is_not_shared_is_never_nothing(left: str, right: str) -> None:
    one, other = without_shared(left, right)
    assert set() < set(one.split()) <= set(left.split())
    assert set() < set(other.split()) <= set(right.split())
    if not set(left.split()) & set(right.split()):
        assert (one, other) == (left, right)
