"""Names, numbers, links, tags, quoted text and negation are told from words that may be touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.models.generators.lexical.words import article_for, joined, read_words

TOUCHED = [
    ("The storm hit the coast", "The storm hit the coast"),
    ("the storm hit New York on Monday", "the storm hit on"),
    ("he paid $3.5M for 2 cars @ann #luck https://example.org/a", "he paid for cars"),
    ('they said "the big storm" is near', "they said is near"),
    ("they said “the big storm” is near", "they said is near"),
    ("it's not big, never was and isn't now", "it's big was and now"),
    ("one man bought twenty cars tonight", "man bought cars"),
    ("Big Storm Hits The Coast Of Spain", ""),
    ("STORM HITS COAST AGAIN", ""),
    ("the naïve iPhone user", "the user"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "touched"), TOUCHED)
def test_only_plain_words_may_be_touched(text: str, touched: str) -> None:
    assert " ".join(word.text for word in read_words(text) if not word.is_kept) == touched


@given(st.text())
def test_words_joined_are_the_text_but_for_space_at_its_end(text: str) -> None:
    words = read_words(text)
    assert joined([(word.before, word.text) for word in words]) == text[: len(text.rstrip()) if words else 0]


@pytest.mark.parametrize(
    ("word", "article"), [("old", "an"), ("year", "a"), ("useful", "a"), ("heir", "an"), ("unhappy", "an")]
)
def test_an_article_follows_the_sound(word: str, article: str) -> None:
    assert article_for(word) == article
