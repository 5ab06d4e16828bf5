"""Answer counts in, what most people said out; ratings in, each annotator against what most of the others said."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paraloom.metrics.agreement.cohen import Confusions, Kappas, cohen_kappa
from paraloom.metrics.agreement.counts import AnswerCounts, Integers
from paraloom.metrics.agreement.ratings import Ratings

TIED, ALONE = -1, -2
"""In the place of an answer: two answers are equally frequent; nobody (else) answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstOthers:
    """Each annotator against the majority of the other annotators (Lan et al., 2017, section 3.3)."""

    answers: Integers
    """How many items each annotator answered."""
    tied: Integers
    """Of those, how many were left out because the others are divided equally."""
    alone: Integers
    """Of those, how many nobody else answered."""
    confusions: Confusions
    """One table an annotator: own answers against the others' majority."""
    kappas: Kappas


def majority(counts: AnswerCounts) -> Integers:
    """The most frequent answer of each item; `TIED` where two are, `ALONE` where there is none.

    >>> ratings = Ratings.of(list("aaabb"), list("12312"), ["yes", "yes", "no", "no", "yes"])
    >>> [ratings.scale.answers[place] if place >= 0 else place for place in majority(ratings.counts()).tolist()]
    ['yes', -1]
    """
    top = _Top.of(counts)
    return np.where(top.most == 0, ALONE, np.where(top.how_many > 1, TIED, top.first))


def against_others(ratings: Ratings) -> AgainstOthers:
    """Kappa of every annotator against what most of the others answered; where they are tied, an item is left out.

    >>> ratings = Ratings.of(list("aaabbb"), list("123123"), ["yes", "yes", "no", "no", "no", "no"])
    >>> found = against_others(ratings)
    >>> found.kappas.kappa.tolist(), found.tied.tolist()
    ([nan, nan, 0.0], [1, 1, 0])
    """
    expected = others_majority(ratings)
    people = len(ratings.annotators)
    compared = expected >= 0
    confusions = Confusions.of(
        ratings.scale, ratings.annotator[compared], ratings.answer[compared], expected[compared], people
    )
    return AgainstOthers(
        answers=np.bincount(ratings.annotator, minlength=people),
        tied=np.bincount(ratings.annotator[expected == TIED], minlength=people),
        alone=np.bincount(ratings.annotator[expected == ALONE], minlength=people),
        confusions=confusions,
        kappas=cohen_kappa(confusions),
    )


def others_majority(ratings: Ratings) -> Integers:
    """For each answer, what most of the others said on its item; `TIED`, or `ALONE` where there are no others.

    Taking one answer away changes the counts of an item so little that the two largest of them tell all.
    """
    counts = ratings.counts()
    top = _Top.of(counts)
    item = ratings.item
    width = max(1, len(ratings.scale.answers))
    cell = np.searchsorted(counts.row * width + counts.answer, item * width + ratings.answer)
    own = counts.count[cell]
    leads = own == top.most[item]
    # Who took part in a lead of two leaves it to the other; who led alone still leads if enough agree.
    left_to = np.where(top.first[item] == ratings.answer, top.last[item], top.first[item])
    still = np.where(own - 1 > top.second[item], ratings.answer, TIED)
    when_leading = np.where(top.how_many[item] == 1, still, np.where(top.how_many[item] == 2, left_to, TIED))
    when_not = np.where(top.how_many[item] == 1, top.first[item], TIED)
    others = counts.answers_a_row[item] - 1
    return np.where(others == 0, ALONE, np.where(leads, when_leading, when_not))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Top:
    """Of each item: how frequent its most frequent answer is, which that is, and how many are as frequent."""

    most: Integers
    how_many: Integers
    first: Integers
    """The first answer on the scale with that count."""
    last: Integers
    second: Integers
    """The largest count below it; 0 where there is none."""

    @classmethod
    def of(cls, counts: AnswerCounts) -> _Top:
        items = len(counts.times)
        most, second = np.zeros(items, dtype=np.int64), np.zeros(items, dtype=np.int64)
        np.maximum.at(most, counts.row, counts.count)
        leads = counts.count == most[counts.row]
        np.maximum.at(second, counts.row[~leads], counts.count[~leads])
        first, last = np.zeros(items, dtype=np.int64), np.zeros(items, dtype=np.int64)
        last[counts.row[leads]] = counts.answer[leads]  # of several the last written stays, and answers ascend
        first[counts.row[leads][::-1]] = counts.answer[leads][::-1]
        how_many = np.bincount(counts.row[leads], minlength=items)
        return cls(most=most, how_many=how_many, first=first, last=last, second=second)
