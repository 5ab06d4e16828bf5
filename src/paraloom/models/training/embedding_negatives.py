"""Texts and pairs that say the same in, texts out that are near them and do not: what an embedder must tell apart.

Near texts are the nearest neighbours among the training texts by the embedder that is to be trained. Which of them do
say the same nobody has judged, so those are left out that a judge (an identifier) does not hold for none; without a
judge those whose cosine is above .95 of that of the known paraphrase (Moreira et al., 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.models.embedders import Embedder
from paraloom.models.embedders.samples import sample_of
from paraloom.models.training.embedding_lessons import NONE

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Judge = Callable[[Sequence[str], Sequence[str]], Floats]
"""Left and right texts in, how likely each pair is a paraphrase out."""

NO_PARAPHRASE = 0.3
"""What a judge gives fewer than is none."""
TOO_NEAR = 0.95
"""Of the cosine of a pair that says the same: a text nearer than that may well say the same too."""
MOST_CANDIDATES = 100_000
"""Neighbours are looked for among so many texts at most, chosen by a hash of each."""
LOOKED_AT = 4
"""So many neighbours are looked at for each that is wanted."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NearTexts:
    """The nearest training texts of some texts, those of their own group left out."""

    of: Integers
    """Numbers of the texts whose neighbours they are, ascending."""
    numbers: Integers
    """A row for each: nearest first, NONE behind the last."""
    cosines: Floats

    def rows(self, texts: Integers) -> Integers:
        """Where these texts are among `of`."""
        return np.searchsorted(self.of, texts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HardTexts:
    """For every pair the texts that are to compete with its right one, and what was counted."""

    hard: Integers
    """A row a pair, NONE behind the last."""
    counts: Mapping[str, int]


def near_texts(vectors: NDArray[np.float32], texts: Sequence[str], of: Integers, groups: Integers, k: int) -> NearTexts:
    """The k nearest of these texts among all; exact, and the same on every machine where the vectors are."""
    from paraloom.models.neighbours.codes import learn_coder, similarities, squared_norms
    from paraloom.models.neighbours.nearest import NOBODY, nearest

    asked = np.unique(of)
    chosen = np.arange(len(texts))
    if len(texts) > MOST_CANDIDATES:
        places = {text: place for place, text in enumerate(texts)}
        chosen = np.sort([places[text] for text in sample_of(texts, MOST_CANDIDATES)])
    codes = learn_coder(vectors).encode(vectors)
    # Behind the nearest of its own group there must be k others: groups are small.
    found = nearest(codes[asked], codes[chosen], min(len(chosen), k + 1 + min(k, _largest(groups[asked]))))
    numbers = np.where(found.numbers == NOBODY, NONE, chosen[found.numbers])
    norms = squared_norms(codes)
    cosines = similarities(found.dots, norms[asked][:, None], norms[numbers])
    own = (numbers == asked[:, None]) | (groups[numbers] == groups[asked][:, None])
    numbers, cosines = _first(numbers, cosines, (numbers != NONE) & ~own, k)
    return NearTexts(of=asked, numbers=numbers, cosines=cosines)


def hard_texts(
    near: NearTexts,
    texts: Sequence[str],
    left: Integers,
    own_cosines: Floats,
    wanted: int,
    judge: Judge | None = None,
) -> HardTexts:
    """For every pair the nearest texts that do not say the same, as many as are wanted where there are so many.

    `left` are the pairs' left texts, `own_cosines` how alike each pair's two texts are.
    """
    rows = near.rows(left)
    there = near.numbers[rows] != NONE
    if judge is not None:
        is_other = (judged(near, texts, judge) < NO_PARAPHRASE)[rows]
    else:
        is_other = near.cosines[rows] < TOO_NEAR * own_cosines[:, None]
    hard, _ = _first(near.numbers[rows], near.cosines[rows], there & is_other, wanted)
    doubted = "held for paraphrases by the teacher" if judge is not None else "too near to be sure"
    return HardTexts(
        hard=hard,
        counts={
            "looked at": int(there.sum()),
            doubted: int((there & ~is_other).sum()),
            "used": int((hard != NONE).sum()),
        },
    )


def judged(near: NearTexts, texts: Sequence[str], judge: Judge) -> Floats:
    """What a judge says of every text and each of its neighbours; 1 where there is none."""
    said = np.ones(near.numbers.shape)
    there = near.numbers != NONE
    asked = np.broadcast_to(near.of[:, None], near.numbers.shape)[there]
    said[there] = judge([texts[one] for one in asked], [texts[one] for one in near.numbers[there]])
    return said


def embedded(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Vectors of all texts."""
    return np.ascontiguousarray(embedder.embed(list(texts)), np.float32)


def _largest(groups: Integers) -> int:
    """How many texts the largest of these groups has."""
    return int(np.unique(groups, return_counts=True)[1].max())


def _first(numbers: Integers, cosines: Floats, kept: NDArray[np.bool_], most: int) -> tuple[Integers, Floats]:
    """Of every row the first so many that are kept, in their order."""
    order = np.argsort(~kept, axis=1, kind="stable")[:, :most]
    still = np.take_along_axis(kept, order, 1)
    return (
        np.where(still, np.take_along_axis(numbers, order, 1), NONE),
        np.where(still, np.take_along_axis(cosines, order, 1), 0.0),
    )
