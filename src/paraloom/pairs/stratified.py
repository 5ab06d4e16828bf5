"""Candidates in, block by block, the same number of each interval of lexical similarity out, for people to judge.

Which pairs are drawn follows from their ids and a seed alone: those with the lowest hash. So the order of blocks does
not matter, and memory holds the sample, not the candidates (Kanerva et al., 2023, section 7.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from heapq import heappush, heappushpop
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.regions.intervals import interval_name, intervals_of
from paraloom.pairs.region_options import SampleOptions

DEV, TEST = "dev", "test"

_Kept = tuple[int, str, int, float, Any]
"""What a pair drew, turned; its id; its turn, so that no two are equal; its similarity; its row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One drawn candidate."""

    row: Any
    """As it was given."""
    pair_id: str
    lexical: float
    interval: str
    population: int
    """Candidates in its interval."""
    weight: float
    """How many of them it stands for."""
    split: str


class StratifiedSample:
    """A sample in the making."""

    def __init__(self, options: SampleOptions = SampleOptions()) -> None:
        self._options = options
        self.population = np.zeros(options.intervals, np.int64)
        """Candidates of each interval."""
        self._kept: list[list[_Kept]] = [[] for _ in range(options.intervals)]
        self._met = 0

    def add(self, pair_ids: Sequence[str], lexical: NDArray[np.float64], rows: Sequence[Any]) -> None:
        """Look at some candidates; of one pair that is met twice the caller has left one out."""
        places = intervals_of(lexical, self._options.intervals)
        self.population += np.bincount(places, minlength=self._options.intervals)
        for pair_id, place, value, row in zip(pair_ids, places.tolist(), lexical.tolist(), rows, strict=True):
            self._met += 1
            self._offer(self._kept[place], (-drawn_number(self._options.seed, pair_id), pair_id, self._met, value, row))

    def _offer(self, kept: list[_Kept], one: _Kept) -> None:
        if len(kept) < self._options.per_interval:
            heappush(kept, one)
        else:
            heappushpop(kept, one)

    def drawn(self) -> list[Drawn]:
        """The sample, interval by interval, in drawn order."""
        found = []
        for place, kept in enumerate(self._kept):
            population = int(self.population[place])
            # A fractional number of dev pairs is rounded by turns, so that small intervals keep the whole's share.
            dev = _rounded_by_turns(len(kept), self._options.dev_share, place)
            for rank, (_, pair_id, _, value, row) in enumerate(sorted(kept, key=lambda one: (-one[0], one[1]))):
                found.append(
                    Drawn(
                        row=row,
                        pair_id=pair_id,
                        lexical=value,
                        interval=interval_name(place, self._options.intervals),
                        population=population,
                        weight=round(population / len(kept), 6),
                        split=DEV if rank < dev else TEST,
                    )
                )
        return found

    def short(self) -> dict[str, int]:
        """Intervals with fewer candidates than were wanted, and how many they have."""
        wanted, count = self._options.per_interval, self._options.intervals
        return {
            interval_name(place, count): population
            for place, population in enumerate(self.population.tolist())
            if population < wanted
        }


def drawn_number(seed: int, pair_id: str) -> int:
    """A number that a pair draws: the lowest are taken."""
    return int.from_bytes(blake2b(f"{seed}\x1f{pair_id}".encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _rounded_by_turns(count: int, share: float, turn: int) -> int:
    return int(np.floor(round(count * share + (turn % 3) / 3, 6)))
