"""Answer counts in, Fleiss' kappa out: agreement of many people beyond what their answers' frequencies would give."""

from __future__ import annotations

import numpy as np

from paraloom.metrics.agreement.coefficient import Coefficient, OfTimes, coefficient
from paraloom.metrics.agreement.counts import AnswerCounts, Floats, Integers, mean_shares
from paraloom.metrics.agreement.raw import raw_of_times


def fleiss_kappa(counts: AnswerCounts) -> Coefficient:
    """(observed - by chance) / (1 - by chance), chance from the mean share of each answer (Fleiss, 1971).

    Where items have different numbers of answers this is the generalised form (Gwet, 2014, chapter 2): observed
    agreement is averaged over items with two answers or more, shares over all items, each item weighing the same. With
    equal numbers it is Fleiss' own.

    >>> from paraloom.metrics.agreement.ratings import Ratings
    >>> ratings = Ratings.of(list("aabbcc"), list("121212"), ["yes", "yes", "no", "no", "yes", "no"])
    >>> round(fleiss_kappa(ratings.counts()).value, 4)
    0.3333
    """
    return coefficient("fleiss-kappa", counts, fleiss_of_times)


def fleiss_of_times(counts: AnswerCounts) -> OfTimes:
    """Fleiss' kappa as a function of how many items each row stands for."""
    observed_of, shares_of = raw_of_times(counts), mean_shares(counts)

    def of_times(times: Integers | Floats) -> float:
        chance = float(np.square(shares_of(times)).sum())
        return float("nan") if chance >= 1 - 1e-12 else (observed_of(times) - chance) / (1 - chance)

    return of_times


def is_generalised(counts: AnswerCounts) -> bool:
    """Whether items have different numbers of answers, so that the plain form does not apply."""
    answers = counts.answers_a_row
    return len(np.unique(answers[answers > 0])) > 1
