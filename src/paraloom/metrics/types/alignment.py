"""The words of two texts in, which of them stand for each other out.

Four passes, each among the words that are still alone: the same word, another form of it, a word derived from it or
spelled alike, and another word that means the same, by a dictionary of synonyms or by vectors. Of equal words those go
together whose neighbours do (after Sultan et al., 2014, who align by context alone).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.diversity.grammar.inflection import inflection
from paraloom.metrics.types.words import Word

Floats = NDArray[np.float64]
Kind = Literal["same", "form", "derived", "spelling", "synonym", "near"]

NEAR = 0.35
"""Cosine from which two other words stand for each other wherever they are."""
NEAR_IN_PLACE = 0.25
"""The same for two words with the same neighbours."""
DERIVED_PREFIX, DERIVED_SHARE = 4, 0.6
"""Letters, and share of the longer word's, that a word and one derived from it begin with."""
SPELLED_ALIKE = 0.84
"""Share of letters in common from which longer words are one in two spellings."""


class TextVectors(Protocol):
    """Turns texts into vectors of length 1, as `models.embedders.Embedder` does."""

    @property
    def signature(self) -> str:
        """What decides its vectors."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""


AreSynonyms = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """What is known of words besides their letters; nothing by default."""

    vectors: TextVectors | None = None
    are_synonyms: AreSynonyms | None = None
    """Whether two lower-case dictionary forms may mean the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Two words that stand for each other, by their numbers."""

    left: int
    right: int
    kind: Kind


def align(left: Sequence[Word], right: Sequence[Word], likeness: Likeness = Likeness()) -> tuple[Link, ...]:
    """The links between two texts, in the order of the left one; a word has one link at most.

    >>> from paraloom.metrics.types.words import words_of
    >>> left, right = words_of("The storms hit the coast"), words_of("A coast was hit by the storm")
    >>> [(left[link.left].text, right[link.right].text, link.kind) for link in align(left, right)]
    [('storms', 'storm', 'form'), ('hit', 'hit', 'same'), ('the', 'the', 'same'), ('coast', 'coast', 'same')]
    """
    found = _Links(left, right)
    found.add("same", found.where(lambda one, other: one.plain == other.plain))
    found.add("form", found.where(is_form))
    found.add("derived", found.where(is_derived))
    found.add("spelling", found.where(is_spelled_alike))
    if likeness.are_synonyms is not None:
        are_synonyms = likeness.are_synonyms
        found.add("synonym", found.where(lambda one, other: are_synonyms(one.lemma, other.lemma)))
    if likeness.vectors is not None:
        cosines = _cosines(left, right, likeness.vectors)
        comparable = found.where(lambda one, other: one.is_number == other.is_number)
        found.add("near", comparable & (cosines >= NEAR), cosines)
        found.add("near", comparable & (cosines >= NEAR_IN_PLACE) & (found.context() >= 1), cosines)
    beside = found.context() > 0
    found.add("same", found.where(lambda one, other: one.plain == other.plain, content=False) & beside)
    found.add("form", found.where(lambda one, other: one.lemma == other.lemma, content=False) & beside)
    return found.links()


class _Links:
    """Links so far, and how well the neighbours of two words go together."""

    def __init__(self, left: Sequence[Word], right: Sequence[Word]) -> None:
        self.left, self.right = left, right
        self.of_left: dict[int, tuple[int, Kind]] = {}
        self.of_right: dict[int, int] = {}
        places = (np.arange(len(left)) + 0.5) / max(1, len(left))
        others = (np.arange(len(right)) + 0.5) / max(1, len(right))
        self.apart = np.abs(places[:, None] - others[None, :])

    def where(self, holds: Callable[[Word, Word], bool], *, content: bool = True) -> NDArray[np.bool_]:
        """Which two words, both still alone and both of content or both not, something holds for."""
        found = np.zeros((len(self.left), len(self.right)), bool)
        theirs = [
            (place, word)
            for place, word in enumerate(self.right)
            if word.is_content == content and place not in self.of_right
        ]
        for one, word in enumerate(self.left):
            if word.is_content == content and one not in self.of_left:
                for other, their in theirs:
                    if holds(word, their):
                        found[one, other] = True
        return found

    def add(self, kind: Kind, allowed: NDArray[np.bool_], weight: Floats | None = None) -> None:
        """Link allowed words that are still alone, the best first: those with linked neighbours, then the nearest."""
        places = np.argwhere(allowed)
        if not len(places):
            return
        neighbours = self._same_neighbours() if kind == "same" else self.context()
        score = neighbours + (0 if weight is None else 4 * weight) - self.apart
        order = np.argsort(-score[places[:, 0], places[:, 1]], kind="stable")
        for one, other in places[order].tolist():
            if one not in self.of_left and other not in self.of_right:
                self.of_left[one] = other, kind
                self.of_right[other] = one

    def context(self) -> Floats:
        """For each two words how many of the two words before and after them are linked with each other, near first."""
        score = np.zeros((len(self.left), len(self.right)))
        for one, (other, _) in self.of_left.items():
            for step, value in ((1, 1.0), (2, 0.5), (3, 0.25)):
                for sign in (-1, 1):
                    i, j = one + sign * step, other + sign * step
                    if 0 <= i < len(self.left):
                        for k, part in ((j, 1.0), (j - sign, 0.5), (j + sign, 0.5)):
                            if 0 <= k < len(self.right):
                                score[i, k] += value * part
        return score

    def _same_neighbours(self) -> Floats:
        """The same before anything is linked: by equal words around."""
        score = np.zeros((len(self.left), len(self.right)))
        equal = np.array([[a.plain == b.plain for b in self.right] for a in self.left], float).reshape(score.shape)
        for step, value in ((1, 1.0), (2, 0.5)):
            if min(score.shape) > step:
                score[step:, step:] += value * equal[:-step, :-step]
                score[:-step, :-step] += value * equal[step:, step:]
        return score + self.context()

    def links(self) -> tuple[Link, ...]:
        return tuple(Link(left=one, right=other, kind=kind) for one, (other, kind) in sorted(self.of_left.items()))


def is_form(one: Word, other: Word) -> bool:
    return one.lemma == other.lemma or inflection(one.plain, other.plain) is not None


def is_derived(one: Word, other: Word) -> bool:
    if one.is_number or other.is_number:
        return False
    shared = _shared_prefix(one.lemma, other.lemma)
    return shared >= DERIVED_PREFIX and shared >= DERIVED_SHARE * max(len(one.lemma), len(other.lemma))


def _shared_prefix(one: str, other: str) -> int:
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))


def is_spelled_alike(one: Word, other: Word) -> bool:
    if one.is_number or other.is_number or min(len(one.plain), len(other.plain)) < 5:
        return False
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(one.plain, other.plain) >= SPELLED_ALIKE


def _cosines(left: Sequence[Word], right: Sequence[Word], vectors: TextVectors) -> Floats:
    if not left or not right:
        return np.zeros((len(left), len(right)))
    found = vectors.embed([word.plain for word in (*left, *right)]).astype(np.float64)
    return np.asarray(found[: len(left)] @ found[len(left) :].T)
