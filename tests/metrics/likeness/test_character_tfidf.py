"""Likeness of letters is scikit-learn's, whatever the script, and sketches of it are near enough."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from paraloom.metrics.likeness import character_tfidf
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf, CharacterVectors

TEXTS = [
    "The storm hit the coast at noon; thousands fled.",
    "At noon a storm reached the coast, and thousands of people fled their homes.",
    "Myrsky iski rannikolle keskipäivällä.",
    "Stormen nådde kusten mitt på dagen – tusentals flydde.",
    "a\u2003bc\tde\nfg",
    "嵐が海岸を襲った。",
    "عاصفة تضرب الساحل",
    "I",
    "IT RAINED, it rained, It Rained!",
]


@pytest.mark.parametrize(("shortest", "longest"), [(2, 4), (4, 5), (1, 1), (3, 3), (5, 7)])
def test_cosines_are_scikit_learns(shortest: int, longest: int) -> None:
    theirs = TfidfVectorizer(analyzer="char_wb", ngram_range=(shortest, longest), sublinear_tf=True).fit(TEXTS)
    expected = (theirs.transform(TEXTS) @ theirs.transform(TEXTS).T).toarray()
    ours = CharacterTfidf.of(TEXTS, shortest=shortest, longest=longest).vectors(TEXTS)
    assert ours.cosines(ours) == pytest.approx(expected, abs=2e-3)  # two n-grams may share a bucket


@given(st.lists(st.text(max_size=60), max_size=8), st.integers(1, 4), st.integers(0, 2))
def test_any_text_has_a_vector_of_length_one_or_none(texts: list[str], shortest: int, more: int) -> None:
    vectors = CharacterTfidf.of(texts, shortest=shortest, longest=shortest + more).vectors(texts)
    assert len(vectors) == len(texts)
    for place, text in enumerate(texts):
        length = float(np.square(vectors.weights[vectors.starts[place] : vectors.starts[place + 1]]).sum())
        assert length == pytest.approx(1.0 if text.lower().split() else 0.0, abs=1e-5)


@given(st.lists(st.text(st.characters(min_codepoint=97, max_codepoint=105) | st.just(" ")), min_size=1, max_size=12))
def test_ways_to_compare_agree(texts: list[str]) -> None:
    vectors = CharacterTfidf.of(texts).vectors(texts)
    every = vectors.cosines(vectors)
    rows, others = (indices.ravel() for indices in np.indices(every.shape))
    assert vectors.cosines_of_rows(vectors, rows, others) == pytest.approx(every.ravel(), abs=1e-6)
    half = len(texts) // 2
    assert vectors[half:].cosines(vectors[:half]) == pytest.approx(every[half:, :half], abs=1e-6)


def test_many_texts_give_what_each_gives_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    model = CharacterTfidf.of(TEXTS)
    together = model.vectors(TEXTS)
    monkeypatch.setattr("paraloom.metrics.likeness.character_tfidf._LETTERS_AT_ONCE", 40)
    apart = model.vectors(TEXTS)
    assert together.buckets.tolist() == apart.buckets.tolist()
    assert together.weights.tolist() == apart.weights.tolist()
    assert CharacterTfidf.of(TEXTS).commonness.tolist() == model.commonness.tolist()


def test_products_of_sketches_are_the_cosines_about() -> None:
    rng = random.Random(5)
    words = ["".join(rng.choices("abcdefghijklmnop", k=6)) for _ in range(400)]
    texts = [" ".join(rng.choices(words, k=80)) for _ in range(60)]
    vectors = CharacterTfidf.of(texts, shortest=4, longest=5).vectors(texts)
    sketches = vectors.sketches(1024)
    errors = sketches @ sketches.T - vectors.cosines(vectors)
    assert errors.std() < 0.04
    assert abs(errors.mean()) < 0.01


def test_no_texts_have_no_vectors() -> None:
    vectors = CharacterTfidf().vectors([])
    assert isinstance(vectors, CharacterVectors)
    assert len(vectors) == 0
    assert vectors.cosines(vectors).shape == (0, 0)


@given(st.lists(st.text(alphabet="abc !", max_size=12), max_size=6), st.integers(1, 20))
def test_texts_that_are_counted_once_have_the_same_vectors(texts: list[str], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(character_tfidf, "_LETTERS_AT_ONCE", at_once)
        model, vectors = CharacterTfidf.with_vectors(texts)
    expected = CharacterTfidf.of(texts)
    assert expected.commonness is not None
    assert model.commonness is not None
    np.testing.assert_array_equal(model.commonness, expected.commonness)
    again = expected.vectors(texts)
    np.testing.assert_array_equal(vectors.starts, again.starts)
    np.testing.assert_array_equal(vectors.buckets, again.buckets)
    np.testing.assert_array_equal(vectors.weights, again.weights)
