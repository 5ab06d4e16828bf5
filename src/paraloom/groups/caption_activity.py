"""Captions of two versions of a film in, the shift at which both speak and are silent at the same times out.

For versions that share too few words: what a film's captions have in common even then is when somebody speaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paraloom.groups.caption_anchors import Floats, Timed

STEP = 0.5
"""Of so many seconds it is told whether somebody speaks."""
LONGEST = 6 * 3600.0
"""What is said later than this, in seconds, has a wrong time."""
AWAY = 10.0
"""Shifts so many seconds apart are different ones."""


@dataclass(frozen=True, slots=True)
class Shift:
    """right time = rate · left time + offset."""

    rate: float
    offset: float
    correlation: float
    """Of speaking in the one version with speaking in the other."""
    rival: float
    """The highest correlation at another offset."""


def best_shift(left: Sequence[Timed], right: Sequence[Timed], rates: Sequence[float]) -> Shift:
    """Of these rates and any offset, those at which the versions agree best on when somebody speaks."""
    spoken = _activity(right, 1.0)
    shifts = (_shift(_activity(left, rate), spoken, rate) for rate in rates)
    return max(shifts, key=lambda shift: (shift.correlation, -abs(shift.rate - 1)))


def _shift(left: Floats, right: Floats, rate: float) -> Shift:
    size = 1 << (len(left) + len(right)).bit_length()
    agreement = np.fft.irfft(np.fft.rfft(right, size) * np.conj(np.fft.rfft(left, size)), size)
    length = float(np.linalg.norm(left) * np.linalg.norm(right))
    correlations = (agreement / length if length else agreement).round(6)
    place = int(np.argmax(correlations))
    steps = np.arange(size)
    apart = np.minimum((steps - place) % size, (place - steps) % size) * STEP
    shifted = place if place < len(right) else place - size
    return Shift(rate, shifted * STEP, float(correlations[place]), float(correlations[apart > AWAY].max(initial=0.0)))


def _activity(captions: Sequence[Timed], rate: float) -> Floats:
    """For each step whether somebody speaks, less the share of all the time that somebody does; 0 outside the film."""
    begins = np.array([caption.begins_at for caption in captions]) * (rate / STEP)
    ends = np.array([caption.ends_at for caption in captions]) * (rate / STEP)
    timely = (begins >= 0) & (ends > begins) & (ends * STEP < LONGEST)
    if not timely.any():
        return np.zeros(1)
    changes = np.zeros(int(ends[timely].max()) + 3)
    np.add.at(changes, begins[timely].round().astype(np.int64), 1)
    np.add.at(changes, ends[timely].round().astype(np.int64), -1)
    speaks = (np.cumsum(changes) > 0).astype(np.float64)
    first, last = np.flatnonzero(speaks)[[0, -1]] if speaks.any() else (0, 0)
    speaks[first : last + 1] -= speaks[first : last + 1].mean()
    return speaks
