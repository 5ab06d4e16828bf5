"""Measured metrics in, intervals and comparisons out: how far a score could be chance.

Everything here resamples items, so it needs only a metric's statistics of each item and how their sums become a value.
The items of two systems are resampled together: both are judged on the same sentences. Where items come in groups (the
pairs of one trend), groups are drawn whole: drawn one by one, items that are alike would make an interval too narrow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.measured import Combine, Measured

RESAMPLES = 1000
LEVEL = 0.95
SEED = 1

Method = Literal["bootstrap", "randomisation", "sacrebleu-bootstrap"]
Floats = NDArray[np.float64]
Groups = NDArray[np.int64]
"""The number of each item's group: items of one group are drawn together."""

_CELLS = 4_000_000
"""Weights held at once, so that memory stays at some tens of megabytes however many items there are."""
_ROUNDING = 1e-9
"""Share of a value by which two sums of the same numbers, added in another order, may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Where a value lies in the middle `level` of resamples."""

    low: float
    high: float
    level: float
    resamples: int
    """How many had a value; a resample may hold only items that the metric says nothing about."""
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One metric of two systems on the same items, and how likely so large a difference is by chance alone."""

    name: str
    ours: float
    other: float
    difference: float
    """`ours - other`; whether that is good depends on which way the metric points."""
    p_value: float
    """Two-sided, and never 0: so many resamples cannot show less than one in `resamples + 1`."""
    method: Method
    low: float | None
    """Where the difference lies in the middle 95% of resamples; None where there are fewer than two items or groups."""
    high: float | None
    resamples: int
    seed: int


def group_numbers(names: Iterable[Hashable]) -> Groups:
    """Groups by their numbers, in the order in which they are first met.

    >>> group_numbers(["storm", "storm", "match", "storm"]).tolist()
    [0, 0, 1, 0]
    """
    number_of: dict[Hashable, int] = {}
    return np.array([number_of.setdefault(name, len(number_of)) for name in names], np.int64)


def bootstrap_interval(
    measured: Measured,
    *,
    groups: Groups | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Interval | None:
    """The percentile bootstrap over items (Efron, 1979; for BLEU, Koehn, 2004), or over their groups.

    None where the metric does not follow from sums over items, or there are fewer than two of them or of their groups.

    >>> from paraloom.metrics.measured import mean_of
    >>> interval = bootstrap_interval(mean_of("pinc", np.array([0.0, 0.5, 1.0, 0.5]), "pinc|n:4", "higher"))
    >>> interval.low, interval.high
    (0.125, 0.875)
    """
    (interval,) = bootstrap_intervals([measured], groups=groups, resamples=resamples, level=level, seed=seed)
    return interval


def bootstrap_intervals(
    measured: Sequence[Measured],
    *,
    groups: Groups | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> list[Interval | None]:
    """Intervals of many metrics from the same resamples: as `bootstrap_interval`, but items are drawn once for all."""
    check_resampling(resamples, level, seed)
    if groups is not None:
        measured = [_by_group(one, groups) for one in measured]
    by_items: dict[int, list[int]] = defaultdict(list)
    for place, one in enumerate(measured):
        if one.statistics is not None and len(one.statistics) > 1:
            by_items[len(one.statistics)].append(place)
    intervals: list[Interval | None] = [None] * len(measured)
    for places in by_items.values():
        resampled = _resampled(drawn_again, [_parts(measured[place]) for place in places], resamples, seed)
        for place, values in zip(places, resampled, strict=True):
            intervals[place] = percentile_interval(values, level, seed)
    return intervals


def compare(
    ours: Measured,
    other: Measured,
    *,
    groups: Groups | None = None,
    method: Method = "bootstrap",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Whether two systems differ by more than chance, on the same items and by the same metric.

    `bootstrap` (Koehn, 2004): resampled differences, shifted so that their mean is 0 as if the systems were alike; the
    p-value is the share at least as far from 0 as the difference seen. `randomisation` (Riezler and Maxwell, 2005):
    the systems' outputs change places for a random half of the items. `sacrebleu-bootstrap`: the formula of
    `sacrebleu --paired-bs`, to compare with published figures; it finds twice as many differences as it should.
    Groups are drawn, and change places, whole. From one item or group alone nothing can be told: its p-value is 1.

    >>> from paraloom.metrics.measured import mean_of
    >>> good = mean_of("pinc", np.array([0.8, 0.9, 0.7, 0.8, 0.9, 0.6, 0.8, 0.9]), "pinc|n:4", "higher")
    >>> poor = mean_of("pinc", np.array([0.2, 0.1, 0.3, 0.1, 0.2, 0.2, 0.3, 0.1]), "pinc|n:4", "higher")
    >>> round(compare(good, poor, method="randomisation").p_value, 2), compare(good, good).p_value
    (0.01, 1.0)
    """
    if method not in METHODS:
        raise InputError(f"There is no test called {method!r}. Choose one of {', '.join(METHODS)}.")
    check_resampling(resamples, seed=seed)
    _check_alike(ours, other)
    if groups is not None:
        ours, other = _by_group(ours, groups), _by_group(other, groups)
    several = len(_parts(ours)[0]) > 1
    of_ours, of_other = _resampled(drawn_again, [_parts(ours), _parts(other)], resamples, seed)
    differences = of_ours - of_other
    interval = percentile_interval(differences, LEVEL, seed) if several else None
    return Comparison(
        name=ours.name,
        ours=ours.value,
        other=other.value,
        difference=ours.value - other.value,
        p_value=METHODS[method](ours, other, differences, seed) if several else 1.0,
        method=method,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        resamples=resamples,
        seed=seed,
    )


