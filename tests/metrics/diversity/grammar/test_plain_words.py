"""Plain words of odd texts: whatever stands around an apostrophe, no word is empty."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.diversity.grammar.plain_words import plain_words


@pytest.mark.parametrize("text", ["a_'s", "_'s", "'s", "_'_", "what_is_the_dog's_name", "9_'s"])
def test_an_ending_without_a_word_before_it_is_read(text: str) -> None:
    assert all(plain_words(text).forms)


@given(st.text(alphabet="as_'’ 1nt%.", max_size=12))
def test_no_word_is_empty(text: str) -> None:
    assert all(plain_words(text).forms)
