"""How often each answer was given to each item in, the same without its repetitions out.

Nearly every coefficient needs only these counts, not who gave which answer. Cells that are 0 are not held, so that
neither many items nor many different answers take quadratic memory. Items with the same counts are alike: held once
with how often they occur (`profiles`), a million items of a crowd become a few hundred rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.agreement.scale import Scale

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerCounts:
    """One row an item (or all items with the same counts), one cell an answer that was given to it."""

    scale: Scale
    row: Integers
    """Of each cell, ascending."""
    answer: Integers
    """Of each cell, ascending within a row."""
    count: Integers
    """Of each cell: how many people gave this answer."""
    times: Integers
    """Of each row: how many items have these counts."""

    @classmethod
    def of_codes(cls, scale: Scale, item: Integers, answer: Integers, items: int) -> AnswerCounts:
        """From one pair of codes an answer given."""
        keys, count = np.unique(item * max(1, len(scale.answers)) + answer, return_counts=True)
        row, column = np.divmod(keys, max(1, len(scale.answers)))
        return cls(scale=scale, row=row, answer=column, count=count, times=np.ones(items, dtype=np.int64))

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.times.sum())

    @property
    def answers_a_row(self) -> Floats:
        """How many answers each item has."""
        return summed(self.row, self.count, len(self.times))

    @property
    def items_to_compare(self) -> int:
        """How many items have two answers or more."""
        return int(self.times[self.answers_a_row >= 2].sum())

    def totals(self) -> Integers:
        """How often each answer was given."""
        return summed(self.answer, self.count * self.times[self.row], len(self.scale.answers)).astype(np.int64)

    def profiles(self) -> AnswerCounts:
        """The same with one row for all items whose counts are the same; items without an answer are left out."""
        cells = np.bincount(self.row, minlength=len(self.times))
        starts = np.concatenate([[0], np.cumsum(cells)[:-1]])
        rows: list[tuple[Integers, Integers, Integers]] = []
        for width in np.unique(cells[cells > 0]):
            its = np.flatnonzero(cells == width)
            places = starts[its][:, None] + np.arange(width)
            both = np.concatenate([self.answer[places], self.count[places]], axis=1)
            alike, which = np.unique(both, axis=0, return_inverse=True)
            times = summed(which.ravel(), self.times[its], len(alike)).astype(np.int64)
            rows.append((alike[:, :width], alike[:, width:], times))
        widths = np.concatenate([[0], *(np.full(len(times), answers.shape[1]) for answers, _, times in rows)])[1:]
        return AnswerCounts(
            scale=self.scale,
            row=np.repeat(np.arange(len(widths)), widths.astype(np.int64)),
            answer=_joined([answers.ravel() for answers, _, _ in rows]),
            count=_joined([counts.ravel() for _, counts, _ in rows]),
            times=_joined([times for _, _, times in rows]),
        )


def summed(place: Integers, weights: Floats | Integers, length: int) -> Floats:
    """The sum of the weights of each place from 0 on: `np.bincount`, always of floats."""
    return np.asarray(np.bincount(place, weights, minlength=length), dtype=np.float64)


def mean_shares(counts: AnswerCounts) -> Callable[[Integers | Floats], Floats]:
    """The share of each answer, averaged over items, as a function of how many items each row stands for."""
    answers = counts.answers_a_row
    of_cell = counts.count / answers[counts.row]
    answered = answers > 0

    def of_times(times: Integers | Floats) -> Floats:
        sums = summed(counts.answer, of_cell * times[counts.row], len(counts.scale.answers))
        return np.asarray(sums / times[answered].sum())

    return of_times


def _joined(parts: list[Integers]) -> Integers:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])
