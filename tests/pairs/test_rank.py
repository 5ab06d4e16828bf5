"""Sentences whose words are common in their group come first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.pairs.rank import ranked, word_probability

STORM = [
    ["storm", "hits", "the", "coast"],  # storm 3, hits 2, the 2, coast 1 of 11 words
    ["storm", "hits", "town"],
    ["the", "storm", "ended", "overnight"],
]

BY_HAND = [
    ([["storm", "hits"], ["storm", "ends"], ["sun"]], [0.3, 0.3, 0.2]),
    (STORM, [(3 + 2 + 2 + 1) / 11 / 4, (3 + 2 + 1) / 11 / 3, (2 + 3 + 1 + 1) / 11 / 4]),
    ([["a", "a", "b"]], [(2 + 2 + 1) / 3 / 3]),
    ([["a"], []], [1.0, 0.0]),
    ([[], []], [0.0, 0.0]),
    ([], []),
]


@pytest.mark.parametrize(("sentences", "probabilities"), BY_HAND)
def test_a_sentence_has_the_mean_probability_of_its_words(sentences, probabilities) -> None:
    assert word_probability(sentences) == pytest.approx(probabilities, abs=1e-12)


def test_the_most_central_sentence_comes_first_and_equals_by_id() -> None:
    assert ranked(["x", "y", "z"], STORM) == [0, 1, 2]
    assert ranked(["b", "a", "c"], [["storm", "hits"], ["storm", "ends"], ["sun"]]) == [1, 0, 2]


words = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=12)


@settings(max_examples=100, deadline=None)
@given(words, st.randoms(use_true_random=False))
def test_the_order_of_a_groups_sentences_does_not_show(sentences: list[list[str]], random) -> None:
    ids = [f"s{number:02d}" for number in range(len(sentences))]
    places = list(range(len(sentences)))
    random.shuffle(places)
    shuffled = ranked([ids[place] for place in places], [sentences[place] for place in places])
    assert [ids[places[place]] for place in shuffled] == [ids[place] for place in ranked(ids, sentences)]
