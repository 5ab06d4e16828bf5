"""Which differences are trivial, language by language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.pairs.trivial import trivial
from paraloom.text.tokenise import words

PATTERNS = [
    ("The storm hit.", "the storm hit!", "en", "same_words"),
    ("I dag kommer han", "idag kommer han", "sv", "same_words"),
    ("Today a storm hit", "A storm hit today", "en", "word_reordering"),
    ("The storms hit", "The storm hits", "en", "inflection"),
    ("Hits the storms", "The storm hit", "en", "lemma_reordering"),
    ("Hunden skällde", "Hundar skäller", "sv", "inflection"),
    ("The storm hit", "The storm did hit", "en", None),
    ("The storm hit", "No storm hit", "en", None),
    ("wielding blades", "wielded blade", "xx", "inflection"),
    ("win", "wins", "xx", None),
    ("coastline", "coastal", "", None),
    ("storms", "stormy", "", "inflection"),
    ("", "", "en", "same_words"),
]


@pytest.mark.parametrize(("left", "right", "language", "pattern"), PATTERNS)
def test_a_trivial_difference_has_a_pattern(left: str, right: str, language: str, pattern: str | None) -> None:
    assert trivial(words(left), words(right), language) == pattern
    assert trivial(words(right), words(left), language) == pattern


@given(st.lists(st.sampled_from(["storm", "storms", "hit", "coast"]), max_size=5), st.sampled_from(["en", "xx"]))
def test_the_same_words_in_any_order_are_trivial(said: list[str], language: str) -> None:
    assert trivial(said, said, language) == "same_words"
    assert trivial(said, said[::-1], language) in ("same_words", "word_reordering")
