"""Dictionary forms of words."""

from __future__ import annotations

import pytest

from paraloom.text.lemmas import lemmatise

LEMMAS = [
    ("en", ["storms", "were", "hitting"], ["storm", "be", "hit"]),
    ("fr", ["les", "chevaux"], ["le", "cheval"]),
    ("xx", ["storms", "were"], ["storms", "were"]),
    ("en", ["", "#tag", "https://example.org/" + "a" * 100], ["", "#tag", "https://example.org/" + "a" * 100]),
    ("en", [], []),
]


@pytest.mark.parametrize(("language", "tokens", "expected"), LEMMAS)
def test_each_token_becomes_its_dictionary_form_where_a_dictionary_knows_it(language, tokens, expected):
    assert lemmatise(tokens, language) == expected
