"""The lexical aligner links what a reader expects, by words, names and places; whatever texts it is given."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.models.aligners import Aligner, Links
from paraloom.models.aligners.lexical import LexicalAligner, LexicalOptions

READ = [
    # the same words, each beside its neighbours
    ("a b a b c", "b c a b", "b-b a-a b-b c-c"),
    ("the old ship sank near the small port", "near the small port the old ship sank", "all"),
    # as others part tokens and write marks
    ("He did n't go .", "he did not go .", "all"),
    ("`` We lost , '' she said .", '" We lost , " she said .', "all"),
    ("A -LRB- small -RRB- boat", "a ( small ) boat", "all"),
    # numbers, signs and abbreviations
    ("It sold 20 percent on Sept. 5", "it sold twenty % on September 5", "all"),
    ("paid 1,000 dollars", "paid $ 1000", "paid-paid 1,000-1000 dollars-$"),
    # names
    ("Mr Reed met Ann", "Ann met Thomas Reed", "Reed-Reed met-met Ann-Ann"),
    ("the ECB met", "the European Central Bank met", "the-the ECB-European ECB-Central ECB-Bank met-met"),
    ("the U.S. won", "the United States won", "the-the U.S.-United U.S.-States won-won"),
    ("#JaneDoe won", "Jane Doe won", "#JaneDoe-Jane #JaneDoe-Doe won-won"),
    ("thanks @realJaneDoe", "thanks Jane Doe", "thanks-thanks @realJaneDoe-Jane @realJaneDoe-Doe"),
    ("Miss Schueller sang", "Miss Shueller sang", "all"),
    ("US plans told to us", "us told US plans", "US-US plans-plans told-told"),
    # compounds, other forms, other words
    ("the round table met", "the roundtable met", "the-the round-roundtable table-roundtable met-met"),
    ("storms kept hitting towns", "a storm has hit a town", "storms-storm hitting-hit towns-town"),
    ("he bought a car", "he purchased an automobile", "he-he bought-purchased a-an car-automobile"),
]


@cache
def aligner() -> LexicalAligner:
    return LexicalAligner.load()


def in_words(left: str, right: str, links: Links) -> list[str]:
    ours, theirs = left.split(), right.split()
    return [f"{ours[one]}-{theirs[other]}" for one, other in links]


@pytest.mark.parametrize(("left", "right", "expected"), READ)
def test_links_are_those_a_reader_draws(left: str, right: str, expected: str) -> None:
    (links,) = aligner().align([(left.split(), right.split())])
    if expected == "all":
        assert len(links) == len(left.split()) == len({one for one, _ in links}) == len({other for _, other in links})
    else:
        assert in_words(left, right, links) == expected.split()


@pytest.mark.parametrize(("left", "right", "expected"), READ)
def test_a_pair_turned_around_has_its_links_turned_around(left: str, right: str, expected: str) -> None:
    forth, back = aligner().align([(left.split(), right.split()), (right.split(), left.split())])
    assert back == tuple(sorted((other, one) for one, other in forth))


def test_equal_words_go_with_their_neighbours() -> None:
    left = ["the", "cat", "saw", "the", "dog", "and", "the", "bird"]
    right = ["the", "bird", "and", "the", "dog", "saw", "the", "cat"]
    (links,) = aligner().align([(left, right)])
    assert {(0, 6), (1, 7), (3, 3), (4, 4), (6, 0), (7, 1)} <= set(links)


def test_a_dictionary_of_synonyms_is_asked() -> None:
    pair = (["they", "saw", "the", "zib"], ["they", "saw", "the", "wug"])
    alone = LexicalAligner()
    asked = LexicalAligner(are_synonyms=lambda one, other: {one, other} == {"zib", "wug"}, synonyms="mine")
    assert (3, 3) not in alone.align([pair])[0]
    assert (3, 3) in asked.align([pair])[0]
    assert alone.signature != asked.signature
    assert "synonyms:mine" in asked.signature


def test_the_signature_tells_every_setting() -> None:
    changed = LexicalAligner.load(options=LexicalOptions(near=0.9))
    assert "near:0.9|" in changed.signature
    assert changed.signature != aligner().signature
    pair = (["he", "bought", "fish"], ["she", "purchased", "meat"])
    assert len(changed.align([pair])[0]) <= len(aligner().align([pair])[0])
    assert isinstance(changed, Aligner)


TOKEN = st.text(min_size=1, max_size=8)
SIDE = st.lists(
    TOKEN
    | st.sampled_from(["the", "storm", "storms", "hit", "U.S.", "United", "States", "#", "@", ",", ".", "20", "n't"]),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(SIDE, SIDE), max_size=4))
def test_links_lie_in_bounds_each_once_in_order_whatever_the_batch(pairs: list[tuple[list[str], list[str]]]) -> None:
    found = aligner().align(pairs)
    assert found == [aligner().align([pair])[0] for pair in pairs]
    for (left, right), links in zip(pairs, found, strict=True):
        assert list(links) == sorted(set(links))
        assert all(0 <= one < len(left) and 0 <= other < len(right) for one, other in links)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["storm", "coast", "town", "river", "bridge", "boat"]), min_size=1, max_size=10))
def test_a_text_is_linked_with_itself_along_the_diagonal(words: list[str]) -> None:
    assert aligner().align([(words, words)]) == [tuple((place, place) for place in range(len(words)))]


@pytest.mark.parametrize("pair", [([], []), (["a"], []), ([], ["a"])])
def test_nothing_is_linked_with_nothing(pair: tuple[list[str], list[str]]) -> None:
    assert aligner().align([pair]) == [()]


def test_long_texts_are_linked_too() -> None:
    words = [f"word{number}" for number in range(300)]
    assert len(aligner().align([(words, words[::-1])])[0]) == 300
