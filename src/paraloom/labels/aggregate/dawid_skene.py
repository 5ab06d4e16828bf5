"""Votes in, the most likely answers and everybody's errors out (Dawid and Skene, 1979).

Each annotator has a confusion matrix: how probable each answer is if another one is true. Expectation maximisation
finds these matrices, how frequent each answer is, and the answers together, beginning with the shares of votes. So
one who is mostly wrong is learned to be so, and counts for the opposite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paraloom.errors import InputError
from paraloom.labels.aggregate.coded import CodedVotes
from paraloom.labels.aggregate.result import Aggregated, Floats, most_probable
from paraloom.metrics.agreement.counts import summed
from paraloom.metrics.agreement.ratings import Ratings

SMOOTHING = 5.0
MAX_ITERATIONS = 500
TOLERANCE = 1e-5

FLOOR = 1e-10
"""Expected counts are never less: what was never seen is improbable, not impossible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    prior: Floats
    confusion: Floats
    """Annotators by true answers by given ones."""


def dawid_skene(
    ratings: Ratings,
    *,
    smoothing: float = SMOOTHING,
    max_iterations: int = MAX_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Aggregated:
    """Answers by expectation maximisation from the shares of votes; competence is accuracy under the class prior.

    `smoothing` is how many votes of the average annotator are added to each one's own, so that nobody is trusted or
    turned round for two or three votes; 0 is the paper's maximum likelihood. It ends where an iteration changes the
    probabilities of an item by no more than `tolerance` in all, on average.

    >>> said = {"ann": "yes yes no no", "bob": "yes yes no no", "eve": "no no yes yes"}
    >>> rows = [(str(item), who, answer) for who, told in said.items() for item, answer in enumerate(told.split())]
    >>> found = dawid_skene(Ratings.of(*zip(*rows)), smoothing=0)
    >>> found.labels, found.competence.round(3).tolist()
    (('yes', 'yes', 'no', 'no'), [1.0, 1.0, 0.0])
    """
    if not smoothing >= 0:
        raise InputError(f"Smoothing by {smoothing} votes makes no sense. Give 0 or more.")
    if max_iterations < 1:
        raise InputError(f"{max_iterations} iterations are none. Give at least 1.")
    votes = CodedVotes.of(ratings)
    shares = votes.shares().T.copy()
    likelihood, converged, iterations = -np.inf, False, 0
    while not converged and iterations < max_iterations:
        before, iterations = shares, iterations + 1
        shares, likelihood = _expected(votes, _maximised(votes, shares, smoothing))
        converged = float(np.abs(shares - before).sum()) <= tolerance * votes.items
    model = _maximised(votes, shares, smoothing)
    probabilities = votes.spread_items(shares.T, ratings)
    return Aggregated(
        method="dawid-skene",
        settings={"smoothing": f"{smoothing:g}", "iterations": max_iterations, "tolerance": f"{tolerance:g}"},
        items=ratings.items,
        answers=ratings.scale.answers,
        probabilities=probabilities,
        labels=most_probable(probabilities, ratings.scale.answers),
        annotators=ratings.annotators,
        competence=votes.spread_annotators(np.einsum("k,akk->a", model.prior, model.confusion), ratings),
        confusion=votes.spread_annotators(model.confusion, ratings),
        prior=model.prior,
        log_likelihood=likelihood,
        iterations=iterations,
        converged=converged,
    )


def _maximised(votes: CodedVotes, shares: Floats, smoothing: float) -> _Model:
    """The prior and the confusion matrices that fit best to how probable each answer of each item is."""
    people, classes = votes.annotators, votes.classes
    counts = np.empty((people, classes, classes))
    for true in range(classes):
        counts[:, true, :] = summed(votes.cell, shares[true].take(votes.item), people * classes).reshape(people, -1)
    if smoothing:
        average = np.maximum(counts.sum(axis=0), FLOOR)
        counts += smoothing * average / average.sum(axis=1, keepdims=True)
    counts = np.maximum(counts, FLOOR)
    prior = np.maximum(shares.mean(axis=1), FLOOR)
    return _Model(prior=prior / prior.sum(), confusion=counts / counts.sum(axis=2, keepdims=True))


def _expected(votes: CodedVotes, model: _Model) -> tuple[Floats, float]:
    """Answers by items: how probable each is under the model; and the log-likelihood of all votes."""
    logs = np.log(model.confusion)
    found = np.empty((votes.classes, votes.items))
    for true in range(votes.classes):
        of_cells = np.ascontiguousarray(logs[:, true, :]).ravel()
        found[true] = np.log(model.prior[true]) + summed(votes.item, of_cells.take(votes.cell), votes.items)
    highest = found.max(axis=0)
    np.exp(found - highest, out=found)
    total = found.sum(axis=0)
    return found / total, float((highest + np.log(total)).sum())
