"""Captions of two versions of a film in, which time of the one is which time of the other out.

Versions differ by an offset (another beginning), a rate (another frame rate), and stretches that only one of them has
(advertisements, cuts). All are found by the words that captions share, else by when somebody speaks; no model is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from paraloom.groups.caption_activity import Shift, best_shift
from paraloom.groups.caption_anchors import Floats, Timed, find_anchors
from paraloom.groups.film_gaps import Gap, gap_between
from paraloom.groups.time_lines import LEAST_ANCHORS, LEAST_BREAK, USUAL_RATES, Stretch, TimeLine, find_line

SURE_ANCHORS = 12
"""So many captions must agree; of versions of different films hardly half as many do."""
SURE_SHARE = 0.2
"""This share of all anchors must agree; of versions of one film three quarters do."""
MOST_RIVAL = 0.3
"""Where others, this share of those that agree, agree on something else, it is not sure what is right."""
SURE_CAPTIONS = 50
"""So many captions of each version must there be where only speaking and silence are compared."""
LEAST_CORRELATION = 0.3
MOST_RIVAL_CORRELATION = 0.5
"""As a share of the highest."""
MOST_OVERLAPPING = 0.3
"""Where more captions than this begin before the one before has ended, two parts of a film lie on one another."""
MOST_UNANCHORED = 0.15
"""This share of the captions may lie without an anchor in one run, whatever the rest is like."""
UNEVEN = 4.0
"""By chance, a run without an anchor is longer than the usual run times this and the logarithm of the anchors' number
once in 50 films; where only the opening is the same it nearly always is."""
_FAR = 1e7
"""Seconds, before and behind any film."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeMap:
    """Which time of the left version is which time of the right one."""

    rate: float
    """right time = rate · left time + offset, up to the first gap."""
    offset: float
    gaps: tuple[Gap, ...] = ()
    """Stretches that only one version has, by time."""
    anchors: int = 0
    """How many pairs of captions it rests on; 0 where only speaking and silence were compared."""
    spread: float = 0.0
    """How far captions lie from their counterparts' time: the median, in seconds."""
    is_sure: bool = False

    def to_right(self, times: npt.ArrayLike) -> Floats:
        """Times of the right version for those of the left one.

        >>> times = TimeMap(rate=1, offset=10, gaps=(Gap(60, 60, 70, 100),))
        >>> times.to_right([0, 50, 70]), times.to_left([10, 85, 110])
        (array([ 10.,  60., 110.]), array([ 0., 60., 70.]))
        """
        left, right = self._corners()
        return np.interp(np.asarray(times, np.float64), left, right)

    def to_left(self, times: npt.ArrayLike) -> Floats:
        """Times of the left version for those of the right one."""
        left, right = self._corners()
        return np.interp(np.asarray(times, np.float64), right, left)

    def _corners(self) -> tuple[Floats, Floats]:
        """Left and right times between which the map is straight."""
        left = [-_FAR, *(time for gap in self.gaps for time in (gap.left_from, gap.left_to)), _FAR]
        right = [
            self.offset - self.rate * _FAR,
            *(time for gap in self.gaps for time in (gap.right_from, gap.right_to)),
        ]
        last = self.gaps[-1] if self.gaps else Gap(0.0, 0.0, self.offset, self.offset)
        right.append(last.right_to + self.rate * (_FAR - last.left_to))
        return np.array(left), np.array(right)


def time_map(left: Sequence[Timed], right: Sequence[Timed]) -> TimeMap:
    """Where the captions of the left version lie in the right one; `is_sure` is false where that is a guess.

    It is a guess where the versions seem to be of different films, and where a file holds the parts of a film on two
    discs whose times both begin at 0.
    """
    if not left or not right:
        return TimeMap(rate=1.0, offset=0.0)
    left, right = sorted(left), sorted(right)
    found = find_anchors(left, right)
    line = find_line(found)
    in_order = not is_doubled(left) and not is_doubled(right)
    if line is not None and line.anchors >= SURE_ANCHORS:
        return _by_words(line, left, right, least=SURE_SHARE * len(found), in_order=in_order)
    shift = best_shift(left, right, USUAL_RATES)
    if line is not None and not _is_clear(shift):
        return _by_words(line, left, right, least=SURE_ANCHORS, in_order=in_order)
    return TimeMap(
        rate=shift.rate,
        offset=shift.offset,
        spread=_distance(shift, left, right),
        is_sure=in_order and _is_clear(shift) and min(len(left), len(right)) >= SURE_CAPTIONS,
    )


