"""Two stretches of a film with different offsets in, what only one version has between them out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.groups.caption_anchors import Floats, Timed
from paraloom.groups.time_lines import NEAR, Stretch

TOGETHER = 0.6
"""Captions begin together if no more seconds lie between."""


class Gap(NamedTuple):
    """A stretch that only one version has: in the other, it begins and ends at one time."""

    left_from: float
    left_to: float
    right_from: float
    right_to: float


def gap_between(before: Stretch, after: Stretch, rate: float, left: Sequence[Timed], right: Sequence[Timed]) -> Gap:
    """An advertisement of the right version, or what was cut out of it."""
    longer = after.offset - before.offset
    if longer > 0:
        seam = _seam(before.last, after.first, left, right, rate, before.offset, longer)
        right_from = rate * seam + before.offset
        return Gap(seam, seam, round(right_from, 6), round(right_from + longer, 6))
    begin, end = rate * before.last + before.offset, rate * after.first + after.offset
    seam = _seam(begin, end, right, left, 1 / rate, -before.offset / rate, -longer / rate)
    left_from = (seam - before.offset) / rate
    return Gap(round(left_from, 6), round(left_from - longer / rate, 6), seam, seam)


def _seam(
    begin: float,
    end: float,
    shorter: Sequence[Timed],
    longer: Sequence[Timed],
    rate: float,
    offset: float,
    seconds: float,
) -> float:
    """When the shorter version, between these times of its own, lacks so many seconds of the longer one.

    That is in a pause of the shorter one: where most captions of the longer one, before and behind what is lacking,
    begin together with one of the shorter; of several such pauses the longest.
    """
    pauses = [
        (one.ends_at, other.begins_at)
        for one, other in pairwise(shorter)
        if one.begins_at >= begin - NEAR and other.begins_at <= end + NEAR
    ]
    if not pauses:
        return round((begin + end) / 2, 6)
    times = np.sort([caption.begins_at for caption in longer])
    times = times[(times >= rate * begin + offset) & (times <= rate * end + offset + seconds)]
    begins = np.sort([caption.begins_at for caption in shorter])
    met_before = np.cumsum(_are_near(begins, (times - offset) / rate))
    met_behind = np.cumsum(_are_near(begins, (times - offset - seconds) / rate)[::-1])[::-1]

    def cost(pause: tuple[float, float]) -> tuple[int, float, float]:
        time = rate * (pause[0] + pause[1]) / 2 + offset
        first, last = np.searchsorted(times, (time, time + seconds))
        met = (met_before[first - 1] if first else 0) + (met_behind[last] if last < len(times) else 0)
        return -int(met), round(pause[0] - pause[1], 3), pause[0]

    silent_from, silent_to = min(pauses, key=cost)
    return round((silent_from + silent_to) / 2, 6)


def _are_near(rising: Floats, times: Floats) -> NDArray[np.bool_]:
    """Whether at least one of the rising numbers is near each of these."""
    found: NDArray[np.bool_] = np.searchsorted(rising, times + TOGETHER, side="right") > np.searchsorted(
        rising, times - TOGETHER
    )
    return found