def _bootstrap(ours: Measured, other: Measured, differences: Floats, seed: int) -> float:
    """Shift first, then take absolute values: the share is that of both tails."""
    return _share_as_large(np.abs(differences - np.nanmean(differences)), ours, other)


def _sacrebleu_bootstrap(ours: Measured, other: Measured, differences: Floats, seed: int) -> float:
    """Absolute values first, then shift: where the systems differ much, the share is that of one tail."""
    absolute = np.abs(differences)
    return _share_as_large(absolute - np.nanmean(absolute), ours, other)


def _randomisation(ours: Measured, other: Measured, differences: Floats, seed: int) -> float:
    (mine, combine), (theirs, _) = _parts(ours), _parts(other)
    whole = mine.sum(0) + theirs.sum(0)

    def difference(swapped: Floats) -> Floats:
        moved = mine.sum(0) + swapped
        return np.abs(combine(moved) - combine(whole - moved))

    (swapped,) = _resampled(_swapped, [(theirs - mine, difference)], len(differences), seed)
    return _share_as_large(swapped, ours, other)


METHODS: dict[str, Callable[[Measured, Measured, Floats, int], float]] = {
    "bootstrap": _bootstrap,
    "randomisation": _randomisation,
    "sacrebleu-bootstrap": _sacrebleu_bootstrap,
}
"""A test's name and its p-value; each is given the paired bootstrap's differences, which the interval needs anyway."""


def _share_as_large(resampled: Floats, ours: Measured, other: Measured) -> float:
    """Counting the difference seen as one of the resamples, so that a p-value is never too small (Noreen, 1989)."""
    seen = abs(ours.value - other.value)
    slack = _ROUNDING * max(1.0, abs(ours.value), abs(other.value))
    finite = resampled[np.isfinite(resampled)]
    return float((np.count_nonzero(finite >= seen - slack) + 1) / (len(finite) + 1))


def drawn_again(random: np.random.Generator, items: int) -> NDArray[np.int64]:
    """How often each item is drawn when as many are drawn as there are, with replacement.

    (Counting draws takes a fifth of the time of `random.multinomial`, and is the same distribution.)
    """
    return np.bincount(random.integers(items, size=items), minlength=items)


