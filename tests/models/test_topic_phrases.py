"""What two texts are about: the longest name they share, or the longest run of content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.models.identifiers.topic_phrases import FUNCTION_WORDS, name_words, topic_phrase, without_phrase
from paraloom.text.tokenise import words


def phrase(left: str, right: str, longest: int = 3) -> str:
    names = name_words(left) | name_words(right)
    return " ".join(topic_phrase(words(left), words(right), names, FUNCTION_WORDS, longest))


ABOUT = [
    ("Ann Lee won the prize", "the prize goes to Ann Lee", "ann lee"),
    ("ann lee won the prize", "the prize goes to Ann Lee", "ann lee"),
    ("ann lee won a prize", "that prize goes to ann lee", "ann lee"),
    ("Ann Lee in Rome", "Rome waits for Ann Lee", "ann lee"),
    ("The storm over Rome", "The sun over Rome", "rome"),
    ("storm hits", "market falls", ""),
    ("it is what it is", "it is what it is", ""),
    ("one two three four five", "one two three four five", "one two three"),
    ("Bank of England speaks", "the Bank of England", "england"),
    ("Bank Of England speaks", "the Bank Of England", "bank of england"),
    ("", "Rome", ""),
]


@pytest.mark.parametrize(("left", "right", "expected"), ABOUT)
def test_the_phrase_is_the_longest_shared_name_or_run_of_content(left: str, right: str, expected: str) -> None:
    assert phrase(left, right) == expected


TEXTS = st.lists(st.sampled_from(["Ann", "ann", "Lee", "the", "storm", "Rome", "in", "#x", "5"]), max_size=12).map(
    " ".join
)


@given(TEXTS, TEXTS, st.integers(1, 4))
def test_either_order_gives_the_same_phrase_and_both_texts_have_it(left: str, right: str, longest: int) -> None:
    found = phrase(left, right, longest)
    assert found == phrase(right, left, longest)
    assert len(found.split()) <= longest
    for text in (left, right):
        assert f" {found} " in f" {' '.join(words(text))} " or not found


def test_a_text_that_repeats_itself_is_read_quickly() -> None:
    assert phrase("storm " * 200, "storm " * 199) == "storm storm storm"


LEFT_OUT = [
    ("ann lee won", ["ann", "lee"], ["won"]),
    ("ann lee and ann lee", ["ann", "lee"], ["and"]),
    ("ann and lee", ["ann", "lee"], ["ann", "and", "lee"]),
    ("#annlee won", ["ann", "lee"], ["won"]),
    ("zbo scores", ["z-bo"], ["scores"]),
    ("ann lee", [], ["ann", "lee"]),
    ("😀 !", ["!"], ["😀"]),
]


@pytest.mark.parametrize(("text", "given_phrase", "kept"), LEFT_OUT)
def test_a_phrase_is_left_out_wherever_it_stands(text: str, given_phrase: list[str], kept: list[str]) -> None:
    assert without_phrase(text.split(), given_phrase) == kept
