"""Captions of two versions of a film in, those that share rare words out: where the one film lies in the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SHORTEST, LONGEST = 3, 5
"""Captions share n-grams of so many characters: names, numbers, and words whatever their endings."""
OFTEN = 4
"""What more captions of one version have says nothing about their place in the film."""
LEAST = 0.1
"""Captions that are less alike, by their rare n-grams, have only a syllable in common."""


class Timed(NamedTuple):
    """When a caption is shown, in seconds, and what it says."""

    begins_at: float
    ends_at: float
    text: str


@dataclass(frozen=True, slots=True)
class Anchors:
    """Pairs of captions that may be counterparts, by the left time."""

    left: Floats
    """When the left caption of each pair begins."""
    right: Floats
    likeness: Floats

    def __len__(self) -> int:
        return len(self.left)

    def strongest(self, most: int) -> Anchors:
        """At most so many, those that are most alike; of equals the earlier."""
        kept = np.sort(np.argsort(-self.likeness, kind="stable")[:most])
        return Anchors(self.left[kept], self.right[kept], self.likeness[kept])


def find_anchors(left: Sequence[Timed], right: Sequence[Timed]) -> Anchors:
    """Captions of which each is the other's nearest by the rare n-grams they share.

    >>> left = [Timed(1, 2, "Where is Marlow?"), Timed(3, 4, "He left."), Timed(5, 6, "At 7 o'clock?")]
    >>> right = [Timed(11, 12, "Have you seen Marlow?"), Timed(15, 16, "7 o'clock already?")]
    >>> found = find_anchors(left, right)
    >>> found.left.tolist(), found.right.tolist()
    ([1.0, 5.0], [11.0, 15.0])
    """
    rows, others, likeness = _sharing(left, right) if left and right else _NONE
    best = np.zeros(len(left))
    best_of_others = np.zeros(len(right))
    np.maximum.at(best, rows, likeness)
    np.maximum.at(best_of_others, others, likeness)
    mutual = (likeness >= LEAST) & (likeness == best[rows]) & (likeness == best_of_others[others])
    rows, others, likeness = rows[mutual], others[mutual], likeness[mutual]
    order = np.lexsort((others, rows))
    return Anchors(_begins(left)[rows[order]], _begins(right)[others[order]], likeness[order])


def _begins(captions: Sequence[Timed]) -> Floats:
    return np.array([caption.begins_at for caption in captions], np.float64)


_NONE: tuple[Integers, Integers, Floats] = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def _sharing(left: Sequence[Timed], right: Sequence[Timed]) -> tuple[Integers, Integers, Floats]:
    """Left and right captions that share rare n-grams, and the part of their cosine that is due to these."""
    from paraloom.metrics.likeness.character_tfidf import BUCKETS, CharacterTfidf

    texts = [caption.text for caption in (*left, *right)]
    vectors = CharacterTfidf(shortest=SHORTEST, longest=LONGEST).vectors(texts)
    split = vectors.starts[len(left)]
    in_left = np.bincount(vectors.buckets[:split], minlength=BUCKETS)
    in_right = np.bincount(vectors.buckets[split:], minlength=BUCKETS)
    is_rare = (in_left > 0) & (in_left <= OFTEN) & (in_right > 0) & (in_right <= OFTEN)
    rare = np.flatnonzero(is_rare[vectors.buckets])
    if not len(rare):
        return _NONE
    rare = rare[np.argsort(vectors.buckets[rare], kind="stable")]  # by n-gram, in each the captions as they come
    captions = np.searchsorted(vectors.starts, rare, side="right") - 1
    buckets, weights = vectors.buckets[rare], vectors.weights[rare].astype(np.float64)
    firsts = np.flatnonzero(np.diff(buckets, prepend=-1))
    lefts, rights = in_left[buckets[firsts]], in_right[buckets[firsts]]
    places, other_places = [], []
    for one in range(OFTEN):
        for other in range(OFTEN):
            having = (lefts > one) & (rights > other)
            places.append(firsts[having] + one)
            other_places.append((firsts + lefts)[having] + other)
    place, other_place = np.concatenate(places), np.concatenate(other_places)
    pairs, found = np.unique(captions[place] * len(right) + captions[other_place] - len(left), return_inverse=True)
    shared = np.bincount(found, weights[place] * weights[other_place], minlength=len(pairs)).astype(np.float64)
    return pairs // len(right), pairs % len(right), shared.round(6)
