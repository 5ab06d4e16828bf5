"""Scores of a cheap and a costly identifier in, out comes which pairs the costly one must see, and what that costs.

A band is a range of cheap scores around .5: pairs inside it go to the costly identifier, the others are decided. The
wider it is, the dearer, and the nearer is F1 to that of the costly identifier alone. A costly identifier that may be
hurried is tried in several ways, and band and way are chosen together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
BUDGETS = (0.0, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
"""Costs that a curve has a point for."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Cheap scores from `low` to `high`, both included, are not trusted."""

    low: float
    high: float
    doubt: float | None = None
    """The way in which the costly identifier is asked: when it may end early; None leaves that to itself."""

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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Way:
    """A way to ask the costly identifier: what it says of every pair then, and what that costs."""

    scores: Floats
    costs: NDArray[np.int64]
    """Of each pair, in whole steps of work: sums of these are exact, so that equal costs are equal."""
    doubt: float | None = None

    @classmethod
    def unhurried(cls, scores: Floats) -> Way:
        """The only way to ask an identifier that reads every pair alike."""
        return cls(scores=scores, costs=np.ones(len(scores), np.int64))


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
    cheap: Floats, ways: Sequence[Way], truth: Truth, *, relative_cost: float, budgets: Sequence[float] = BUDGETS
) -> tuple[BandPoint, ...]:
    """For each budget the band and way with the best F1 that cost no more, the cheap look left out; where F1 rises.

    Budgets are shares of what asking about every pair in the first way costs, and `relative_cost` is the time the cheap
    look takes for a pair, as a multiple of what the costly identifier takes in the first way.

    >>> cheap, costly = np.array([0.1, 0.4, 0.6, 0.9]), np.array([0.0, 1.0, 0.0, 1.0])
    >>> curve = band_curve(cheap, [Way.unhurried(costly)], costly > 0.5, relative_cost=0.01, budgets=(0.0, 0.5))
    >>> [(point.share, point.cost, point.f1) for point in curve]
    [(0.0, 0.01, 0.5), (0.5, 0.51, 1.0)]
    """
    whole = max(float(ways[0].costs.sum()), 1.0)
    tried = [_Tried.of(cheap, way, ways[0].scores, truth) for way in ways]
    points: list[BandPoint] = []
    for budget in budgets:
        within = [(one, one.best(one.cost <= budget * whole + ROUNDING)) for one in tried]
        allowed = [one.point(number, len(cheap), whole, relative_cost) for one, number in within if number is not None]
        best = min(allowed, key=lambda point: (-point.f1, point.cost), default=None)
        if best is not None and (not points or best.f1 > points[-1].f1):
            points.append(best)
    return tuple(points)


