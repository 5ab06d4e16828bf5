"""Answer counts in, Krippendorff's alpha out: one minus the disagreement seen over that of answers dealt at random.

Values are counted, never paired item by item: memory grows with the answers given, and not with their square.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paraloom.metrics.agreement.coefficient import Coefficient, OfTimes, coefficient
from paraloom.metrics.agreement.counts import AnswerCounts, Floats, Integers, summed

_CELLS = 1_000_000
"""Distances held at once where every two answers of a ratio scale have their own."""


def krippendorff_alpha(counts: AnswerCounts) -> Coefficient:
    """Alpha for the level of the scale, any number of raters, gaps allowed (Krippendorff, 2011).

    Items with one answer alone do not count. 1 is complete agreement, 0 what chance gives, and below 0 people
    systematically disagree.

    >>> from paraloom.metrics.agreement.ratings import Ratings
    >>> ratings = Ratings.of(list("aabbcc"), list("121212"), ["1", "1", "2", "2", "3", "4"], level="interval")
    >>> round(krippendorff_alpha(ratings.counts()).value, 4)
    0.878
    """
    return coefficient("krippendorff-alpha", counts, alpha_of_times)


def alpha_of_times(counts: AnswerCounts) -> OfTimes:
    """Alpha as a function of how many items each row stands for."""
    answers = counts.answers_a_row
    compared = answers[counts.row] >= 2
    cells = AnswerCounts(
        scale=counts.scale,
        row=counts.row[compared],
        answer=counts.answer[compared],
        count=counts.count[compared],
        times=counts.times,
    )
    values = np.where(answers >= 2, answers, 0)
    disagreements = _DISAGREEMENTS[counts.scale.level](cells)

    def of_times(times: Integers | Floats) -> float:
        total = float(times @ values)
        totals = summed(cells.answer, cells.count * times[cells.row], len(cells.scale.answers))
        if np.count_nonzero(totals) < 2:
            return float("nan")
        seen, by_chance = disagreements(times, totals)
        return 1 - (total - 1) * seen / by_chance

    return of_times


Disagreements = Callable[[Integers | Floats, Floats], tuple[float, float]]
"""Times and totals of answers in; the summed distances within items, each over its answers less one, and all in all."""


def _nominal(cells: AnswerCounts) -> Disagreements:
    answers = cells.answers_a_row
    alike = summed(cells.row, np.square(cells.count), len(answers))
    within = (np.square(answers) - alike) / np.maximum(answers - 1, 1)
    return lambda times, totals: (float(times @ within), float(totals.sum() ** 2 - np.square(totals).sum()))


def _interval(cells: AnswerCounts) -> Disagreements:
    values = cells.scale.unit_values
    within = _squared_within(cells, values)
    return lambda times, totals: (float(times @ within), _squared_among(totals, values))


def _ordinal(cells: AnswerCounts) -> Disagreements:
    """Two answers are as far apart as there are answers given between them: the distance of their mean ranks."""

    def disagreements(times: Integers | Floats, totals: Floats) -> tuple[float, float]:
        ranks = np.cumsum(totals) - totals / 2
        return float(times @ _squared_within(cells, ranks)), _squared_among(totals, ranks)

    return disagreements


def _ratio(cells: AnswerCounts) -> Disagreements:
    values = cells.scale.unit_values
    within = np.zeros(len(cells.times))
    widths = np.bincount(cells.row, minlength=len(cells.times))
    starts = np.concatenate([[0], np.cumsum(widths)[:-1]])
    for width in np.unique(widths[widths > 1]):
        every = np.flatnonzero(widths == width)
        at_once = max(1, _CELLS // int(width * width))
        for begin in range(0, len(every), at_once):
            rows = every[begin : begin + at_once]
            places = starts[rows][:, None] + np.arange(width)
            count, value = cells.count[places], values[cells.answer[places]]
            apart = _ratio_distance(value[:, :, None], value[:, None, :])
            within[rows] = np.einsum("ri,rij,rj->r", count, apart, count)
    within /= np.maximum(cells.answers_a_row - 1, 1)

    def disagreements(times: Integers | Floats, totals: Floats) -> tuple[float, float]:
        given = np.flatnonzero(totals)
        at_once = max(1, _CELLS // max(1, len(given)))
        among = 0.0
        for begin in range(0, len(given), at_once):
            some = given[begin : begin + at_once]
            apart = _ratio_distance(values[some][:, None], values[given][None, :])
            among += float(totals[some] @ apart @ totals[given])
        return float(times @ within), among

    return disagreements


_DISAGREEMENTS: dict[str, Callable[[AnswerCounts], Disagreements]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}


def _squared_within(cells: AnswerCounts, values: Floats) -> Floats:
    """Of each item the squared differences of its ordered pairs of answers, over its answers less one."""
    answers = cells.answers_a_row
    value = values[cells.answer]
    mean = summed(cells.row, cells.count * value, len(answers)) / np.maximum(answers, 1)
    spread = summed(cells.row, cells.count * np.square(value - mean[cells.row]), len(answers))
    return np.asarray(2 * answers * spread / np.maximum(answers - 1, 1))


def _squared_among(totals: Floats, values: Floats) -> float:
    """The squared differences of all ordered pairs of answers."""
    total = totals.sum()
    return float(2 * total * (totals @ np.square(values - totals @ values / total)))


def _ratio_distance(one: Floats, other: Floats) -> Floats:
    whole = one + other
    return np.square(np.divide(one - other, whole, out=np.zeros_like(whole), where=whole > 0))
