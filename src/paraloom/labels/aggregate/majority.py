"""Votes in, what most people say out; for yes and no also by a threshold, as Lan et al. (2017, section 3.2) label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from paraloom.errors import InputError
from paraloom.labels.aggregate.coded import CodedVotes
from paraloom.labels.aggregate.result import Aggregated, Floats, decided, most_probable
from paraloom.metrics.agreement.ratings import Ratings


def plurality(ratings: Ratings, *, weights: Mapping[str, float] | None = None) -> Aggregated:
    """The most frequent answer of each item; ties are undecided.

    `weights` are how much an annotator's vote counts, 1 where none is given. Competence is how often an annotator
    says what the result says, of the items that are decided.

    >>> ratings = Ratings.of(list("aaabb"), list("12312"), ["yes", "yes", "no", "no", "yes"])
    >>> found = plurality(ratings)
    >>> found.labels, found.competence.tolist()
    (('yes', None), [1.0, 1.0, 0.0])
    >>> plurality(ratings, weights={"3": 2.5}).labels
    ('no', None)
    """
    votes = CodedVotes.of(ratings)
    shares = votes.spread_items(votes.shares(_weights(votes, ratings, weights)), ratings)
    labels = most_probable(shares, ratings.scale.answers)
    return Aggregated(
        method="majority",
        items=ratings.items,
        answers=ratings.scale.answers,
        probabilities=shares,
        labels=labels,
        annotators=ratings.annotators,
        competence=agreement_with(ratings, labels),
    )


def majority_vote(
    ratings: Ratings,
    positive: str,
    threshold: Floats | float = 0.5,
    *,
    weights: Mapping[str, float] | None = None,
) -> Aggregated:
    """One of two answers for each item: `positive` above this share of votes, the other below, undecided at it.

    `threshold` is one share, or one for each item (`thresholds_of`).

    >>> ratings = Ratings.of(list("aaabbb"), list("123123"), ["yes", "yes", "no", "no", "no", "yes"])
    >>> majority_vote(ratings, "yes").labels, majority_vote(ratings, "yes", 2 / 3).labels
    (('yes', 'no'), (None, 'no'))
    """
    answers = ratings.scale.answers
    if len(answers) > 2:
        raise InputError(
            f"A threshold parts two answers, but there are {len(answers)}: {', '.join(answers)}. Use plurality."
        )
    found = plurality(ratings, weights=weights)
    other = next((answer for answer in answers if answer != answers[ratings.scale.place(positive)]), None)
    choices = decided(found.share_of(answers[ratings.scale.place(positive)]), threshold)
    labels = tuple(None if is_yes is None else positive if is_yes else other for is_yes in choices)
    return replace(found, labels=labels, competence=agreement_with(ratings, labels))


def agreement_with(ratings: Ratings, labels: tuple[str | None, ...]) -> Floats:
    """Of each annotator: the share of votes on decided items that are as the label; nan where there are none."""
    places = {answer: place for place, answer in enumerate(ratings.scale.answers)}
    unsaid = len(places)  # a label that nobody gave as a whole
    right = np.array([-1 if label is None else places.get(label, unsaid) for label in labels], np.int64)[ratings.item]
    people = len(ratings.annotators)
    compared = np.bincount(ratings.annotator[right >= 0], minlength=people)
    alike = np.bincount(ratings.annotator[right == ratings.answer], minlength=people)
    return np.asarray(np.divide(alike, compared, out=np.full(people, np.nan), where=compared > 0))


def _weights(votes: CodedVotes, ratings: Ratings, weights: Mapping[str, float] | None) -> Floats | None:
    if weights is None:
        return None
    if unknown := next((name for name in weights if name not in ratings.annotators), None):
        raise InputError(f"A weight is given to {unknown!r}, who is no annotator here. Leave it out.")
    if wrong := next((name for name, weight in weights.items() if not 0 < weight < float("inf")), None):
        raise InputError(f"The weight of {wrong} is {weights[wrong]}. Give a number above 0, or leave the votes out.")
    by_place = np.array([weights.get(ratings.annotators[place], 1.0) for place in votes.annotator_places])
    return np.asarray(by_place[votes.annotator])
