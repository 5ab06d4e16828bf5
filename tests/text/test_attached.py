"""Tags and links that are only attached to a sentence are told from those that are words of it, and come back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.text.attached import parted

PARTED = [
    ("Anchor Ann Lee is leaving Norland News #SmartNews", "", "Anchor Ann Lee is leaving Norland News"),
    ("Storm hits coast #a #b https://example.org/x", "", "Storm hits coast"),
    ("please read it https://example.org/x", "", "please read it"),
    ("Storm hits the coast via @newsdesk", "", "Storm hits the coast"),
    ("#News Norland awards the contract", "#News ", "Norland awards the contract"),
    ("#news Ann Lee has been released", "#news ", "Ann Lee has been released"),
    ("Happy 240th birthday to the US #BBB", "", "Happy 240th birthday to the US"),
    ("@ann @bob the link is broken", "@ann @bob ", "the link is broken"),
    ("@ann the link is broken", "@ann ", "the link is broken"),
    ("@ann: the link is broken", "@ann: ", "the link is broken"),
    ("What a storm! #wow", "", "What a storm!"),
]
WHOLE = [
    "I can't wait for #Christmas",
    "#NYC is loud",
    "#Norland Wins The Cup",
    "@NASA launches a rocket",
    "Happy birthday to the US @USNavy",
    "so good #wow",
    "https://example.org/a",
    "#a #b #c",
    "",
]


@pytest.mark.parametrize(("text", "before", "sentence"), PARTED)
def test_what_is_only_attached_is_parted_from_the_sentence(text: str, before: str, sentence: str) -> None:
    found = parted(text)
    assert (found.before, found.sentence, found.behind) == (before, sentence, text[len(before) + len(sentence) :])


@pytest.mark.parametrize("text", WHOLE)
def test_what_may_be_a_word_of_the_sentence_stays_there(text: str) -> None:
    assert parted(text).sentence == text


@given(st.lists(st.sampled_from(["storm", "the", "Coast", "#wow", "@ann", "https://example.org/a", "via", "!"])))
def test_a_sentence_that_is_put_back_is_the_post(words: list[str]) -> None:
    text = " ".join(words)
    found = parted(text)
    assert found.before + found.sentence + found.behind == text
    once = found.put_back(found.sentence)
    assert once.split() == text.split() or len(set(words)) < len(words) or "via" in words


def test_what_a_paraphrase_has_already_does_not_come_twice() -> None:
    assert (
        parted("Ann won the cup again #sport").put_back("Ann is #Sport champion again")
        == "Ann is #Sport champion again"
    )
