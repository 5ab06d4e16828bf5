"""Lexical similarity as the paper has it: the oracle is scikit-learn's counts of n-grams within words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from paraloom.errors import InputError
from paraloom.metrics.likeness import character_cosine
from paraloom.metrics.likeness.character_cosine import character_cosines

WORDS = st.lists(st.text("abcdeäöåß'-", min_size=1, max_size=8), min_size=1, max_size=8).map(" ".join)
PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)


def by_scikit_learn(left: list[str], right: list[str]) -> np.ndarray:
    counter = CountVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit([*left, *right])
    one, other = (counter.transform(texts).toarray().astype(float) for texts in (left, right))
    return (one * other).sum(1) / np.sqrt((one**2).sum(1) * (other**2).sum(1))


@given(PAIRS)
def test_the_cosine_is_that_of_counts_within_words(pairs: list[tuple[str, str]]) -> None:
    left, right = [one for one, _ in pairs], [other for _, other in pairs]
    np.testing.assert_allclose(character_cosines(left, right), by_scikit_learn(left, right), atol=1e-6)


@given(PAIRS)
def test_either_order_is_the_same_and_a_copy_is_one(pairs: list[tuple[str, str]]) -> None:
    left, right = [one for one, _ in pairs], [other for _, other in pairs]
    assert character_cosines(left, right).tolist() == character_cosines(right, left).tolist()
    assert character_cosines(left, left).tolist() == [1.0] * len(left)


def test_a_pair_is_measured_alike_whatever_it_is_measured_with(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [f"the storm hit coast {number}" for number in range(20)]
    right = [f"a gale struck the coast {number % 7}" for number in range(20)]
    together = character_cosines(left, right).tolist()
    monkeypatch.setattr(character_cosine, "PAIRS_AT_ONCE", 3)
    assert character_cosines(left, right).tolist() == together
    assert [character_cosines([one], [other])[0] for one, other in zip(left, right, strict=True)] == together


ODD = [("", "", 0.0), (" ", "a storm", 0.0), ("\ud800 a storm", "\ud800 A STORM", 1.0), ("x" * 100_000, "x", 0.0)]


@pytest.mark.parametrize(("left", "right", "about"), ODD)
def test_odd_texts_have_a_similarity(left: str, right: str, about: float) -> None:
    assert character_cosines([left], [right])[0] == pytest.approx(about, abs=0.01)


def test_no_pairs_have_no_similarities_and_halves_of_pairs_are_refused() -> None:
    assert character_cosines([], []).shape == (0,)
    with pytest.raises(InputError, match="as many of each"):
        character_cosines(["a"], [])
