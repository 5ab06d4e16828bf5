"""Symmetrising links: what lies between what both directions have and what either has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.aligners import Links, read_links
from paraloom.models.aligners.symmetrise import METHODS, symmetrise

WORDS = 6

# Each target word has one source word at most, as directed aligners give them.
FORWARD = st.dictionaries(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1)).map(
    lambda left_of: tuple(sorted((left, right) for right, left in left_of.items()))
)
BACKWARD = st.dictionaries(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1)).map(
    lambda right_of: tuple(sorted(right_of.items()))
)
ANY = st.sets(st.tuples(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1))).map(lambda links: tuple(sorted(links)))


def naive(forward: Links, backward: Links, *, corners: bool, final: str) -> Links:
    """Koehn's grow-diag(-final) as published, on sets of links."""
    either, alignment = {*forward, *backward}, {*forward} & {*backward}
    neighbours = [(-1, 0), (0, -1), (1, 0), (0, 1)] + ([(-1, -1), (-1, 1), (1, -1), (1, 1)] if corners else [])

    def is_aligned(side: int, word: int) -> bool:
        return any(link[side] == word for link in alignment)

    while True:
        before = len(alignment)
        for left in range(WORDS):
            for right in range(WORDS):
                if (left, right) in alignment:
                    for down, along in neighbours:
                        new = (left + down, right + along)
                        if not (is_aligned(0, new[0]) and is_aligned(1, new[1])) and new in either:
                            alignment.add(new)
        if len(alignment) == before:
            break
    is_wanted = {"or": lambda *are: not all(are), "and": lambda *are: not any(are), "": lambda *are: False}[final]
    for direction in (forward, backward):
        for left, right in sorted(direction):
            if is_wanted(is_aligned(0, left), is_aligned(1, right)):
                alignment.add((left, right))
    return tuple(sorted(alignment))


NAIVE = [
    ("grow", False, ""),
    ("grow-diag", True, ""),
    ("grow-diag-final", True, "or"),
    ("grow-diag-final-and", True, "and"),
]


@pytest.mark.parametrize(("method", "corners", "final"), NAIVE)
@given(forward=FORWARD | ANY, backward=BACKWARD | ANY)
def test_growing_is_what_koehn_wrote_down(
    method: str, corners: bool, final: str, forward: Links, backward: Links
) -> None:
    assert symmetrise(forward, backward, method) == naive(forward, backward, corners=corners, final=final)


@given(forward=FORWARD | ANY, backward=BACKWARD | ANY)
def test_each_method_lies_between_intersection_and_union(forward: Links, backward: Links) -> None:
    found = {method: {*symmetrise(forward, backward, method)} for method in METHODS}
    assert found["intersection"] == {*forward} & {*backward}
    assert found["union"] == {*forward} | {*backward}
    assert found["intersection"] <= found["grow"] <= found["union"]
    assert found["intersection"] <= found["grow-diag"]
    assert found["grow-diag"] <= found["grow-diag-final-and"] <= found["union"]
    assert found["grow-diag"] <= found["grow-diag-final"] <= found["union"]


@given(forward=FORWARD, backward=BACKWARD)
def test_in_the_end_every_word_with_a_link_has_one(forward: Links, backward: Links) -> None:
    found = symmetrise(forward, backward, "grow-diag-final")
    for side in (0, 1):
        assert {link[side] for link in found} == {link[side] for link in (*forward, *backward)}


@pytest.mark.parametrize("method", METHODS)
@given(links=ANY)
def test_directions_that_agree_stay_as_they_are(method: str, links: Links) -> None:
    assert symmetrise(links, links, method) == links


CASES = [
    ("0-0 1-1 2-2", "0-0 1-1 1-2", "intersection", "0-0 1-1"),
    ("0-0 1-1 2-2", "0-0 1-1 1-2", "grow", "0-0 1-1 1-2 2-2"),
    ("0-0 1-1 2-2", "0-0 1-1", "grow", "0-0 1-1"),
    ("0-0 1-1 2-2", "0-0 1-1", "grow-diag", "0-0 1-1 2-2"),
    ("0-0 2-0 4-4", "0-0", "grow-diag", "0-0"),
    ("0-0 2-0 4-4", "0-0", "grow-diag-final", "0-0 2-0 4-4"),
    ("0-0 2-0 4-4", "0-0", "grow-diag-final-and", "0-0 4-4"),
    ("", "", "grow-diag-final", ""),
    ("3-3", "", "union", "3-3"),
]


@pytest.mark.parametrize(("forward", "backward", "method", "found"), CASES)
def test_links_are_symmetrised(forward: str, backward: str, method: str, found: str) -> None:
    assert symmetrise(read_links(forward), read_links(backward), method) == read_links(found)


def test_an_unknown_method_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="Choose: intersection, union"):
        symmetrise(((0, 0),), (), "shrink")