def cheapest_band(cheap: Floats, ways: Sequence[Way], truth: Truth, loss: float) -> Band:
    """The band, and the way to ask, that cost least and whose F1 is at most `loss` below that of the first way alone.

    What is lost on these pairs may be more on others, the more so as the best of many bands is chosen: two standard
    errors of it are added before it is compared.

    >>> cheap, costly = np.array([0.1, 0.4, 0.6, 0.9]), np.array([0.0, 1.0, 0.0, 1.0])
    >>> cheapest_band(cheap, [Way.unhurried(costly)], costly > 0.5, loss=0.1)
    Band(low=0.4, high=0.6, doubt=None)
    """
    said = ways[0].scores > MIDDLE
    wanted = _f1(float((truth & said).sum()), float(said.sum()), float(truth.sum()))
    found: list[tuple[float, float, Band]] = []
    for way in ways:
        tried = _Tried.of(cheap, way, ways[0].scores, truth)
        enough = wanted - tried.f1 + CAUTION * tried.error <= loss + ROUNDING
        if enough.any():
            # Of bands that cost the same the one with the best F1.
            best = tried.best(enough & (tried.cost == tried.cost[enough].min()))
            if best is not None:
                found.append((float(tried.cost[best]), -float(tried.f1[best]), tried.band(best)))
    return min(found, key=lambda one: one[:2])[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """Many bands, what asking about the pairs in each costs, and the F1 of deciding those by the costly identifier."""

    way: Way
    lows: Floats
    highs: Floats
    seen: Floats
    cost: Floats
    f1: Floats
    error: Floats
    """Standard error of the difference from the F1 of the costly identifier when it is not hurried."""

    @classmethod
    def of(cls, cheap: Floats, way: Way, unhurried: Floats, truth: Truth) -> _Tried:
        if not len(cheap) == len(way.scores) == len(truth) or not truth.any():
            raise InputError(
                "A band is found on pairs that both identifiers have scored, some of them paraphrases. "
                f"Given were {len(cheap)} and {len(way.scores)} scores, and {int(truth.sum())} paraphrases."
            )
        order = np.argsort(cheap, kind="stable")
        ranked, right, taken, wanted = (
            cheap[order],
            truth[order],
            (way.scores > MIDDLE)[order],
            (unhurried > MIDDLE)[order],
        )
        lows, highs = _edges(ranked[ranked <= MIDDLE]), _edges(ranked[ranked > MIDDLE])
        below = np.searchsorted(ranked, lows, "left")[:, None]
        above = np.searchsorted(ranked, highs, "right")[None, :]
        in_all = int(right.sum())

        def under(which: NDArray[Any]) -> Floats:
            """The sum over the pairs below each band."""
            return _up_to(which).take(below)

        def inside(which: NDArray[Any]) -> Floats:
            return _up_to(which).take(above) - under(which)

        def over(which: NDArray[Any]) -> Floats:
            return float(which.sum()) - _up_to(which).take(above)

        hits = inside(taken & right) + over(right)
        claims = inside(taken) + over(np.ones(len(ranked)))
        f1 = _f1(hits, claims, float(in_all))
        # Below the band a claim is lost, above it one is made, inside it a hurried look may say otherwise.
        differing = under(wanted) + inside(wanted != taken) + over(~wanted)
        true_differing = under(wanted & right) + inside((wanted != taken) & right) + over(~wanted & right)
        # By the delta method: a pair that is decided otherwise moves F1 by (2 - F1) or by F1, over this sum.
        squares = (2 - f1) ** 2 * true_differing + f1**2 * (differing - true_differing)
        lows_of, highs_of = np.broadcast_arrays(lows[:, None], highs[None, :])
        return cls(
            way=way,
            lows=lows_of.ravel(),
            highs=highs_of.ravel(),
            seen=np.asarray(above - below, np.float64).ravel(),
            cost=inside(way.costs[order]).ravel(),
            f1=f1.ravel(),
            error=(np.sqrt(squares) / (claims + in_all)).ravel(),
        )

    def best(self, allowed: Truth) -> int | None:
        """The band with the best F1 of those allowed, the cheapest of them; None where none is."""
        if not allowed.any():
            return None
        best = np.flatnonzero(allowed & (self.f1 == self.f1[allowed].max()))
        return int(best[self.cost[best].argmin()])

    def band(self, number: int) -> Band:
        return Band(low=float(self.lows[number]), high=float(self.highs[number]), doubt=self.way.doubt)

    def point(self, number: int, pairs: int, whole: float, relative_cost: float) -> BandPoint:
        cost = relative_cost + float(self.cost[number]) / whole
        return BandPoint(
            band=self.band(number), share=float(self.seen[number]) / pairs, cost=cost, f1=float(self.f1[number])
        )


def _up_to(which: NDArray[Any]) -> Floats:
    """Sums up to each place of the ranking, none first."""
    return np.append(0.0, np.cumsum(which, dtype=np.float64))


def _edges(scores: Floats) -> Floats:
    """Places to end a band on one side of the middle: at it, and at scores as far apart as makes few enough."""
    distinct = np.unique(np.append(scores, MIDDLE))
    return distinct[np.unique(np.linspace(0, len(distinct) - 1, EDGES).round().astype(np.int64))]


def _f1(hits: Floats | float, claims: Floats | float, in_all: float) -> Floats:
    return np.asarray(2 * hits / np.maximum(claims + in_all, 1))
