"""Anchors in, the line through most of them out: one rate, and an offset for each stretch between two breaks.

The rate is where the anchors' offsets crowd most closely, tried at the ratios of the usual frame rates and on a grid
between them. Offsets are the places they crowd at; which holds when is the best way through the anchors, where every
change of offset costs some of them. Both are then moved to the least sum of distances, which few wrong anchors bend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.groups.caption_anchors import Anchors, Floats, Integers

FRAME_RATES = (24000 / 1001, 24.0, 25.0, 30000 / 1001, 30.0)
USUAL_RATES = tuple(sorted({round(one / other, 9) for one in FRAME_RATES for other in FRAME_RATES}))
"""What a subtitle file's times are multiplied by when it is made for a film played at another frame rate."""
MOST_DRIFT = 0.055
"""Other rates are tried this far from 1."""
NEAR = 1.5
"""An anchor so many seconds from the line lies on it: versions cut speech into captions at different words."""
LEAST_BREAK = 4.0
"""A smaller change of the offset, in seconds, is not told from the usual differences."""
FAR = 10.0
"""Offsets that differ by more seconds than this are no question of where captions are cut."""
LEAST_ANCHORS = 5
"""A stretch of fewer is chance: so many a change of offset costs, too."""
MOST_OFFSETS = 12
_SEARCHED = 400
"""The rate is searched with so many of the strongest anchors."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Anchors that follow one another with one offset."""

    offset: float
    first: float
    """The left time of its first anchor, and of its last."""
    last: float
    anchors: int


@dataclass(frozen=True, slots=True)
class TimeLine:
    """right time = rate · left time + the offset of the stretch."""

    rate: float
    stretches: tuple[Stretch, ...]
    spread: float
    """Median distance of its anchors, in seconds."""
    times: Floats
    """The left times of the anchors on it."""
    rival: int
    """How many of the other anchors agree on one offset, far from that which it has at their times."""

    @property
    def anchors(self) -> int:
        """How many lie on it."""
        return sum(stretch.anchors for stretch in self.stretches)


def find_line(anchors: Anchors) -> TimeLine | None:
    """The line through most anchors; None where no offset has enough of them."""
    if len(anchors) < LEAST_ANCHORS:
        return None
    rate = _crowded_rate(anchors.strongest(_SEARCHED))
    for near in (2 * NEAR, NEAR):
        which = _way_through(anchors, anchors.right - rate * anchors.left, near)
        if not (which >= 0).any():
            return None
        rate = _least_distances(anchors, which, rate, near)
    rate = _usual(anchors, which, rate)
    offsets = anchors.right - rate * anchors.left
    which = _way_through(anchors, offsets, NEAR)
    if not (which >= 0).any():
        return None
    stretches, distances = [], []
    for one in np.unique(which[which >= 0]):
        on_it = which == one
        middle = float(np.median(offsets[on_it]))
        distances.append(np.abs(offsets[on_it] - middle))
        times = anchors.left[on_it]
        stretches.append(Stretch(round(middle, 6), float(times[0]), float(times[-1]), int(on_it.sum())))
    rival, _ = _crowd(np.sort(offsets[_are_far(anchors.left, offsets, stretches)]), NEAR)
    return TimeLine(
        round(rate, 9),
        tuple(stretches),
        round(float(np.median(np.concatenate(distances))), 6),
        anchors.left[which >= 0],
        rival,
    )


def _are_far(times: Floats, offsets: Floats, stretches: Sequence[Stretch]) -> NDArray[np.bool_]:
    """Whether each offset is far from those that hold at its time; between two stretches both may."""
    far = np.full(len(offsets), True)
    ends = [-np.inf, *(stretch.last for stretch in stretches[:-1])]
    begins = [*(stretch.first for stretch in stretches[1:]), np.inf]
    for stretch, end_before, begin_behind in zip(stretches, ends, begins, strict=True):
        far &= (np.abs(offsets - stretch.offset) > FAR) | (times < end_before) | (times > begin_behind)
    return far


def _crowded_rate(anchors: Anchors) -> float:
    """The rate at which most pairs of anchors have the same offset, nearly."""
    length = max(float(np.ptp(anchors.left)), 60.0)
    step = 2 * NEAR / length  # from one rate to the next, the end of the film moves by so much
    rates = np.concatenate([np.arange(1 - MOST_DRIFT, 1 + MOST_DRIFT, step), USUAL_RATES])
    offsets = np.sort(anchors.right - rates[:, None] * anchors.left, axis=1)
    apart = 4 * float(np.abs(anchors.right).max() + np.abs(anchors.left).max()) + 10
    one_behind_another = (offsets + apart * np.arange(len(rates))[:, None]).ravel()
    ends = np.searchsorted(one_behind_another, one_behind_another + 2 * NEAR, side="right")
    neighbours = (ends - np.arange(len(ends))).reshape(offsets.shape).sum(axis=1)
    return float(rates[np.argmax(neighbours)])


