"""Ratings in, a row for each item out: what people said of it, and how far they agree on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from paraloom.metrics.agreement.majority import majority
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.raw import agreement_a_row


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemAnswers:
    """The raw answers to one item, counted."""

    item: str
    answers: int
    majority: str | None
    """None where two answers are equally frequent."""
    agreement: float | None
    """The share of pairs of people that agree; None where one person alone answered."""
    counts: dict[str, int]
    """Every answer that was given, in the order of the scale."""


def answers_by_item(ratings: Ratings) -> Iterator[ItemAnswers]:
    """Every item that has an answer, in the order items were met.

    >>> next(answers_by_item(Ratings.of(list("aaab"), list("1231"), ["yes", "yes", "no", "no"])))
    ItemAnswers(item='a', answers=3, majority='yes', agreement=0.3333333333333333, counts={'no': 1, 'yes': 2})
    """
    counts, names = ratings.counts(), ratings.scale.answers
    said = majority(counts)
    agreement = np.full(len(counts.times), np.nan)
    rows, shares = agreement_a_row(counts)
    agreement[rows] = shares
    edges = np.searchsorted(counts.row, np.arange(len(counts.times) + 1))
    for place, item in enumerate(ratings.items):
        cells = range(edges[place], edges[place + 1])
        if not cells:
            continue
        yield ItemAnswers(
            item=item,
            answers=int(counts.count[cells.start : cells.stop].sum()),
            majority=None if said[place] < 0 else names[said[place]],
            agreement=None if np.isnan(agreement[place]) else float(agreement[place]),
            counts={names[counts.answer[cell]]: int(counts.count[cell]) for cell in cells},
        )


def most_disputed(ratings: Ratings, most: int = 10) -> tuple[ItemAnswers, ...]:
    """The items on which people agree least; of those alike, the ones that more people answered."""
    compared = [one for one in answers_by_item(ratings) if one.agreement is not None and one.agreement < 1]
    return tuple(sorted(compared, key=lambda one: (one.agreement, -one.answers))[:most])
