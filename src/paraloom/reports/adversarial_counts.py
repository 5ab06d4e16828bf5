"""Judged attempts in, the counts of Table 2 and the distributions of figure 2 out (Nighojkar and Licato, 2021)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

BINS = 100
"""Of figure 2, over the range of the scores that were seen."""
KINDS = ("APT", "MI", "non-MI")
"""What an attempt is: passing; mutually implicative, but too alike; not mutually implicative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptCounts:
    """A row of Table 2: attempts, and the sources that have at least one attempt of a kind.

    Mutually implicative attempts include those that pass.
    """

    name: str
    attempts: int
    passing: int
    mutual: int
    not_mutual: int
    sources: int
    """With any attempt."""
    passing_sources: int
    mutual_sources: int
    not_mutual_sources: int

    def shares(self) -> dict[str, float]:
        """Of attempts and of sources, by name; none where there are no attempts.

        >>> round(PUBLISHED[0].shares()["passing_sources"], 4)
        0.7548
        """
        of_attempts = {name: getattr(self, name) for name in ("passing", "mutual", "not_mutual")}
        of_sources = {name: getattr(self, f"{name}_sources") for name in of_attempts}
        found = {name: count / self.attempts for name, count in of_attempts.items() if self.attempts}
        return found | {f"{name}_sources": count / self.sources for name, count in of_sources.items() if self.sources}

    def as_json(self) -> dict[str, Any]:
        """Counts and shares."""
        return {**asdict(self), "shares": {name: round(share, 6) for name, share in self.shares().items()}}


PUBLISHED = (
    AttemptCounts(
        name="AP_H (people)",
        attempts=5007,
        passing=2659,
        mutual=3232,
        not_mutual=1775,
        sources=1631,
        passing_sources=1231,
        mutual_sources=1338,
        not_mutual_sources=293,
    ),
    AttemptCounts(
        name="AP_T5, MSRP",
        attempts=62986,
        passing=3836,
        mutual=37511,
        not_mutual=25475,
        sources=4072,
        passing_sources=2288,
        mutual_sources=4045,
        not_mutual_sources=3115,
    ),
    AttemptCounts(
        name="AP_T5, TwitterPPDB",
        attempts=75011,
        passing=6454,
        mutual=17074,
        not_mutual=57937,
        sources=4328,
        passing_sources=3670,
        mutual_sources=4131,
        not_mutual_sources=4230,
    ),
)
"""Table 2 as printed. Of AP_H its last column counts the sources without any mutually implicative attempt; of the two
others, as here, those with at least one attempt that is not."""


def count_attempts(
    name: str, sources: Sequence[str], is_mutual: NDArray[np.bool_], passes: NDArray[np.bool_]
) -> AttemptCounts:
    """A row of the table.

    >>> counts = count_attempts("ours", ["a", "a", "b"], np.array([True, False, True]), np.array([True, False, False]))
    >>> counts.passing, counts.mutual_sources, counts.not_mutual_sources
    (1, 2, 1)
    """
    number_of: dict[str, int] = {}
    numbers = np.array([number_of.setdefault(source, len(number_of)) for source in sources], np.int64)
    return AttemptCounts(
        name=name,
        attempts=len(sources),
        passing=int(passes.sum()),
        mutual=int(is_mutual.sum()),
        not_mutual=int((~is_mutual).sum()),
        sources=len(number_of),
        passing_sources=len(np.unique(numbers[passes])),
        mutual_sources=len(np.unique(numbers[is_mutual])),
        not_mutual_sources=len(np.unique(numbers[~is_mutual])),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityBins:
    """How alike attempts of each kind are to their sources."""

    low: float
    high: float
    counts: dict[str, tuple[int, ...]]
    """By kind, in equal bins between the two."""
    means: dict[str, float | None]

    def as_json(self) -> dict[str, Any]:
        """The same as plain values."""
        return {**asdict(self), "counts": {kind: list(counts) for kind, counts in self.counts.items()}}


def similarity_bins(
    similarity: NDArray[np.float64], is_mutual: NDArray[np.bool_], passes: NDArray[np.bool_]
) -> SimilarityBins | None:
    """Figure 2; None where there are no attempts.

    >>> is_mutual, passes = np.array([False, True, True]), np.array([False, True, False])
    >>> bins = similarity_bins(np.array([-1.0, 0.41, 1.0]), is_mutual, passes)
    >>> bins.counts["APT"].index(1), bins.counts["MI"].index(1), bins.means["non-MI"]
    (70, 99, -1.0)
    """
    if not len(similarity):
        return None
    low, high = float(similarity.min()), float(similarity.max())
    chosen = dict(zip(KINDS, (passes, is_mutual & ~passes, ~is_mutual), strict=True))
    counts, means = {}, {}
    for kind, rows in chosen.items():
        found, _ = np.histogram(similarity[rows], bins=BINS, range=(low, high if high > low else low + 1.0))
        counts[kind] = tuple(found.tolist())
        means[kind] = round(float(similarity[rows].mean()), 6) if rows.any() else None
    return SimilarityBins(low=low, high=high, counts=counts, means=means)
