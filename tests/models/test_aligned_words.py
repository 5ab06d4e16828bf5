"""Words that correspond are found by meaning, form or spelling; what stands alone is named."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.models.identifiers.aligned_words import (
    MOST_WORDS,
    NEAR,
    AlignedWords,
    align_words,
    mutual_best,
    shipped_encoder,
    words_of,
)

ENCODER = shipped_encoder()


def pairs_of(aligned: AlignedWords) -> set[tuple[str, str]]:
    return {(aligned.left[pair.left].text, aligned.right[pair.right].text) for pair in aligned.pairs}


def test_other_words_of_the_same_meaning_correspond() -> None:
    aligned = align_words("The storm hit the coast on Monday.", "On Monday a gale struck the shore.", ENCODER)
    assert {("hit", "struck"), ("coast", "shore"), ("Monday", "Monday")} <= pairs_of(aligned)
    assert aligned.compared_by == "encoder"
    assert all(NEAR <= pair.strength <= 1 for pair in aligned.pairs if pair.kind == "meaning")


def test_a_word_that_comes_twice_meets_the_one_in_its_own_place() -> None:
    aligned = align_words("the dog bit the man", "the dog bit the man", ENCODER)
    assert [(pair.left, pair.right) for pair in aligned.pairs] == [(place, place) for place in range(5)]
    by_spelling = align_words("the dog bit the man", "the dog bit the man")
    assert [(pair.left, pair.right) for pair in by_spelling.pairs] == [(place, place) for place in range(5)]


def test_without_an_encoder_words_correspond_by_spelling_alone() -> None:
    aligned = align_words("Storms hit 2 coasts", "the storm was hitting two shores")
    assert pairs_of(aligned) == {("Storms", "storm"), ("hit", "hitting"), ("2", "two")}
    assert (aligned.only_left, aligned.only_right) == (("coasts",), ("the", "was", "shores"))
    assert aligned.compared_by == "spelling"


DIFFERENCES = [
    ("It cost 5 euros.", "It cost 7 euros.", [("number", "left", "5"), ("number", "right", "7")]),
    ("It cost 1,000 euros.", "It cost 1000 euros.", []),
    ("Three men came.", "3 men came.", []),
    ("She came.", "She did not come.", [("negation", "right", "not")]),
    ("She didn't come.", "She never came.", []),
    ("He won't leave.", "He will leave.", [("negation", "left", "won't")]),
    ("They met in Paris.", "They met in Rome.", [("name", "left", "Paris"), ("name", "right", "Rome")]),
    ("Obama's speech moved @ann.", "The speech moved people.", [("name", "left", "@ann")]),
    ("Storm Hits Coast Of Norland", "Storm hits the coast", []),  # a headline
]


@pytest.mark.parametrize(("left", "right", "found"), DIFFERENCES)
def test_numbers_names_and_negations_without_a_counterpart_are_pointed_out(
    left: str, right: str, found: list[tuple[str, str, str]]
) -> None:
    differences = align_words(left, right).differences
    assert [(one.what, one.side, one.word) for one in differences] == found


def test_what_stands_in_its_place_is_told() -> None:
    five, seven = align_words("It cost 5 euros.", "It cost 7 euros.", ENCODER).differences
    assert (five.instead, seven.instead) == ("7", "5")


def test_a_long_text_is_compared_as_far_as_it_goes() -> None:
    aligned = align_words("storm " * 10_000, "gale " * 10_000, ENCODER)
    assert len(aligned.left) == len(aligned.right) == MOST_WORDS


TEXTS = st.one_of(
    st.lists(st.sampled_from(["the", "storm", "not", "5", "Paris", "!!", "🙂", "嵐", "@ann"]), max_size=8).map(
        " ".join
    ),
    st.text(max_size=12),
)


@given(TEXTS, TEXTS)
def test_the_order_of_the_texts_turns_the_answer_and_no_more(left: str, right: str) -> None:
    one, other = align_words(left, right), align_words(right, left)
    assert {(pair.left, pair.right) for pair in one.pairs} == {(pair.right, pair.left) for pair in other.pairs}
    assert one.only_left == other.only_right


@settings(max_examples=25)
@given(TEXTS, TEXTS)
def test_any_two_texts_can_be_aligned_by_the_encoder(left: str, right: str) -> None:
    aligned = align_words(left, right, ENCODER)
    lefts, rights = [pair.left for pair in aligned.pairs], [pair.right for pair in aligned.pairs]
    assert len(set(lefts)) == len(lefts)
    assert len(set(rights)) == len(rights)
    assert len(aligned.only_left) + len(lefts) == len(aligned.left)


@given(TEXTS)
def test_words_lie_where_they_say(text: str) -> None:
    for word in words_of(text):
        assert text[word.start : word.start + len(word.text)] == word.text


def test_nothing_corresponds_to_nothing() -> None:
    assert align_words("", "", ENCODER).pairs == ()
    import numpy as np

    assert mutual_best(np.zeros((0, 3))) == []
