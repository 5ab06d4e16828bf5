"""Scores of pairs and the truth in, how well paraphrases are ranked before other pairs out, at no one threshold.

Pairs of one score are taken together: their order among themselves is chance, and no figure here depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.identification.decisions import check_scores
from paraloom.metrics.significance import (
    LEVEL,
    RESAMPLES,
    SEED,
    Comparison,
    Groups,
    Interval,
    check_resampling,
    drawn_again,
    numbered,
    percentile_interval,
)

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]

FIGURES = ("max-f1", "average-precision", "roc-auc")
"""What a ranking is measured by, in this order wherever figures stand in one array."""

_CELLS = 2_000_000
"""Weights held at once, so that memory stays at some tens of megabytes however many pairs there are."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Pairs sorted by their score, the highest first, once for all the weights they may be given."""

    order: NDArray[np.int64]
    truth: Truth
    """Of the pairs in that order."""
    ends: NDArray[np.int64]
    """The last place of each distinct score: where the ranking may be cut."""
    scores: Floats
    """The distinct scores, the highest first."""

    @classmethod
    def of(cls, scores: Floats, truth: Truth) -> Ranking:
        """Sort pairs; there must be some of both kinds."""
        check_scores(scores, truth)
        if truth.all() or not truth.any():
            kind = "only paraphrases" if truth.all() else "no paraphrase"
            raise InputError(
                f"The labels hold {kind}: nothing can be ranked before anything. Give pairs of both kinds."
            )
        order = np.argsort(-scores, kind="stable")
        ranked = scores[order]
        ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
        return cls(order, truth[order], ends, ranked[ends])

    def figures(self, weights: Floats | None = None) -> Floats:
        """Max F1, average precision and the area under the ROC curve: weights (…, pairs) in, figures (…, 3) out.

        Average precision is the sum of precisions, each weighed by the recall that it adds (as in scikit-learn; no
        interpolation). A draw without a pair of one kind has no figure: NaN.

        >>> Ranking.of(np.array([0.1, 0.4, 0.6, 0.9]), np.array([False, True, False, True])).figures().round(3).tolist()
        [0.8, 0.833, 0.75]
        """
        found, taken = self._cut(weights)
        others = taken - found
        with np.errstate(invalid="ignore", divide="ignore"):
            all_found, all_others = found[..., -1], others[..., -1]
            f1 = (2 * found / (taken + all_found[..., None])).max(-1)
            precision = np.divide(found, taken, out=np.zeros_like(found), where=taken > 0)
            steps = np.diff(found, axis=-1, prepend=0)
            average = (steps * precision).sum(-1) / all_found
            below = (np.diff(others, axis=-1, prepend=0) * (found - steps / 2)).sum(-1)
            figures = np.stack([f1, average, below / (all_found * all_others)], axis=-1)
        figures[(all_found <= 0) | (all_others <= 0)] = np.nan
        return np.asarray(figures)

    def curve(self) -> tuple[Floats, Floats, Floats]:
        """Precision and recall of the pairs at or above each distinct score, from the highest; and these scores.

        >>> precision, recall, scores = Ranking.of(np.array([0.9, 0.5, 0.5]), np.array([True, True, False])).curve()
        >>> precision.round(2).tolist(), recall.tolist(), scores.tolist()
        ([1.0, 0.67], [0.5, 1.0], [0.9, 0.5])
        """
        found, taken = self._cut(None)
        return found / taken, found / found[-1], self.scores

    def _cut(self, weights: Floats | None) -> tuple[Floats, Floats]:
        """Weight of the paraphrases, and of all pairs, down to each place where the ranking may be cut."""
        weighed = np.ones(len(self.order)) if weights is None else np.asarray(weights)[..., self.order]
        return np.cumsum(weighed * self.truth, -1)[..., self.ends], np.cumsum(weighed, -1)[..., self.ends]


def resampled_figures(
    rankings: Sequence[Ranking], *, groups: Groups | None = None, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Floats]:
    """The figures of several rankings of the same pairs over the same draws with replacement: (resamples, 3) each.

    Where pairs come in groups, groups are drawn whole; of one group alone nothing can be drawn, and all is NaN.
    """
    check_resampling(resamples, seed=seed)
    random = np.random.default_rng(seed)
    pairs = len(rankings[0].order)
    group_of = np.arange(pairs) if groups is None else numbered(groups, pairs)
    count = int(group_of.max()) + 1
    if count == 1:
        return [np.full((resamples, len(FIGURES)), np.nan) for _ in rankings]
    at_once = max(1, _CELLS // pairs)
    found: list[list[Floats]] = [[] for _ in rankings]
    for start in range(0, resamples, at_once):
        draws = [drawn_again(random, count)[group_of] for _ in range(min(at_once, resamples - start))]
        weights = np.stack(draws).astype(np.float64)
        for figures, ranking in zip(found, rankings, strict=True):
            figures.append(ranking.figures(weights))
    return [np.concatenate(figures) for figures in found]


def intervals_of(resampled: Floats, *, level: float = LEVEL, seed: int = SEED) -> dict[str, Interval | None]:
    """The percentile interval of each figure; None where no resample had a value."""
    return {name: percentile_interval(values, level, seed) for name, values in zip(FIGURES, resampled.T, strict=True)}


def compare_resampled(
    ours: Floats, other: Floats, resampled_ours: Floats, resampled_other: Floats, *, seed: int = SEED
) -> list[Comparison]:
    """The paired bootstrap of `significance.compare` for figures that are no sums over pairs, one after the other.

    >>> scores, truth = np.array([0.1, 0.4, 0.6, 0.9]), np.array([False, True, False, True])
    >>> ranking = Ranking.of(scores, truth)
    >>> [resampled] = resampled_figures([ranking], resamples=20)
    >>> [comparison.p_value for comparison in compare_resampled(*[ranking.figures()] * 2, *[resampled] * 2)]
    [1.0, 1.0, 1.0]
    """
    found = []
    for place, name in enumerate(FIGURES):
        difference = float(ours[place] - other[place])
        drawn = resampled_ours[:, place] - resampled_other[:, place]
        drawn = drawn[np.isfinite(drawn)]
        interval = percentile_interval(drawn, LEVEL, seed)
        as_far = int((np.abs(drawn - drawn.mean()) >= abs(difference) - 1e-9).sum()) if len(drawn) else 0
        found.append(
            Comparison(
                name=name,
                ours=float(ours[place]),
                other=float(other[place]),
                difference=difference,
                p_value=(as_far + 1) / (len(drawn) + 1),
                method="bootstrap",
                low=None if interval is None else interval.low,
                high=None if interval is None else interval.high,
                resamples=len(drawn),
                seed=seed,
            )
        )
    return found
