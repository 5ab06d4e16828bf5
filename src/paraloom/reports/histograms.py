"""Numbers in, a histogram out, filled part by part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BINS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram:
    """Counts of values between 0 and 1, in equal bins; 1 itself falls into the last."""

    counts: tuple[int, ...]
    values: int
    mean: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHistograms:
    """One number's distribution over paraphrases and over pairs that are none (figure 1 of Lan et al., 2017)."""

    paraphrases: Histogram
    others: Histogram


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeBin:
    """Groups with a size from `least` to `most` (None: no upper end)."""

    name: str
    least: int
    most: int | None
    before: int
    after: int


class HistogramCounter:
    """A histogram in the making."""

    def __init__(self) -> None:
        self._counts = [0] * BINS
        self._values = 0
        self._sum = 0.0

    def add(self, values: npt.NDArray[np.float64]) -> None:
        """Count these values; what is not a number is left out."""
        import numpy as np

        numbers = values[~np.isnan(values)]
        counts, _ = np.histogram(np.clip(numbers, 0.0, 1.0), bins=BINS, range=(0.0, 1.0))
        for place, count in enumerate(counts.tolist()):
            self._counts[place] += count
        self._values += int(numbers.size)
        self._sum += float(numbers.sum())

    def result(self) -> Histogram:
        """What was counted."""
        mean = round(self._sum / self._values, 6) if self._values else None
        return Histogram(counts=tuple(self._counts), values=self._values, mean=mean)


SIZE_EDGES = (0, 1, 2, 3, 4, 6, 11, 21, 51, 101, 201, 501, 1001)
"""Where the bins of group sizes begin: single sizes first, then wider and wider."""


def size_bins(before: Iterable[int], after: Iterable[int]) -> tuple[SizeBin, ...]:
    """Group sizes in bins that widen, from the smallest to the largest that is filled.

    >>> [(bin.name, bin.before, bin.after) for bin in size_bins([2, 2, 5], [1, 2, 5])]
    [('1', 0, 1), ('2', 2, 1), ('3', 0, 0), ('4–5', 1, 1)]
    """
    counts = [_binned(before), _binned(after)]
    filled = [place for place in range(len(SIZE_EDGES)) if counts[0][place] or counts[1][place]]
    if not filled:
        return ()
    bins = []
    for place in range(filled[0], filled[-1] + 1):
        least = SIZE_EDGES[place]
        most = SIZE_EDGES[place + 1] - 1 if place + 1 < len(SIZE_EDGES) else None
        name = f"{least}+" if most is None else str(least) if least == most else f"{least}\u2013{most}"
        bins.append(SizeBin(name=name, least=least, most=most, before=counts[0][place], after=counts[1][place]))
    return tuple(bins)


def _binned(sizes: Iterable[int]) -> list[int]:
    counts = [0] * len(SIZE_EDGES)
    for size in sizes:
        counts[max(place for place, edge in enumerate(SIZE_EDGES) if edge <= size)] += 1
    return counts
