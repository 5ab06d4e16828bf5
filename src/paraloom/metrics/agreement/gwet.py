"""Answer counts in, Gwet's AC1 and AC2 out: agreement whose part by chance stays small where one answer is common."""

from __future__ import annotations

import numpy as np

from paraloom.metrics.agreement.coefficient import Coefficient, OfTimes, coefficient
from paraloom.metrics.agreement.counts import AnswerCounts, Floats, Integers, mean_shares, summed
from paraloom.metrics.agreement.raw import raw_of_times

ONE_POSSIBLE_ANSWER = "only one answer is known; name the others that could have been given (--order)"


def gwet_ac1(counts: AnswerCounts) -> Coefficient:
    """Chance agreement is that of people who guess on hard items alone (Gwet, 2008): many raters, gaps allowed.

    The number of answers that could be given counts: an answer that nobody chose belongs to the scale if its order
    names it.

    >>> from paraloom.metrics.agreement.ratings import Ratings
    >>> ratings = Ratings.of(list("aabbcc"), list("121212"), ["yes", "yes", "no", "no", "yes", "no"])
    >>> round(gwet_ac1(ratings.counts()).value, 4)
    0.3333
    """
    return _named("gwet-ac1", counts, weighted=False)


def gwet_ac2(counts: AnswerCounts) -> Coefficient:
    """AC1 with partial credit for answers that lie close: quadratic weights over the scale (Gwet, 2014, chapter 5).

    >>> from paraloom.metrics.agreement.ratings import Ratings
    >>> ratings = Ratings.of(list("aabbcc"), list("121212"), ["1", "2", "5", "5", "3", "3"], level="interval")
    >>> round(gwet_ac2(ratings.counts()).value, 4)
    0.9306
    """
    return _named("gwet-ac2", counts, weighted=True)


def ac1_of_times(counts: AnswerCounts) -> OfTimes:
    """AC1 as a function of how many items each row stands for."""
    return _corrected(counts, raw_of_times(counts), weights=float(len(counts.scale.answers)))


def ac2_of_times(counts: AnswerCounts) -> OfTimes:
    """AC2 as a function of how many items each row stands for.

    The weight of two answers is 1 - (distance / widest distance)², so sums of squares do for all pairs of answers.
    """
    values = counts.scale.unit_values
    answers = counts.answers_a_row
    widest = float(np.ptp(values)) or 1.0
    apart = (values - values.mean()) / widest
    mean = summed(counts.row, counts.count * apart[counts.answer], len(answers)) / np.maximum(answers, 1)
    squares = summed(counts.row, counts.count * np.square(apart[counts.answer] - mean[counts.row]), len(answers))
    rows = np.flatnonzero(answers >= 2)
    agreement = 1 - 2 * squares[rows] / (answers[rows] - 1)

    def observed_of(times: Integers | Floats) -> float:
        compared = times[rows].sum()
        return float(times[rows] @ agreement / compared) if compared else float("nan")

    count = len(values)
    return _corrected(counts, observed_of, weights=count * count - 2 * count * float(np.square(apart).sum()))


def _named(name: str, counts: AnswerCounts, *, weighted: bool) -> Coefficient:
    if len(counts.scale.answers) < 2 and counts.items_to_compare:
        return Coefficient(name=name, value=None, why_none=ONE_POSSIBLE_ANSWER)
    return coefficient(name, counts, ac2_of_times if weighted else ac1_of_times)


def _corrected(counts: AnswerCounts, observed_of: OfTimes, weights: float) -> OfTimes:
    """`weights` is the sum of all pairs' weights: the number of answers, where only equal answers have one."""
    shares_of, count = mean_shares(counts), len(counts.scale.answers)

    def of_times(times: Integers | Floats) -> float:
        if count < 2:
            return float("nan")
        shares = shares_of(times)
        chance = weights / (count * (count - 1)) * float((shares * (1 - shares)).sum())
        return (observed_of(times) - chance) / (1 - chance)

    return of_times