def _crowd(rising: Floats, near: float) -> tuple[int, float]:
    """How many of the rising numbers lie near one, at most, and the middle of these."""
    if not len(rising):
        return 0, 0.0
    ends = np.searchsorted(rising, rising + 2 * near, side="right")
    counts = ends - np.arange(len(rising))
    place = int(np.argmax(counts))
    return int(counts[place]), float(np.median(rising[place : ends[place]]))


def _way_through(anchors: Anchors, offsets: Floats, near: float) -> Integers:
    """For each anchor the number of its stretch, -1 where it lies on none."""
    found = _offsets(offsets, near)
    on = np.abs(offsets[:, None] - found) <= near
    if len(found) < 2:
        return np.where(on.any(axis=1), 0, -1) if len(found) else np.full(len(offsets), -1)
    way = _cheapest_way(on)
    stretch = np.cumsum(np.diff(way, prepend=way[0]) != 0)
    return np.where(on[np.arange(len(way)), way], stretch, -1)


def _offsets(offsets: Floats, near: float) -> Floats:
    """Where offsets crowd, the fullest place first."""
    rest = np.sort(offsets)
    found: list[float] = []
    least = max(LEAST_ANCHORS, len(offsets) // 60)
    while len(found) < MOST_OFFSETS:
        count, middle = _crowd(rest, near)
        if count < least:
            break
        found.append(middle)
        rest = rest[np.abs(rest - middle) > max(2 * near, LEAST_BREAK)]
    return np.array(found)


def _cheapest_way(on: NDArray[np.bool_]) -> Integers:
    """Which offset to follow at each anchor, so that most lie on it and few changes are made."""
    price = float(LEAST_ANCHORS)
    score = np.zeros(on.shape[1])
    came_from = np.empty(on.shape, np.int64)
    stays = np.arange(on.shape[1])
    for place, gains in enumerate(on):
        best = int(np.argmax(score))
        changes = score[best] - price > score
        came_from[place] = np.where(changes, best, stays)
        score = np.where(changes, score[best] - price, score) + gains
    way = np.empty(len(on), np.int64)
    now = int(np.argmax(score))
    for place in range(len(on) - 1, -1, -1):
        way[place] = now
        now = came_from[place, now]
    return way


def _least_distances(anchors: Anchors, which: Integers, rate: float, near: float) -> float:
    """The rate nearby with the least sum of distances from the stretches' middles; the sum has one lowest place."""
    golden = (5**0.5 - 1) / 2
    reach = 2 * near / max(float(np.ptp(anchors.left[which >= 0])), 60.0)
    low, high = rate - reach, rate + reach
    inner = [high - golden * (high - low), low + golden * (high - low)]
    costs = [_distances(anchors, which, each) for each in inner]
    for _ in range(24):
        if costs[0] <= costs[1]:
            high, inner[1], costs[1] = inner[1], inner[0], costs[0]
            inner[0] = high - golden * (high - low)
            costs[0] = _distances(anchors, which, inner[0])
        else:
            low, inner[0], costs[0] = inner[0], inner[1], costs[1]
            inner[1] = low + golden * (high - low)
            costs[1] = _distances(anchors, which, inner[1])
    return (low + high) / 2


def _distances(anchors: Anchors, which: Integers, rate: float) -> float:
    """The mean distance of anchors from the middle of their stretch."""
    offsets = anchors.right - rate * anchors.left
    return sum(
        float(np.abs(offsets[on_it] - np.median(offsets[on_it])).sum())
        for on_it in (which == one for one in range(which.max() + 1))
    ) / max(int((which >= 0).sum()), 1)


def _usual(anchors: Anchors, which: Integers, rate: float) -> float:
    """A usual rate instead of this one, where it does nearly as well: 1 rather than another, else the nearest."""
    free = _distances(anchors, which, rate)
    for usual in sorted(USUAL_RATES, key=lambda each: (each != 1, abs(each - rate))):
        if _distances(anchors, which, usual) <= 1.05 * free + 0.02:
            return usual
    return rate
