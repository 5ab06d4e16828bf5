"""Words that stand for each other are found by their letters, by synonyms, by vectors and by their neighbours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from paraloom.metrics.types.alignment import Likeness, align
from paraloom.metrics.types.words import words_of


class Directions:
    """Vectors of few words: those of one group point the same way, all others nowhere."""

    signature = "directions"

    def __init__(self, *groups: str) -> None:
        self.of = {word: number for number, group in enumerate(groups) for word in group.split()}
        self.dims = len(groups)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dims), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                if word in self.of:
                    row[self.of[word]] = 1
            row /= max(1.0, float(np.linalg.norm(row)))
        return rows


LINKS = [
    ("storms hit", "storm hits", {("storms", "storm", "form"), ("hit", "hits", "form")}),
    ("his decision", "he decides", set()),
    ("national decision", "nation", {("national", "nation", "derived")}),
    ("the organisation", "an organization", {("organisation", "organization", "spelling")}),
    ("Muqtada spoke", "Moqtada spoke", {("Muqtada", "Moqtada", "spelling"), ("spoke", "spoke", "same")}),
    ("twenty dogs", "20 dogs", {("twenty", "20", "same"), ("dogs", "dogs", "same")}),
    ("he didn't see", "he did not see", {("he", "he", "same"), ("didn't", "not", "form"), ("see", "see", "same")}),
]


@pytest.mark.parametrize(("left", "right", "links"), LINKS)
def test_words_are_linked_by_their_letters(left: str, right: str, links: set[tuple[str, str, str]]) -> None:
    ours, theirs = words_of(left), words_of(right)
    found = {(ours[link.left].text, theirs[link.right].text, link.kind) for link in align(ours, theirs)}
    assert links <= found
    assert bool(links) == bool(found)


def test_of_equal_words_those_go_together_whose_neighbours_do() -> None:
    left, right = words_of("old dog bites young dog"), words_of("young dog bitten by old dog")
    pairs = {(link.left, link.right) for link in align(left, right)}
    assert {(0, 4), (1, 5), (3, 0), (4, 1)} <= pairs


def test_other_words_are_linked_by_synonyms_and_vectors() -> None:
    left, right = words_of("the car hit a wall"), words_of("the automobile struck a wall")
    by_synonyms = Likeness(are_synonyms=lambda one, other: {one, other} == {"car", "automobile"})
    by_vectors = Likeness(vectors=Directions("car automobile", "hit struck"))
    assert [link.kind for link in align(left, right, by_synonyms) if link.left == 1] == ["synonym"]
    assert [link.kind for link in align(left, right, by_vectors) if link.left in (1, 2)] == ["near", "near"]
    assert not [link for link in align(left, right) if link.left in (1, 2)]


def test_a_number_is_not_near_a_word() -> None:
    left, right = words_of("paid 3"), words_of("paid some")
    assert all(link.left != 1 for link in align(left, right, Likeness(vectors=Directions("3 some"))))


@settings(max_examples=50)
@given(st.text(max_size=40), st.text(max_size=40))
def test_a_word_has_one_link_at_most(left: str, right: str) -> None:
    links = align(words_of(left), words_of(right))
    assert len({link.left for link in links}) == len({link.right for link in links}) == len(links)


@settings(max_examples=50)
@given(st.text(max_size=60))
def test_a_text_is_linked_with_itself_word_by_word(text: str) -> None:
    words = words_of(text)
    content = [place for place, word in enumerate(words) if word.is_content]
    linked = {link.left: link for link in align(words, words)}
    assert all(
        linked[place].kind == "same" and linked[place].right == place for place in content if _once(words, place)
    )


def _once(words: Sequence[object], place: int) -> bool:
    plain = [getattr(word, "plain", "") for word in words]
    return plain.count(plain[place]) == 1
