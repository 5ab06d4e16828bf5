"""The compiled overlap of words is that of the plain functions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.metrics.diversity.pinc import pinc_of_tokens
from paraloom.metrics.likeness.lettered import letters_of
from paraloom.pairs.word_loops import word_overlaps

texts = st.lists(st.sampled_from(["a", "b", "ab", "c", "ä", "暴"]), max_size=9).map(" ".join)


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=5))
def test_pinc_and_jaccard_are_those_of_the_plain_functions(pairs: list[tuple[str, str]]) -> None:
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    pinc, jaccard = word_overlaps(*letters_of(left), *letters_of(right))
    words = [(one.split(), other.split()) for one, other in pairs]
    assert pinc.tolist() == pytest.approx([pinc_of_tokens(*both) for both in words])
    assert jaccard.tolist() == pytest.approx([jaccard_of_tokens(*both) for both in words])
