"""Two columns of phrases in, how alike their vectors are out: each phrase is embedded once, wherever it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.models.embedders import Embedder, load_embedder

AT_ONCE = 4096
"""Phrases that are embedded at a time."""
MULTIPLIED = 65_536
"""Pairs whose vectors are multiplied at a time."""


class PhraseCosines:
    """The cosine of the vectors of two phrases.

    >>> near, far = PhraseCosines("fast").of(["hit the coast", "hit the coast"], ["struck the shore", "annual report"])
    >>> bool(near > far)
    True
    """

    def __init__(self, embedder: str | Embedder) -> None:
        self.embedder = load_embedder(embedder) if isinstance(embedder, str) else embedder

    @property
    def signature(self) -> str:
        """All that decides a number."""
        return f"cosine|{self.embedder.signature}"

    def of(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """One number a pair, from -1 to 1, with six decimals.

        Vectors are held in half precision: those of all phrases of a large table are in memory at once.
        """
        places: dict[str, int] = {}
        one, other = (
            np.fromiter((places.setdefault(phrase, len(places)) for phrase in side), np.int64, len(side))
            for side in (left, right)
        )
        phrases = list(places)
        vectors = np.empty((len(phrases), self.embedder.dims), np.float16)
        # Those of like length together: a network fills all texts of a batch up to the longest.
        order = sorted(range(len(phrases)), key=lambda number: (len(phrases[number]), phrases[number]))
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            vectors[some] = self.embedder.embed([phrases[number] for number in some])
        found = np.empty(len(one))
        for start in range(0, len(one), MULTIPLIED):
            some_pairs = slice(start, start + MULTIPLIED)
            products = vectors[one[some_pairs]].astype(np.float32) * vectors[other[some_pairs]]
            found[some_pairs] = products.sum(axis=1, dtype=np.float64)
        return found.clip(-1.0, 1.0).round(6)