def _swapped(random: np.random.Generator, items: int) -> NDArray[np.uint8]:
    """Which items change places: each with probability one half."""
    return np.unpackbits(np.frombuffer(random.bytes((items + 7) // 8), np.uint8), count=items)


def _resampled(
    draw: Callable[[np.random.Generator, int], NDArray[np.int64] | NDArray[np.uint8]],
    parts: Sequence[tuple[Floats, Combine]],
    resamples: int,
    seed: int,
) -> list[Floats]:
    """For each table of statistics its values over the same weighted draws, some draws at a time."""
    random = np.random.default_rng(seed)
    items = len(parts[0][0])
    held = np.empty((min(resamples, max(1, _CELLS // items)), items))
    found: list[list[Floats]] = [[] for _ in parts]
    for start in range(0, resamples, len(held)):
        weights = held[: resamples - start]
        for row in weights:
            row[:] = draw(random, items)
        for values, (statistics, combine) in zip(found, parts, strict=True):
            values.append(combine(weights @ statistics))
    return [np.concatenate(values) for values in found]


def percentile_interval(values: Floats, level: float, seed: int) -> Interval | None:
    """The middle of resampled values; None where none of them is a number."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return None
    low, high = np.quantile(finite, [(1 - level) / 2, (1 + level) / 2])
    return Interval(low=float(low), high=float(high), level=level, resamples=len(finite), seed=seed)


def _by_group(measured: Measured, groups: Groups) -> Measured:
    """The same metric with groups in the place of items: what follows from sums over items does from sums of these."""
    if measured.statistics is None:
        return measured
    numbers = numbered(groups, len(measured.statistics))
    sums = np.column_stack([np.bincount(numbers, column) for column in measured.statistics.T])
    return replace(measured, items=np.empty(0), statistics=np.asarray(sums, np.float64))


def numbered(groups: Groups, items: int) -> Groups:
    """The groups of so many items, numbered from 0 on without a gap, in the same order."""
    if len(groups) != items:
        raise InputError(f"The groups of {len(groups)} items are told, but there are {items}. Give one group an item.")
    return np.asarray(np.unique(groups, return_inverse=True)[1], np.int64)


def _parts(measured: Measured) -> tuple[Floats, Combine]:
    if measured.statistics is None or measured.combine is None:
        raise InputError(
            f"{measured.name} does not follow from sums over items, so its items cannot be resampled. "
            "Compare by another metric."
        )
    return measured.statistics, measured.combine


def _check_alike(ours: Measured, other: Measured) -> None:
    if ours.signature != other.signature:
        raise InputError(
            f"These are two metrics, {ours.signature} and {other.signature}: their difference means nothing. "
            "Measure both systems with the same settings."
        )
    counts = len(_parts(ours)[0]), len(_parts(other)[0])
    if counts[0] != counts[1]:
        raise InputError(
            f"One system has {counts[0]} items and the other {counts[1]}. A paired test needs the same items, in the "
            "same order: leave out of both what one of them lacks."
        )
    if not counts[0]:
        raise InputError("There are no items to compare.")
    if not np.isfinite([ours.value, other.value]).all():
        raise InputError(f"{ours.name} is {ours.value} and {other.value}: a system without a value cannot be compared.")


def check_resampling(resamples: int, level: float = LEVEL, seed: int = SEED) -> None:
    """Refuse what gives no interval: no resamples, a level that is no share, or a seed below 0."""
    if resamples < 1:
        raise InputError(f"{resamples} resamples are none. Give at least 1; 1000 is usual.")
    if not 0 < level < 1:
        raise InputError(f"An interval at level {level} makes no sense. Give one between 0 and 1, such as .95.")
    if seed < 0:
        raise InputError(f"--seed {seed} decides no draws. Give a whole number from 0 on.")
