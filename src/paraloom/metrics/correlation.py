"""Two columns of numbers in, how far they go together out: Pearson, Spearman and Kendall, ties and all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, erfc, exp, factorial, lgamma, log, log1p, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from paraloom.errors import InputError
from paraloom.metrics.significance import (
    LEVEL,
    RESAMPLES,
    SEED,
    Interval,
    check_resampling,
    drawn_again,
    percentile_interval,
)

Method = Literal["pearson", "spearman", "kendall"]
Floats = NDArray[np.float64]
OfWeights = Callable[[NDArray[np.int64]], float]
"""How often each item counts in, a correlation out; nan where one side is constant."""

_EXACT_ITEMS = 33
"""Up to so many items without ties, Kendall's p-value is counted and not approximated (as in scipy)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """How far two columns of numbers go together, from -1 to 1."""

    method: Method
    value: float
    p_value: float
    """Two-sided: how often columns that have nothing to do with each other would go together as much."""
    items: int


def pearson(left: ArrayLike, right: ArrayLike) -> Correlation | None:
    """Of the values themselves. None where one side is constant or there are fewer than two items.

    >>> round(pearson([1, 2, 3, 4], [1, 3, 2, 4]).value, 4)
    0.8
    >>> pearson([1, 1, 1], [1, 2, 3])
    """
    return _with_student_p("pearson", *_checked(left, right))


def spearman(left: ArrayLike, right: ArrayLike) -> Correlation | None:
    """Pearson's of the ranks, where equal values share the mean of their ranks (Spearman, 1904).

    >>> spearman([1, 2, 3, 4], [1, 10, 100, 1000]).value
    1.0
    """
    return _with_student_p("spearman", *_checked(left, right))


def kendall(left: ArrayLike, right: ArrayLike) -> Correlation | None:
    """Tau-b: pairs of items in the same order less pairs in the other order, with allowance for ties (Kendall, 1945).

    >>> round(kendall([1, 2, 3, 4], [1, 3, 2, 4]).value, 4)
    0.6667
    """
    one, other = _checked(left, right)
    orders = _orders(one, other)
    if orders.tau is None:
        return None
    return Correlation(method="kendall", value=orders.tau, p_value=_kendall_p(orders), items=len(one))