def _is_clear(shift: Shift) -> bool:
    return shift.correlation >= LEAST_CORRELATION and shift.rival <= MOST_RIVAL_CORRELATION * shift.correlation


def is_doubled(captions: Sequence[Timed]) -> bool:
    """Whether captions, by time, lie on one another, as those of two discs do when both begin at 0, or all at once."""
    overlapping = sum(
        after.begins_at < before.ends_at - 0.5 or after.begins_at == before.begins_at
        for before, after in pairwise(captions)
    )
    return overlapping > MOST_OVERLAPPING * len(captions)


def _distance(shift: Shift, left: Sequence[Timed], right: Sequence[Timed]) -> float:
    """From a left caption's beginning to the nearest of a right one: the median."""
    begins = np.sort([caption.begins_at for caption in right])
    wanted = np.array([shift.rate * caption.begins_at + shift.offset for caption in left])
    behind = np.searchsorted(begins, wanted).clip(1, max(len(begins) - 1, 1))
    nearest = np.minimum(np.abs(begins[behind - 1] - wanted), np.abs(begins[behind % len(begins)] - wanted))
    return round(float(np.median(nearest)), 6)


def _by_words(
    line: TimeLine, left: Sequence[Timed], right: Sequence[Timed], *, least: float, in_order: bool
) -> TimeMap:
    stretches, rival = _forwards(line)
    anchors = sum(stretch.anchors for stretch in stretches)
    gaps = [gap_between(before, after, line.rate, left, right) for before, after in pairwise(stretches)]
    times = TimeMap(rate=line.rate, offset=stretches[0].offset, gaps=tuple(gaps), anchors=anchors, spread=line.spread)
    is_sure = (
        in_order
        and anchors >= max(least, SURE_ANCHORS + LEAST_ANCHORS * len(gaps))
        and rival <= MOST_RIVAL * anchors
        and _is_even(times, line.times, left, right)
    )
    return replace(times, is_sure=is_sure)


def _is_even(times: TimeMap, anchored: Floats, left: Sequence[Timed], right: Sequence[Timed]) -> bool:
    """Whether no run of captions that should have counterparts is without anchors: not only the opening is the same."""
    begins = np.array([caption.begins_at for caption in left])
    ends = times.to_left([right[0].begins_at, right[-1].begins_at])
    shared = (begins >= ends[0]) & (begins <= ends[1])
    for gap in times.gaps:
        shared &= (begins <= gap.left_from) | (begins >= gap.left_to)
    begins = begins[shared]
    runs = np.diff(np.searchsorted(begins, anchored), prepend=0, append=len(begins))
    expected = len(begins) / len(anchored) * (np.log(len(anchored)) + UNEVEN)
    return bool(runs.max() <= max(expected, MOST_UNANCHORED * len(begins)))


def _forwards(line: TimeLine) -> tuple[list[Stretch], int]:
    """The stretches in which both versions go on, and how many anchors speak against them."""
    kept = list(line.stretches)
    rival = line.rival
    while True:
        back = next(
            (
                place
                for place, (before, after) in enumerate(pairwise(kept))
                if line.rate * before.last + before.offset > line.rate * after.first + after.offset + LEAST_BREAK
            ),
            None,
        )
        if back is None:
            break
        weaker = back + (kept[back + 1].anchors <= kept[back].anchors)
        rival = max(rival, kept.pop(weaker).anchors)
    joined = kept[:1]
    for stretch in kept[1:]:
        last = joined[-1]
        if abs(stretch.offset - last.offset) < LEAST_BREAK:
            joined[-1] = Stretch(last.offset, last.first, stretch.last, last.anchors + stretch.anchors)
        else:
            joined.append(stretch)
    return joined, rival
