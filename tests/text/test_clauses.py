"""A sentence is cut into clauses, and nothing else is lost than what separates them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.text.clauses import MOST_CLAUSES, clauses

CUT = [
    ("The storm came", ["The storm came"]),
    ("The storm came, and it went; nobody slept", ["The storm came", "and it went", "nobody slept"]),
    ("It came and went", ["It came", "and went"]),
    ("Vi gick hem men hon stannade", ["Vi gick hem", "men hon stannade"]),
    ("Wait – not yet: now", ["Wait", "not yet", "now"]),
    ("Well...you know", ["Well", "you know"]),
    ("a well-known 3,000 at 7:30", ["a well-known 3,000 at 7:30"]),
    ("天气很好，我们去散步", ["天气很好", "我们去散步"]),
    ("", []),
]


@pytest.mark.parametrize(("text", "expected"), CUT)
def test_a_sentence_is_cut_where_a_clause_begins(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in clauses(text, 0, len(text))] == expected


def test_only_the_part_between_the_places_is_cut() -> None:
    text = "no, this, not"
    assert clauses(text, 4, 8) == [(4, 8)]


def test_a_long_list_is_left_whole() -> None:
    text = ", ".join("abcdefghijkl")
    assert clauses(text, 0, len(text)) == [(0, len(text))]


@given(st.text(alphabet="ab ,;:-–…. and", max_size=60))
def test_clauses_lie_in_order_within_the_text(text: str) -> None:
    found = clauses(text, 0, len(text))
    assert len(found) <= MOST_CLAUSES + 1
    places = [place for clause in found for place in clause]
    assert places == sorted(places)
    assert all(start < end for start, end in found)
