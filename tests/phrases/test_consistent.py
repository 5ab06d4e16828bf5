"""Phrase pairs are those that the definition allows, and no others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.phrases.consistent import phrase_spans, written_inside
from paraloom.phrases.span_loops import STRIDE
from tests.phrases.aligned_texts import Pair, pairs, spans_by_definition


@given(pair=pairs(), most=st.integers(1, 7), extended=st.booleans())
def test_what_is_found_is_what_the_definition_says_each_once(pair: Pair, most: int, extended: bool) -> None:
    left, right, links = pair
    found = phrase_spans(len(left), len(right), links, max_words=most, extend_unaligned=extended)
    assert sorted(map(tuple, found)) == sorted(spans_by_definition(len(left), len(right), links, most, extended))


CASES = [
    ("two links that cross", 2, 2, ((0, 1), (1, 0)), {(0, 1, 1, 2), (1, 2, 0, 1), (0, 2, 0, 2)}),
    ("one word for two", 1, 2, ((0, 0), (0, 1)), {(0, 1, 0, 2)}),
    ("a word without a link stays out at the edge", 2, 1, ((0, 0),), {(0, 1, 0, 1)}),
    ("and is in where links are around it", 3, 2, ((0, 0), (2, 1)), {(0, 1, 0, 1), (2, 3, 1, 2), (0, 3, 0, 2)}),
    ("no link, no phrase", 3, 3, (), set()),
]


@pytest.mark.parametrize(("what", "left", "right", "links", "expected"), CASES)
def test_known_cases(what: str, left: int, right: int, links: tuple, expected: set) -> None:
    assert set(map(tuple, phrase_spans(left, right, links))) == expected


def test_a_phrase_has_seven_words_at_most() -> None:
    links = tuple((place, place) for place in range(9))
    found = phrase_spans(9, 9, links)
    assert max(span.left_end - span.left_start for span in found) == 7
    assert len(found) == sum(9 - length for length in range(7))


@pytest.mark.parametrize(("left", "right", "links", "most"), [(1, 1, ((0, 1),), 7), (1, 1, (), 0), (1, 1, (), 8)])
def test_what_cannot_be_is_refused(left: int, right: int, links: tuple, most: int) -> None:
    with pytest.raises(InputError, match=r"There is a link|max_words is"):
        phrase_spans(left, right, links, max_words=most)


@given(links=st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6))))
def test_links_that_are_bits_are_written_in_order(links: set[tuple[int, int]]) -> None:
    bits = sum(1 << (STRIDE * i + j) for i, j in links)
    assert written_inside(bits) == " ".join(f"{i}-{j}" for i, j in sorted(links))
