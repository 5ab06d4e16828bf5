"""Captions of two versions of a film and its time map in, parts of about a quarter of an hour of both out.

A film is read in parts so that a corpus holds many films (Kanerva et al., 2023, section 3.1). Parts are cut in pauses
that both versions have; where they are cut in the texts follows from the captions on either side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from paraloom.groups.caption_anchors import Floats
from paraloom.groups.caption_times import TimeMap
from paraloom.tables import Cue, make_id

NEAR_CUT = 1 / 15
"""A pause is looked for in this share of a part before and behind the time where it should end."""
LONGEST_SHOWN = 15.0
"""A caption whose times say that it is shown for more seconds has a wrong end."""
LEAST_SHARE = 0.1
"""Where one version has less than this share of the other's text, such as the translator's name, it is silent."""
SLACK = 2.0
"""So many seconds before the other version begins, or after it has ended, a caption still has its counterpart."""


class Span(NamedTuple):
    """From where to where in a document's text, in characters; the end is not included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What both versions say in one stretch of the film."""

    number: int
    """From 0 on, among the parts in which both versions speak."""
    left: Span
    right: Span
    begins_at: float
    """In seconds of the left version; it begins where the part before ends."""
    ends_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of one film."""

    parts: tuple[Part, ...]
    silent: int
    """How many more there would be if both versions spoke in them; silence of more than a part counts once."""


def film_parts(left: Sequence[Cue], right: Sequence[Cue], times: TimeMap, *, minutes: float = 15.0) -> Parts:
    """Both documents cut into parts of about so many minutes of the left one, one behind another.

    The cues of each document come by their place in its text. What only one version has at its beginning or end
    belongs to no part. A last part that would be shorter than half of one belongs to the part before.
    """
    if not left or not right:
        return Parts(parts=(), silent=0)
    shown = (_Shown.of(left), _Shown.of(right, times))
    begin = max(float(each.begins.min()) for each in shown) - SLACK
    end = min(float(each.ends.max()) for each in shown) + SLACK
    cuts = _cuts(begin, end, shown, 60 * minutes) if begin < end else []
    found: list[Part] = []
    splits = [[each.split(cut) for cut in cuts] for each in shown]
    bounds = zip(pairwise(cuts), *(pairwise(each) for each in splits), strict=True)
    for (begins_at, ends_at), of_left, of_right in bounds:
        spans = _span(left, *of_left), _span(right, *of_right)
        if _both_speak(*spans):
            begins_at, ends_at = round(max(begins_at, 0.0), 3), round(ends_at, 3)
            part = Part(number=len(found), left=spans[0], right=spans[1], begins_at=begins_at, ends_at=ends_at)
            found.append(part)
    return Parts(parts=tuple(found), silent=max(len(cuts) - 1, 0) - len(found))


def chosen_parts(
    work: str, counts: Sequence[int], *, round: int, per_round: int, seed: int
) -> tuple[tuple[int, int], ...]:
    """Which parts of a film are read in a round, drawn by the film's name and the seed alone: the places of pairs of
    versions among `counts`, which says how many parts each has, and the numbers of the parts.

    Rounds count from 1. A part is drawn once, so long as every round takes as many; nothing is left to later ones
    when all are drawn. Of several pairs of versions first other stretches of the film are drawn, by turns, and the same
    stretch in the words of another pair only when all stretches have been read.

    >>> [chosen_parts("tt0133093", [5], round=number, per_round=2, seed=1) for number in (1, 2, 3, 4)]
    [((0, 2), (0, 4)), ((0, 0), (0, 3)), ((0, 1),), ()]
    >>> chosen_parts("tt0133093", [5, 5], round=1, per_round=2, seed=1)
    ((0, 4), (1, 2))
    """
    numbers = sorted(range(max(counts, default=0)), key=lambda number: make_id("part", seed, work, number))
    drawn = sorted(
        ((pair - place) % len(counts), place, pair, number)
        for place, number in enumerate(numbers)
        for pair, count in enumerate(counts)
        if number < count
    )
    taken = drawn[(round - 1) * per_round : round * per_round]
    return tuple(sorted((pair, number) for *_, pair, number in taken))


def _span(cues: Sequence[Cue], first: int, behind: int) -> Span:
    return Span(cues[first].start, cues[behind - 1].end) if first < behind else Span(0, 0)


def _both_speak(left: Span, right: Span) -> bool:
    shorter, longer = sorted(span.end - span.start for span in (left, right))
    return shorter > 0 and shorter >= LEAST_SHARE * longer


@dataclass(frozen=True, slots=True)
class _Shown:
    """When captions are shown, in seconds of the left version."""

    begins: Floats
    ends: Floats

    @classmethod
    def of(cls, cues: Sequence[Cue], times: TimeMap | None = None) -> _Shown:
        begins = np.array([cue.begins_at for cue in cues])
        ends = np.array([cue.ends_at for cue in cues]).clip(begins, begins + LONGEST_SHOWN)
        return cls(begins, ends) if times is None else cls(times.to_left(begins), times.to_left(ends))

    @property
    def middles(self) -> Floats:
        """By which a caption belongs to a part."""
        return (self.begins + self.ends) / 2

    def split(self, time: float) -> int:
        """How many of the captions, as they stand in the text, come before a time: as few as can be stand wrong."""
        late = self.middles >= time
        wrong = np.concatenate([[0], np.cumsum(late)]) + np.concatenate([np.cumsum(~late[::-1])[::-1], [0]])
        return int(np.argmin(wrong))


def _cuts(begin: float, end: float, shown: Sequence[_Shown], seconds: float) -> list[float]:
    """The times where parts begin, and where the last ends."""
    middles = np.concatenate([each.middles for each in shown])
    spoken = np.unique((middles[(middles >= begin) & (middles < end)] - begin) // seconds)
    wanted = begin + seconds * np.union1d(spoken, spoken + 1)
    wanted = wanted[(wanted > begin) & (wanted < end)]
    cuts = [begin, *(_pause(float(time), shown, NEAR_CUT * seconds) for time in wanted), end]
    if len(cuts) > 2 and end - cuts[-2] < seconds / 2:
        del cuts[-2]
    return cuts


def _pause(time: float, shown: Sequence[_Shown], near: float) -> float:
    """The middle of the longest pause near a time; pauses of all versions together, else of the first, else none."""
    for versions in (shown, shown[:1]):
        begins = np.concatenate([each.begins for each in versions])
        ends = np.concatenate([each.ends for each in versions])
        order = np.argsort(begins, kind="stable")
        silent_from = np.concatenate([[time - near], np.maximum.accumulate(ends[order])]).clip(time - near, time + near)
        silent_to = np.concatenate([begins[order], [time + near]]).clip(time - near, time + near)
        lengths = (silent_to - silent_from).round(3)
        middles = (silent_to + silent_from) / 2
        best = np.lexsort((middles, np.abs(middles - time).round(3), -lengths))[0]
        if lengths[best] > 0:
            return float(middles[best])
    return time
