"""Counts and a way to measure agreement in, a coefficient out: its value and interval, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.agreement.counts import AnswerCounts, Floats, Integers
from paraloom.metrics.significance import (
    LEVEL,
    RESAMPLES,
    SEED,
    Interval,
    check_resampling,
    percentile_interval,
)

OfTimes = Callable[[NDArray[np.int64] | Floats], float]
"""How many items each row stands for in, agreement out; nan where it is 0/0."""

Prepare = Callable[[AnswerCounts], OfTimes]
"""What does not depend on how many items each row stands for is computed once, then resamples follow quickly."""

_QUICKER = 5
"""How much longer it takes to draw one count at once than one item."""

NOTHING_TO_COMPARE = "no item has answers of two people"
ONE_ITEM = "only one item has answers of two people"
ONE_ANSWER = "all answers are the same, so agreement by chance would be as complete as what is seen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """How far people agree; 1 is always the most."""

    name: str
    value: float | None
    why_none: str | None = None
    interval: Interval | None = None


def coefficient(name: str, counts: AnswerCounts, prepare: Prepare, *, by_chance: bool = True) -> Coefficient:
    """The value over all items, or why there is none.

    Where agreement is corrected for chance, one item says nothing: chance is learned from the other items.
    """
    if not counts.items_to_compare:
        return Coefficient(name=name, value=None, why_none=NOTHING_TO_COMPARE)
    if by_chance and counts.items_to_compare == 1:
        return Coefficient(name=name, value=None, why_none=ONE_ITEM)
    value = prepare(counts)(counts.times)
    if np.isnan(value):
        return Coefficient(name=name, value=None, why_none=ONE_ANSWER)
    return Coefficient(name=name, value=value)


def coefficient_intervals(
    counts: AnswerCounts,
    prepared: Mapping[str, Prepare],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> dict[str, Interval | None]:
    """The percentile bootstrap over items, the same resamples for every coefficient; None for fewer than two items.

    (Krippendorff's own bootstrap draws pairs of values as if they were independent; items are what was sampled, so
    items are drawn here, with all their answers.)
    """
    check_resampling(resamples, level, seed)
    profiles = counts.profiles()
    if profiles.items < 2:
        return dict.fromkeys(prepared)
    of_times = {name: prepare(profiles) for name, prepare in prepared.items()}
    values: dict[str, list[float]] = {name: [] for name in prepared}
    draw = _drawing(profiles.times)
    random = np.random.default_rng(seed)
    for _ in range(resamples):
        times = draw(random)
        for name, measure in of_times.items():
            values[name].append(measure(times))
    return {name: percentile_interval(np.array(found), level, seed) for name, found in values.items()}


def _drawing(times: Integers) -> Callable[[np.random.Generator], Integers]:
    """As many items as there are, with replacement: how many of each profile."""
    items = int(times.sum())
    if len(times) * _QUICKER > items:
        profile_of = np.repeat(np.arange(len(times)), times)
        return lambda random: np.bincount(profile_of[random.integers(items, size=items)], minlength=len(times))
    shares = times / items
    return lambda random: random.multinomial(items, shares).astype(np.int64)
