"""N-grams of token lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.text.ngrams import ngrams


@given(st.lists(st.text(max_size=3), max_size=12), st.integers(1, 6))
def test_there_is_an_n_gram_at_every_place_that_has_room_for_it(tokens, n):
    found = ngrams(tokens, n)
    assert found == [tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1)]


@pytest.mark.parametrize("n", [0, -1])
def test_an_n_gram_without_length_is_refused(n):
    with pytest.raises(ValueError, match="at least 1"):
        ngrams(["a"], n)
