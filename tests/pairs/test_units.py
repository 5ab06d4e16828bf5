"""A document's sentences by its kind, at their exact places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.pairs.units import units

BY_KIND = [
    ("subtitle", "Gone, with the bones\nby now. Dr.\nLee knew.", ["Gone, with the bones\nby now.", "Dr.\nLee knew."]),
    ("subtitle", "- Who?\n- You. -Me? - Yes.", ["Who?", "You.", "Me?", "Yes."]),
    ("subtitle", "The...\n...end.\nMore.", ["The...\n...end.", "More."]),
    ("thread", "one line\nanother line", ["one line", "another line"]),
    (
        "article",
        "It came over the whole\nnight and went in the\nmorning. Then",
        ["It came over the whole\nnight and went in the\nmorning.", "Then"],
    ),
    ("article", "It came.\nIt went.\n\n***\n\nNobody slept", ["It came.", "It went.", "Nobody slept"]),
    ("essay", "", []),
    ("subtitle", "-\n...\n♪", []),
]


@pytest.mark.parametrize(("kind", "text", "expected"), BY_KIND)
def test_sentences_are_cut_as_the_kind_writes_them(kind: str, text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in units(text, kind)] == expected


def test_only_the_part_is_cut_and_places_count_from_the_texts_beginning() -> None:
    text = "One is here. Two is here. Three is here."
    assert [text[start:end] for start, end in units(text, "article", 13, 25)] == ["Two is here."]


@given(
    st.sampled_from(["subtitle", "article", "thread"]),
    st.text(alphabet="aBc .!?…-–\n♪é", max_size=80),
    st.integers(0, 80),
    st.integers(0, 80),
)
def test_sentences_lie_in_order_inside_the_part_and_have_no_outer_blanks(
    kind: str, text: str, start: int, end: int
) -> None:
    found = units(text, kind, start, end)
    places = [place for span in found for place in span]
    assert places == sorted(places)
    for begin, stop in found:
        assert start <= begin < stop <= end
        assert text[begin:stop] == text[begin:stop].strip()
        assert any(character.isalnum() for character in text[begin:stop])
