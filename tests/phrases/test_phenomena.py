"""Phenomena between two texts are found by their links, whichever text stands left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.models.aligners import Links, read_links
from paraloom.phrases.phenomena import KINDS, phenomena
from paraloom.phrases.phenomena_names import NamesOfTexts
from paraloom.phrases.phenomena_order import Anchor, moved_blocks
from paraloom.phrases.phenomena_words import words_of_tokens


def found(left: str, right: str, links: str, **settings: NamesOfTexts) -> list[tuple[str, str, str]]:
    """Kinds with the words they are about."""
    ours, theirs = left.split(), right.split()
    return [
        (one.kind, " ".join(ours[place] for place in one.left), " ".join(theirs[place] for place in one.right))
        for one in phenomena(ours, theirs, read_links(links), **settings)
    ]


CASES = [
    ("the mayor said so", "the mayor told us so", "0-0 1-1 2-2 3-4", [("synonym", "said", "told")]),
    ("she took over a firm", "she replaces a firm", "0-0 1-1 3-2 4-3", [("phrasal", "took over", "replaces")]),
    ("it was a huge blunder", "it was a bad mistake", "0-0 1-1 2-2", [("phrasal", "huge blunder", "bad mistake")]),
    ("the storm hit the old town", "the storm hit the town", "0-0 1-1 2-2 3-3 5-4", [("elaboration", "old", "")]),
    ("the storm hit town", "the storm hit town , police said", "0-0 1-1 2-2 3-3", [("elaboration", "", "police said")]),
    ("the U.S. coast", "the US coast", "0-0 1-1 2-2", [("spelling", "U.S.", "US")]),
    ("we love #stormwatch", "we love storm watch", "0-0 1-1", [("spelling", "#stormwatch", "storm watch")]),
    ("twenty dogs ran", "20 dogs ran", "0-0 1-1 2-2", [("spelling", "twenty", "20")]),
    ("we all saw Jane Lee run", "we all saw her run", "0-0 1-1 2-2 3-3 4-3 5-4", [("anaphora", "Jane Lee", "her")]),
    ("we all saw Jane Lee run", "we all saw Lee run", "0-0 1-1 2-2 4-3 5-4", [("anaphora", "Jane", "")]),
    ("we all saw @janelee run", "we all saw Lee run", "0-0 1-1 2-2 3-3 4-4", [("anaphora", "@janelee", "Lee")]),
    ("we know that Shell sold oil", "we know that the company sold oil", "0-0 1-1 2-2 3-4 4-5 5-6",
     [("anaphora", "Shell", "company")]),
    ("on cold days dogs bark", "dogs bark on cold days", "0-2 1-3 2-4 3-0 4-1",
     [("reordering", "cold days", "cold days")]),
    ("The Storms hit 30 towns", "the storm hit 40 towns", "0-0 1-1 2-2 3-3 4-4", []),
    ("they are in town", "they were in the town", "0-0 1-1 2-2 3-4", []),
    ("look at this https://example.org/a", "look at this", "0-0 1-1 2-2", []),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "links", "expected"), CASES)
def test_what_differs_has_a_kind_and_its_words(
    left: str, right: str, links: str, expected: list[tuple[str, str, str]]
) -> None:
    assert found(left, right, links) == expected


def test_a_name_is_known_in_lower_case_where_other_texts_write_it_with_a_capital() -> None:
    texts = [f"we all saw Jane Lee run {times} times".split() for times in range(3)]
    names = NamesOfTexts(texts)
    case = "we all saw jane lee run", "we all saw lee run", "0-0 1-1 2-2 4-3 5-4"
    assert names.known == {"jane", "lee"}
    assert found(*case) == [("elaboration", "jane", "")]
    assert found(*case, is_known_name=names) == [("anaphora", "jane", "")]


def test_headlines_with_capitals_everywhere_tell_no_names() -> None:
    assert not words_of_tokens(["Storms", "Hit", "Northern", "Towns", "Hard"]).names
    assert words_of_tokens(["Storms", "hit", "towns", "in", "Norway", "hard"]).names == {4}


WORDS = st.sampled_from(
    [
        "storm",
        "storms",
        "hit",
        "struck",
        "the",
        "a",
        "on",
        "Monday",
        "he",
        "Jane",
        "Lee",
        ",",
        "U.S.",
        "US",
        "@jane",
        "20",
    ]
)
TEXTS = st.lists(WORDS, max_size=8)


@st.composite
def linked(draw: st.DrawFn) -> tuple[list[str], list[str], Links]:
    left, right = draw(TEXTS), draw(TEXTS)
    if not left or not right:
        return left, right, ()
    links = st.tuples(st.integers(0, len(left) - 1), st.integers(0, len(right) - 1))
    return left, right, tuple(sorted(draw(st.sets(links, max_size=8))))


@given(linked())
def test_a_pair_turned_around_has_the_same_phenomena_turned_around(
    given_pair: tuple[list[str], list[str], Links],
) -> None:
    left, right, links = given_pair
    if left == right:
        return
    turned = phenomena(right, left, tuple((other, one) for one, other in links))
    assert {(one.kind, one.left, one.right) for one in phenomena(left, right, links)} == {
        (one.kind, one.right, one.left) for one in turned
    }


@given(linked())
def test_phenomena_are_about_tokens_that_are_there_and_kinds_that_have_a_name(
    given_pair: tuple[list[str], list[str], Links],
) -> None:
    left, right, links = given_pair
    for one in phenomena(left, right, links):
        assert one.kind in KINDS
        assert one.left or one.right
        assert set(one.left) <= set(range(len(left)))
        assert set(one.right) <= set(range(len(right)))
        assert bool(one.left and one.right) or one.kind in ("elaboration", "anaphora")


@given(TEXTS)
def test_a_text_and_itself_have_no_phenomenon(text: list[str]) -> None:
    assert phenomena(text, text, tuple((place, place) for place in range(len(text)))) == ()


@given(st.permutations(range(7)))
def test_what_is_not_moved_is_in_one_order_and_as_many_as_can_be(order: list[int]) -> None:
    anchors = [Anchor(place, other) for place, other in enumerate(order)]
    moved = {anchor for block in moved_blocks(anchors) for anchor in block}
    staying = [anchor.right for anchor in anchors if anchor not in moved]
    assert staying == sorted(staying)
    longest = max(
        (mask.bit_count() for mask in range(1 << 7) if _rises([order[at] for at in range(7) if mask >> at & 1])),
        default=0,
    )
    assert len(staying) == longest


def _rises(numbers: list[int]) -> bool:
    return numbers == sorted(numbers)
