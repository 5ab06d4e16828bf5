"""Scores of a cheap and a costly identifier in, out comes which pairs the costly one must see, and what that costs.

A band is a range of cheap scores around .5: pairs inside it go to the costly identifier, the others are decided. The
wider it is, the dearer, and the nearer is F1 to that of the costly identifier alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]

MIDDLE = 0.5
EDGES = 200
"""So many places are tried for each end of a band."""
CAUTION = 2.0
"""So many standard errors of the loss are added to it."""
SHARES = (0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Cheap scores from `low` to `high`, both included, are not trusted."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= MIDDLE <= self.high <= 1:
            raise InputError(
                f"A band from {self.low} to {self.high} makes no sense: low lies between 0 and .5, high between "
                ".5 and 1."
            )

    def holds(self, cheap: Floats) -> NDArray[np.bool_]:
        """Which pairs lie inside.

        >>> Band(low=0.2, high=0.8).holds(np.array([0.1, 0.2, 0.5, 0.9])).tolist()
        [False, True, True, False]
        """
        inside: NDArray[np.bool_] = (cheap >= self.low) & (cheap <= self.high)
        return inside


@dataclass(frozen=True, slots=True, kw_only=True)
class BandPoint:
    """A band, and what is paid and got with it."""

    band: Band
    share: float
    """Of the pairs, how many the costly identifier sees."""
    cost: float
    """Time for a pair, as a multiple of what the costly identifier alone takes."""
    f1: float


def band_curve(
    cheap: Floats, costly: Floats, truth: Truth, *, relative_cost: float, shares: Sequence[float] = SHARES
) -> tuple[BandPoint, ...]:
    """For each share of pairs the band with the best F1 that sends no more to the costly identifier; each band once.

    `relative_cost` is the time the cheap one takes for a pair, as a multiple of what the costly one takes.

    >>> cheap, costly = np.array([0.1, 0.4, 0.6, 0.9]), np.array([0.0, 1.0, 0.0, 1.0])
    >>> curve = band_curve(cheap, costly, costly > 0.5, relative_cost=0.01, shares=(0.0, 0.5))
    >>> [(point.share, point.cost, point.f1) for point in curve]
    [(0.0, 0.01, 0.5), (0.5, 0.51, 1.0)]
    """
    tried = _Tried.of(cheap, costly, truth)
    points: list[BandPoint] = []
    for share in shares:
        allowed = np.where(tried.seen <= share * len(cheap), tried.f1, -1.0)
        point = tried.point(int(allowed.argmax()), len(cheap), relative_cost) if allowed.max() >= 0 else None
        if point is not None and point not in points:
            points.append(point)
    return tuple(points)


def narrowest_band(cheap: Floats, costly: Floats, truth: Truth, loss: float) -> Band:
    """The band with the fewest pairs inside whose F1 is at most `loss` below that of the costly identifier alone.

    What is lost on these pairs may be more on others, the more so as the best of many bands is chosen: two standard
    errors of it are added before it is compared.

    >>> cheap, costly = np.array([0.1, 0.4, 0.6, 0.9]), np.array([0.0, 1.0, 0.0, 1.0])
    >>> narrowest_band(cheap, costly, costly > 0.5, loss=0.1)
    Band(low=0.4, high=0.6)
    """
    tried = _Tried.of(cheap, costly, truth)
    wanted = _f1(float((truth & (costly > MIDDLE)).sum()), float((costly > MIDDLE).sum()), float(truth.sum()))
    lost = wanted - tried.f1 + CAUTION * tried.error
    enough = np.where(lost <= loss + 1e-12, tried.seen, len(cheap) + 1)
    fewest = enough.min()
    # Of bands that are as narrow the one with the best F1.
    best = int(np.where(enough == fewest, tried.f1, -1.0).argmax())
    return tried.band(best)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """Many bands, how many pairs lie in each, and the F1 of deciding those by the costly identifier."""

    lows: Floats
    highs: Floats
    seen: Floats
    f1: Floats
    error: Floats
    """Standard error of the difference from the costly identifier's F1."""

    @classmethod
    def of(cls, cheap: Floats, costly: Floats, truth: Truth) -> _Tried:
        if not len(cheap) == len(costly) == len(truth) or not truth.any():
            raise InputError(
                "A band is found on pairs that both identifiers have scored, some of them paraphrases. "
                f"Given were {len(cheap)} and {len(costly)} scores, and {int(truth.sum())} paraphrases."
            )
        order = np.argsort(cheap, kind="stable")
        ranked, taken, right = cheap[order], costly[order] > MIDDLE, truth[order]
        lows, highs = _edges(ranked[ranked <= MIDDLE]), _edges(ranked[ranked > MIDDLE])
        below = np.searchsorted(ranked, lows, "left")[:, None]
        above = np.searchsorted(ranked, highs, "right")[None, :]
        # Sums up to a place in the ranking: those of a band are differences.
        found = np.append(0, np.cumsum(taken & right))
        named = np.append(0, np.cumsum(taken))
        paraphrases = np.append(0, np.cumsum(right))
        in_all = paraphrases[-1]
        # Below the band only claims of the costly one differ, above it only what it does not claim.
        true_differing = found[below] + in_all - paraphrases[above] - (found[-1] - found[above])
        differing = named[below] + len(cheap) - above - (named[-1] - named[above])
        hits = found[above] - found[below] + in_all - paraphrases[above]
        claims = named[above] - named[below] + len(cheap) - above
        f1 = _f1(hits.astype(np.float64), claims.astype(np.float64), float(in_all))
        # By the delta method: a pair that is decided otherwise moves F1 by (2 - F1) or by F1, over this sum.
        squares = (2 - f1) ** 2 * true_differing + f1**2 * (differing - true_differing)
        lows_of, highs_of = np.broadcast_arrays(lows[:, None], highs[None, :])
        return cls(
            lows=lows_of.ravel(),
            highs=highs_of.ravel(),
            seen=np.asarray(above - below, np.float64).ravel(),
            f1=f1.ravel(),
            error=(np.sqrt(squares) / (claims + in_all)).ravel(),
        )

    def band(self, number: int) -> Band:
        return Band(low=float(self.lows[number]), high=float(self.highs[number]))

    def point(self, number: int, pairs: int, relative_cost: float) -> BandPoint:
        share = float(self.seen[number]) / pairs
        return BandPoint(band=self.band(number), share=share, cost=relative_cost + share, f1=float(self.f1[number]))


def _edges(scores: Floats) -> Floats:
    """Places to end a band on one side of the middle: at it, and at scores as far apart as makes few enough."""
    distinct = np.unique(np.append(scores, MIDDLE))
    return distinct[np.unique(np.linspace(0, len(distinct) - 1, EDGES).round().astype(np.int64))]


def _f1(hits: Floats | float, claims: Floats | float, in_all: float) -> Floats:
    return np.asarray(2 * hits / np.maximum(claims + in_all, 1))
