"""Lexical similarities and an identifier's confidences in, safe negatives and safe positives out.

Kanerva et al. (2023, section 7.2). Also the search they did by eye: the bounds that take most candidates while a wanted
share of those taken is right. A lower end of the estimate must reach it, not the estimate itself: the best of many
bounds is partly the luckiest, and of few judged pairs all being right proves little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.regions.estimates import weighted_share
from paraloom.pairs.region_options import RegionOptions

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
Strata = NDArray[np.int64]

STEPS = 20
"""Bounds of similarity that a search tries: every .05."""
QUANTILES = 200
"""Bounds of confidence that a search tries, as many as there are values up to this."""
PLACES = 6
SURE = 0.8
"""Level of the estimate whose lower end must reach the wanted precision: 9 of 10 such ends lie below the truth."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Candidates, each with its numbers."""

    similarity: Floats
    """Lexical."""
    negative: Floats
    """The identifier's confidence that it is no paraphrase."""
    positive: Floats
    """That it is one."""

    def __len__(self) -> int:
        return len(self.similarity)

    def __getitem__(self, rows: Truths) -> Scored:
        return Scored(self.similarity[rows], self.negative[rows], self.positive[rows])


def negatives(scored: Scored, options: RegionOptions = RegionOptions()) -> Truths:
    """Which candidates lie in the region of negatives.

    >>> numbers = Scored(np.array([0.05, 0.3, 0.3]), np.array([0.1, 0.5, 0.1]), np.array([0.9, 0.5, 0.9]))
    >>> negatives(numbers).tolist()
    [True, True, False]
    """
    return np.asarray((scored.similarity < options.max_similarity) | (scored.negative > options.min_confidence))


def positives(scored: Scored, options: RegionOptions = RegionOptions()) -> Truths:
    """Which candidates lie in the region of positives, and not in that of negatives.

    >>> numbers = Scored(np.array([0.8, 0.8, 0.3]), np.array([0.0, 0.1, 0.0]), np.array([0.999, 0.9, 0.999]))
    >>> positives(numbers).tolist()
    [True, False, False]
    """
    inside = (scored.similarity > options.positive_similarity) & (scored.positive >= options.positive_confidence)
    return np.asarray(inside & ~negatives(scored, options))


def reasons(scored: Scored, options: RegionOptions = RegionOptions()) -> list[str | None]:
    """Why each candidate was taken, in figures; None where it was not.

    >>> numbers = Scored(np.array([0.05, 0.8, 0.3]), np.array([0.5, 0.0, 0.1]), np.array([0.5, 0.999, 0.9]))
    >>> reasons(numbers)
    ['similarity<0.1 confidence>0.4', 'similarity>0.5 confidence>=0.998', None]
    """
    unlike = (scored.similarity < options.max_similarity).tolist()
    unsaid = (scored.negative > options.min_confidence).tolist()
    alike = f"similarity>{options.positive_similarity:g} confidence>={options.positive_confidence:g}"
    names = (f"similarity<{options.max_similarity:g}", f"confidence>{options.min_confidence:g}")
    return [
        " ".join(name for name, holds in zip(names, both, strict=True) if holds) or (alike if is_positive else None)
        for *both, is_positive in zip(unlike, unsaid, positives(scored, options).tolist(), strict=True)
    ]


def best_negatives(
    scored: Scored, is_paraphrase: Truths, weights: Floats, wanted: float, strata: Strata | None = None
) -> RegionOptions | None:
    """The bounds for negatives that surely have the wanted precision and take most; None where none has."""
    options = (
        RegionOptions(max_similarity=similarity, min_confidence=confidence)
        for similarity in _similarities()
        for confidence in _confidences(scored.negative)
    )
    return _best(options, lambda one: negatives(scored, one), ~is_paraphrase, weights, wanted, strata)


def best_positives(
    scored: Scored, is_paraphrase: Truths, weights: Floats, wanted: float, strata: Strata | None = None
) -> RegionOptions | None:
    """The bounds for positives that surely have the wanted precision and take most; None where none has."""
    no_negatives = RegionOptions(max_similarity=0.0, min_confidence=1.0)
    options = (
        replace(no_negatives, positive_similarity=similarity, positive_confidence=confidence)
        for similarity in _similarities()
        for confidence in _confidences(scored.positive)
    )
    return _best(options, lambda one: positives(scored, one), is_paraphrase, weights, wanted, strata)


def _best(
    options: Iterable[RegionOptions],
    inside: Callable[[RegionOptions], Truths],
    is_right: Truths,
    weights: Floats,
    wanted: float,
    strata: Strata | None,
) -> RegionOptions | None:
    best, most = None, 0.0
    for one in options:
        taken = inside(one)
        weight = float(weights[taken].sum())
        if weight > most and weighted_share(is_right, weights, SURE, among=taken, strata=strata).low >= wanted:
            best, most = one, weight
    return best


def _similarities() -> list[float]:
    return [round(step / STEPS, 2) for step in range(STEPS + 1)]


def _confidences(values: Floats) -> list[float]:
    """Bounds between which the judged pairs' own values lie, 0 and 1 among them."""
    cuts = np.quantile(values, np.linspace(0, 1, min(QUANTILES, len(values)) + 1)) if len(values) else np.empty(0)
    found: list[float] = np.unique(np.round(np.concatenate([[0.0, 1.0], cuts]), PLACES)).tolist()
    return found
