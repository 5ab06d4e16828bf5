"""Ratings in, votes as numbers in the order of names out: so the order of rows decides not even a last digit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paraloom.errors import InputError
from paraloom.labels.aggregate.result import Floats, Integers
from paraloom.metrics.agreement.counts import summed
from paraloom.metrics.agreement.ratings import Ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedVotes:
    """One row a vote. Items nobody voted on and annotators without a vote are not among them."""

    item: Integers
    annotator: Integers
    answer: Integers
    cell: Integers
    """annotator * classes + answer."""
    items: int
    annotators: int
    classes: int
    item_places: Integers
    """Where each item stands among those of the ratings."""
    annotator_places: Integers

    @classmethod
    def of(cls, ratings: Ratings) -> CodedVotes:
        """The votes of ratings, if there are any."""
        if not len(ratings.answer):
            raise InputError("There are no votes to join. Give at least one answer of one person to one item.")
        item, item_places = _by_name(ratings.item, ratings.items)
        annotator, annotator_places = _by_name(ratings.annotator, ratings.annotators)
        order = np.lexsort((annotator, item))
        classes = len(ratings.scale.answers)
        return cls(
            item=item[order],
            annotator=annotator[order],
            answer=ratings.answer[order],
            cell=annotator[order] * classes + ratings.answer[order],
            items=len(item_places),
            annotators=len(annotator_places),
            classes=classes,
            item_places=item_places,
            annotator_places=annotator_places,
        )

    def shares(self, weights: Floats | None = None) -> Floats:
        """Items by answers: the share of votes, each counting by its weight."""
        weights = np.ones(len(self.item)) if weights is None else weights
        counts = summed(self.item * self.classes + self.answer, weights, self.items * self.classes)
        table = counts.reshape(self.items, self.classes)
        return np.asarray(table / table.sum(axis=1, keepdims=True))

    def spread_items(self, values: Floats, ratings: Ratings) -> Floats:
        """The same rows for all items of the ratings, nan where nobody voted."""
        return _spread(values, self.item_places, len(ratings.items))

    def spread_annotators(self, values: Floats, ratings: Ratings) -> Floats:
        """The same rows for all annotators of the ratings, nan where they gave no vote."""
        return _spread(values, self.annotator_places, len(ratings.annotators))


def _by_name(codes: Integers, names: Sequence[str]) -> tuple[Integers, Integers]:
    """The codes of those that occur, from 0 on in the order of their names; and where each of those stood."""
    used = np.unique(codes)
    places = np.array(sorted(used.tolist(), key=lambda place: names[place]), dtype=np.int64)
    new = np.zeros(len(names), dtype=np.int64)
    new[places] = np.arange(len(places))
    return new[codes], places


def _spread(values: Floats, places: Integers, length: int) -> Floats:
    found = np.full((length, *values.shape[1:]), np.nan)
    found[places] = values
    return found
