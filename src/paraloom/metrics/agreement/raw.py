"""Answer counts in, observed agreement out: how often two people who answered the same item gave the same answer."""

from __future__ import annotations

import numpy as np

from paraloom.metrics.agreement.coefficient import Coefficient, OfTimes, coefficient
from paraloom.metrics.agreement.counts import AnswerCounts, Floats, Integers, summed


def raw_agreement(counts: AnswerCounts) -> Coefficient:
    """The share of agreeing pairs of people, averaged over items that two or more answered.

    Nothing is taken off for chance: where nearly all answers are "no", two people who guess agree nearly always.

    >>> from paraloom.metrics.agreement.ratings import Ratings
    >>> ratings = Ratings.of(list("aaabb"), list("12312"), ["yes", "yes", "no", "no", "no"])
    >>> round(raw_agreement(ratings.counts()).value, 4)
    0.6667
    """
    return coefficient("raw-agreement", counts, raw_of_times, by_chance=False)


def raw_of_times(counts: AnswerCounts) -> OfTimes:
    """Observed agreement as a function of how many items each row stands for."""
    rows, agreement = agreement_a_row(counts)

    def of_times(times: Integers | Floats) -> float:
        compared = times[rows].sum()
        return float(times[rows] @ agreement / compared) if compared else float("nan")

    return of_times


def agreement_a_row(counts: AnswerCounts) -> tuple[Integers, Floats]:
    """The rows with two answers or more, and of each the share of its pairs of people that agree."""
    answers = counts.answers_a_row
    rows = np.flatnonzero(answers >= 2)
    alike = summed(counts.row, counts.count * (counts.count - 1), len(answers))
    return rows, alike[rows] / (answers[rows] * (answers[rows] - 1))


def unanimous_share(counts: AnswerCounts) -> float | None:
    """Of the items that two or more answered, those where all gave the same answer."""
    rows, agreement = agreement_a_row(counts)
    compared = counts.times[rows].sum()
    return float(counts.times[rows] @ (agreement == 1) / compared) if compared else None
