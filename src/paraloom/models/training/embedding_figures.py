"""Vectors of held-out texts in, figures out: how often a paraphrase is found, how well others are told from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.identification.ranking import FIGURES, Ranking
from paraloom.metrics.retrieval.places import PlaceCount
from paraloom.metrics.retrieval.vectors import MILLIONTHS, DenseVectors

Figure = Literal["top-1", "mrr", "roc-auc"]
TOP, RECIPROCAL, AREA = "top-1", "mrr", "roc-auc"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldOutTexts:
    """Held-out pairs by the numbers of their texts."""

    texts: Sequence[str]
    """Each once."""
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    truth: NDArray[np.bool_]
    """Which pairs are paraphrases."""

    @classmethod
    def of(cls, left: Sequence[str], right: Sequence[str], truth: Sequence[bool]) -> HeldOutTexts:
        """Pairs of one and the same text are left out: nothing is found by finding itself."""
        kept = [place for place, (one, other) in enumerate(zip(left, right, strict=True)) if one != other]
        places: dict[str, int] = {}
        sides = [[places.setdefault(side[row], len(places)) for row in kept] for side in (left, right)]
        told = np.array([truth[row] for row in kept], np.bool_)
        if not told.any():
            raise InputError("There is no paraphrase among the held-out pairs, so nothing can be looked for. Add some.")
        return cls(texts=list(places), left=np.array(sides[0]), right=np.array(sides[1]), truth=told)

    @property
    def has_others(self) -> bool:
        """Whether there are pairs that are no paraphrases."""
        return not bool(self.truth.all())

    def figures(self, vectors: NDArray[np.float32]) -> dict[str, float]:
        """Of vectors of length 1, a row a text: top-1 and the mean reciprocal rank of each paraphrase's right text,
        looked for with the left one among all held-out texts; and where there are other pairs the area under the ROC
        curve of all pairs' cosines.

        >>> held_out = HeldOutTexts.of(["a", "b", "a"], ["c", "d", "e"], [True, True, False])
        >>> held_out.figures(np.array([[1, 0], [0, 1], [1, 0], [0.6, 0.8], [0, -1]], np.float32))
        {'top-1': 1.0, 'mrr': 1.0, 'roc-auc': 1.0}
        """
        rows = DenseVectors(np.ascontiguousarray(vectors, np.float32))
        places = PlaceCount(rows, self.left[self.truth], self.right[self.truth]).places()
        found = {TOP: float(places.within(1).mean()), RECIPROCAL: float(places.reciprocal().mean())}
        if self.has_others:
            alike = rows.similarities(rows, self.left, self.right) / MILLIONTHS
            found[AREA] = float(Ranking.of(alike, self.truth).figures()[FIGURES.index(AREA)])
        return {name: round(value, 6) for name, value in found.items()}