METHODS: dict[str, Callable[[ArrayLike, ArrayLike], Correlation | None]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def correlation_interval(
    left: ArrayLike,
    right: ArrayLike,
    method: Method = "spearman",
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Interval | None:
    """The percentile bootstrap over items; None where there is no correlation.

    >>> interval = correlation_interval(range(20), [*range(10), *range(20, 10, -1)])
    >>> interval.low < spearman(range(20), [*range(10), *range(20, 10, -1)]).value < interval.high
    True
    """
    if method not in METHODS:
        raise InputError(f"There is no correlation called {method!r}. Choose one of {', '.join(METHODS)}.")
    check_resampling(resamples, level, seed)
    one, other = _checked(left, right)
    if len(one) < 2:
        return None
    of_weights = _PREPARED[method](one, other)
    random = np.random.default_rng(seed)
    values = np.array([of_weights(drawn_again(random, len(one))) for _ in range(resamples)])
    return percentile_interval(values, level, seed)


def ranks(values: ArrayLike) -> Floats:
    """From 1 for the smallest; equal values share the mean of their ranks.

    >>> ranks([10, 30, 10, 20]).tolist()
    [1.5, 4.0, 1.5, 3.0]
    """
    _, places, counts = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    return _mean_ranks(counts)[places]


def _checked(left: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    one, other = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if one.ndim != 1 or one.shape != other.shape:
        raise InputError(
            f"A correlation needs two columns of one length, not of shape {one.shape} and {other.shape}. "
            "Give one number of each kind an item."
        )
    for side, values in (("left", one), ("right", other)):
        if len(bad := np.flatnonzero(~np.isfinite(values))):
            raise InputError(f"Item {bad[0] + 1} of the {side} column is {values[bad[0]]}. Leave such items out.")
    return one, other


def _mean_ranks(counts: NDArray[np.int64] | Floats) -> Floats:
    """The rank that all of a group of equal values share, for groups in ascending order."""
    return np.asarray(np.cumsum(counts) - (counts - 1) / 2)


def _pearson_of(left: Floats, right: Floats) -> OfWeights:
    left, right = _in_reach(left), _in_reach(right)
    one, other = left - left.mean(), right - right.mean()  # so that large numbers lose no digits

    def of_weights(weights: NDArray[np.int64]) -> float:
        return _weighted_pearson(one, other, weights)

    return of_weights


def _in_reach(values: Floats) -> Floats:
    """The values times a power of two, which changes no digit: squares of very large or small ones are no numbers."""
    exponent = int(np.frexp(np.abs(values).max())[1]) if len(values) else 0
    return np.asarray(np.ldexp(values, -exponent)) if abs(exponent) > 300 else values


def _spearman_of(left: Floats, right: Floats) -> OfWeights:
    """Sorted once: in a resample only the sizes of the groups of equal values change."""
    one, other = (np.unique(side, return_inverse=True)[1] for side in (left, right))

    def of_weights(weights: NDArray[np.int64]) -> float:
        ranked = [_mean_ranks(np.bincount(side, weights))[side] - len(left) / 2 for side in (one, other)]
        return _weighted_pearson(ranked[0], ranked[1], weights)

    return of_weights


def _kendall_of(left: Floats, right: Floats) -> OfWeights:
    def of_weights(weights: NDArray[np.int64]) -> float:
        drawn = np.repeat(np.arange(len(weights)), weights)
        tau = _orders(left[drawn], right[drawn]).tau
        return float("nan") if tau is None else tau

    return of_weights


_PREPARED: dict[str, Callable[[Floats, Floats], OfWeights]] = {
    "pearson": _pearson_of,
    "spearman": _spearman_of,
    "kendall": _kendall_of,
}


def _weighted_pearson(left: Floats, right: Floats, weights: NDArray[np.int64]) -> float:
    drawn = weights > 0
    if np.ptp(left[drawn]) == 0 or np.ptp(right[drawn]) == 0:
        return float("nan")
    total = weights.sum()
    one, other = left - weights @ left / total, right - weights @ right / total
    value = (weights * one) @ other / sqrt((weights * one) @ one) / sqrt((weights * other) @ other)
    return float(np.clip(value, -1.0, 1.0))


def _with_student_p(method: Method, left: Floats, right: Floats) -> Correlation | None:
    items = len(left)
    if items < 2:
        return None
    value = _PREPARED[method](left, right)(np.ones(items, dtype=np.int64))
    if np.isnan(value):
        return None
    # Student's t with items - 2 degrees of freedom, in the form that needs no division by 1 - value².
    p_value = 1.0 if items == 2 else _incomplete_beta((items - 2) / 2, 0.5, (1 - value) * (1 + value))
    return Correlation(method=method, value=value, p_value=p_value, items=items)


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's way of evaluating one).

    >>> round(_incomplete_beta(2, 3, 0.4), 4)
    0.5248
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly, that of the other tail does not
        return 1 - _incomplete_beta(b, a, 1 - x)
    tiny = 1e-300
    fraction, upper, lower = 1.0, 1.0, 0.0
    for step in range(10_000):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / ((1 + term * lower) or tiny)
        upper = (1 + term / upper) or tiny
        fraction *= upper * lower
        if step and abs(1 - upper * lower) < 1e-15:
            break
    factor = exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b)) / a
    return factor * (fraction - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Orders:
    """How pairs of items are ordered by two columns."""

    items: int
    pairs: int
    tied_left: int
    tied_right: int
    discordant: int
    concordant_less_discordant: int
    left_ties: tuple[int, ...]
    """Sizes of the groups of equal values, those of one left out."""
    right_ties: tuple[int, ...]

    @property
    def tau(self) -> float | None:
        if self.pairs in (self.tied_left, self.tied_right):
            return None
        free = sqrt(self.pairs - self.tied_left) * sqrt(self.pairs - self.tied_right)
        return max(-1.0, min(1.0, self.concordant_less_discordant / free))


def _orders(left: Floats, right: Floats) -> _Orders:
    """Without looking at every pair (Knight, 1966): sort by the left, then count inversions of the right."""
    order = np.lexsort((right, left))
    one, other = (np.unique(side, return_inverse=True)[1][order] for side in (left, right))
    left_ties, right_ties = _group_sizes(one), _group_sizes(other)
    both_ties = _group_sizes(one * (len(other) + 1) + other)
    pairs, tied_left, tied_right = comb(len(left), 2), _pairs_within(left_ties), _pairs_within(right_ties)
    discordant = _inversions(other)
    return _Orders(
        items=len(left),
        pairs=pairs,
        tied_left=tied_left,
        tied_right=tied_right,
        discordant=discordant,
        concordant_less_discordant=pairs - tied_left - tied_right + _pairs_within(both_ties) - 2 * discordant,
        left_ties=left_ties,
        right_ties=right_ties,
    )


def _group_sizes(codes: NDArray[np.int64]) -> tuple[int, ...]:
    sizes = np.unique(codes, return_counts=True)[1]
    return tuple(sizes[sizes > 1].tolist())


def _pairs_within(sizes: Sequence[int]) -> int:
    return sum(comb(size, 2) for size in sizes)


def _inversions(codes: NDArray[np.int64]) -> int:
    """Pairs where the earlier is larger, bit by bit: two codes differ first at one bit, and 1 must not come before 0.

    >>> _inversions(np.array([2, 0, 1, 1]))
    3
    """
    found = 0
    highest = int(codes.max()).bit_length() if len(codes) else 0
    for bit in range(highest):
        prefix = codes >> (bit + 1)
        order = np.argsort(prefix, kind="stable")
        prefix, ones = prefix[order], (codes[order] >> bit) & 1
        before = np.cumsum(ones)
        starts = np.flatnonzero(np.diff(prefix, prepend=-1))
        begun = np.repeat(before[starts] - ones[starts], np.diff(np.append(starts, len(codes))))
        found += int(((before - begun) * (1 - ones)).sum())
    return found


def _kendall_p(orders: _Orders) -> float:
    untied = not orders.left_ties and not orders.right_ties
    rarer = min(orders.discordant, orders.pairs - orders.discordant)
    if untied and (orders.items <= _EXACT_ITEMS or rarer <= 1):
        return _share_of_orders(orders.items, rarer)
    n = orders.items
    cubic = [sum(size * (size - 1) * (2 * size + 5) for size in ties) for ties in (orders.left_ties, orders.right_ties)]
    triple = [sum(size * (size - 1) * (size - 2) for size in ties) for ties in (orders.left_ties, orders.right_ties)]
    variance = (n * (n - 1) * (2 * n + 5) - cubic[0] - cubic[1]) / 18
    variance += 2 * orders.tied_left * orders.tied_right / (n * (n - 1))
    variance += triple[0] * triple[1] / (9 * n * (n - 1) * (n - 2))
    return erfc(abs(orders.concordant_less_discordant) / sqrt(variance) / sqrt(2))


def _share_of_orders(items: int, inversions: int) -> float:
    """Of all orders of so many items, those with at most so many inversions, and as many at the other end.

    >>> _share_of_orders(3, 0) == 2 / 6
    True
    """
    if 2 * inversions == comb(items, 2):
        return 1.0
    counts = [1] + [0] * inversions
    for size in range(2, items + 1):
        sums = [0]
        for count in counts:
            sums.append(sums[-1] + count)
        counts = [sums[place + 1] - sums[max(0, place + 1 - size)] for place in range(inversions + 1)]
    return min(1.0, 2 * sum(counts) / factorial(items))
