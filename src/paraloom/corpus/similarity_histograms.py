"""Pairs in, how alike their texts look out, in histograms for each label (Kanerva et al., 2023, figures 2 and 4).

The figure is the cosine of TF-IDF over character n-grams of lengths 2 to 4 (`metrics.likeness`), learnt from the
corpus' own texts: so it does not depend on what a corpus is compared with.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.corpus_figures import BINS, SimilarityFigures, SimilarityHistogram
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf


def similarities(model: CharacterTfidf, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
    """One cosine a pair, rounded so that every machine puts it into the same bin."""
    rows = np.arange(len(left), dtype=np.int64)
    cosines = model.vectors(left).cosines_of_rows(model.vectors(right), rows, rows)
    return np.asarray(np.clip(np.round(cosines.astype(np.float64), 6), 0.0, 1.0))


class SimilarityCounter:
    """Histograms in the making."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = {name: place for place, name in enumerate(names)}
        self._counts = np.zeros((len(names) + 1, BINS), np.int64)
        self._sums = np.zeros(len(names) + 1)

    def add(self, values: NDArray[np.float64], groups: Sequence[str], is_measured: NDArray[np.bool_]) -> None:
        """Count pairs under their labels, and those that are measured once more."""
        bins = np.minimum(np.floor(np.round(values * BINS, 6)).astype(np.int64), BINS - 1)
        rows = np.array([self._names[group] for group in groups], np.int64)
        np.add.at(self._counts, (rows, bins), 1)
        np.add.at(self._sums, rows, values)
        np.add.at(self._counts[-1], bins[is_measured], 1)
        self._sums[-1] += values[is_measured].sum()

    def result(self, measured: str) -> SimilarityFigures:
        """What was counted; labels that no pair has are left out."""
        return SimilarityFigures(
            measured=self._histogram(measured, -1),
            by_label=tuple(
                self._histogram(name, place) for name, place in self._names.items() if self._counts[place].any()
            ),
        )

    def _histogram(self, name: str, place: int) -> SimilarityHistogram:
        pairs = int(self._counts[place].sum())
        return SimilarityHistogram(
            name=name,
            counts=tuple(self._counts[place].tolist()),
            pairs=pairs,
            mean=round(float(self._sums[place]) / pairs, 6) if pairs else None,
        )
