"""Votes in, answers and how far each annotator can be trusted out (Hovy et al., 2013): MACE.

For each vote an annotator either knows the true answer and gives it, or spams: gives one by a habit that does not
depend on the item. Nobody is held for an adversary: whoever is mostly wrong is a spammer, whose votes count little.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from paraloom.errors import InputError
from paraloom.labels.aggregate.coded import CodedVotes
from paraloom.labels.aggregate.digamma import digamma
from paraloom.labels.aggregate.result import Aggregated, Floats, most_probable
from paraloom.metrics.agreement.counts import summed
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.significance import SEED

RESTARTS = 10
ITERATIONS = 50
TOLERANCE = 1e-5
SMOOTHING = 0.01
"""Shared among the answers and added to expected counts in plain EM (the authors' program)."""
NOISE = 0.5
"""Starting values are drawn from 1 to 1 + this, then normalised (the same)."""
KNOWING_PRIOR = (0.5, 0.5)
"""Beta prior of spamming and knowing for variational Bayes (the same)."""
HABIT_PRIOR = 10.0
"""Symmetric Dirichlet prior of each habit (the same)."""

Inference = Literal["vb", "em"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MaceState:
    """What is learned of each annotator. Under variational Bayes rows sum to somewhat less than 1."""

    knowing: Floats
    """Annotators by two: how probable it is that a vote is spam, and that it is known."""
    habit: Floats
    """Annotators by answers: which answers spam consists of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MaceRun:
    """One training from one start."""

    state: MaceState
    knowing_counts: Floats
    probabilities: Floats
    log_likelihood: float
    iterations: int
    converged: bool


def mace(
    ratings: Ratings,
    *,
    inference: Inference = "vb",
    restarts: int = RESTARTS,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
    seed: int = SEED,
) -> Aggregated:
    """The best of several trainings from random starts; competence is the expected share of votes that are no spam.

    `inference` is variational Bayes (`vb`, the paper's best) or expectation maximisation (`em`). A training ends
    after so many iterations, or where one changes the probabilities of an item by no more than `tolerance` in all,
    on average.

    >>> said = {"ann": "yes yes no no", "bob": "yes yes no no", "eve": "yes yes yes yes"}
    >>> rows = [(str(item), who, answer) for who, told in said.items() for item, answer in enumerate(told.split())]
    >>> found = mace(Ratings.of(*zip(*rows)))
    >>> found.labels, (found.competence > 0.5).tolist()
    (('yes', 'yes', 'no', 'no'), [True, True, False])
    """
    if inference not in _MAXIMISED:
        raise InputError(f"There is no inference called {inference!r}. Choose one of {', '.join(_MAXIMISED)}.")
    if restarts < 1 or iterations < 1 or seed < 0:
        raise InputError("MACE needs at least one restart and one iteration, and a seed from 0 on.")
    votes = CodedVotes.of(ratings)
    random = np.random.default_rng(seed)
    best: MaceRun | None = None
    for _ in range(restarts):
        run = train_mace(votes, random_start(votes, random), inference, iterations, tolerance)
        if best is None or run.log_likelihood > best.log_likelihood:
            best = run
    assert best is not None
    probabilities = votes.spread_items(best.probabilities, ratings)
    counted = best.knowing_counts + (KNOWING_PRIOR if inference == "vb" else 0.0)
    return Aggregated(
        method="mace",
        settings={
            "inference": inference,
            "restarts": restarts,
            "iterations": iterations,
            "tolerance": f"{tolerance:g}",
            "seed": seed,
        },
        items=ratings.items,
        answers=ratings.scale.answers,
        probabilities=probabilities,
        labels=most_probable(probabilities, ratings.scale.answers),
        annotators=ratings.annotators,
        competence=votes.spread_annotators(counted[:, 1] / counted.sum(axis=1), ratings),
        log_likelihood=best.log_likelihood,
        iterations=best.iterations,
        converged=best.converged,
    )


def random_start(votes: CodedVotes, random: np.random.Generator) -> MaceState:
    """Everybody about half a spammer without a habit."""
    knowing = random.uniform(1, 1 + NOISE, (votes.annotators, 2))
    habit = random.uniform(1, 1 + NOISE, (votes.annotators, votes.classes))
    return MaceState(
        knowing=knowing / knowing.sum(axis=1, keepdims=True), habit=habit / habit.sum(axis=1, keepdims=True)
    )


def train_mace(votes: CodedVotes, start: MaceState, inference: Inference, iterations: int, tolerance: float) -> MaceRun:
    """One training; what it ends with is how the votes look under the last state."""
    state = start
    probabilities, likelihood, knowing, habit = _expected(votes, state)
    converged, done = False, 0
    while not converged and done < iterations:
        before, done = probabilities, done + 1
        state = _MAXIMISED[inference](knowing, habit)
        probabilities, likelihood, knowing, habit = _expected(votes, state)
        converged = float(np.abs(probabilities - before).sum()) <= tolerance * votes.items
    return MaceRun(
        state=state,
        knowing_counts=knowing,
        probabilities=probabilities,
        log_likelihood=likelihood,
        iterations=done,
        converged=converged,
    )


def _expected(votes: CodedVotes, state: MaceState) -> tuple[Floats, float, Floats, Floats]:
    """Items by answers, the log-likelihood, and the expected counts of knowing or not and of each answer as spam.

    An answer is right by knowing or by spam and wrong by spam alone. So the probability of an item's votes, if one
    answer is true, is that of all as spam times what each vote for that answer gains by being perhaps known.
    """
    spam = (state.knowing[:, :1] * state.habit).ravel()
    right = spam + np.repeat(state.knowing[:, 1], votes.classes)
    all_spam = summed(votes.item, np.log(spam).take(votes.cell), votes.items)
    gains = summed(
        votes.item * votes.classes + votes.answer, np.log(right / spam).take(votes.cell), votes.items * votes.classes
    )
    logs = gains.reshape(votes.items, votes.classes)
    highest = logs.max(axis=1, keepdims=True)
    found = np.exp(logs - highest)
    total = found.sum(axis=1, keepdims=True)
    likelihood = float((all_spam - np.log(votes.classes) + (highest + np.log(total))[:, 0]).sum())
    probabilities = found / total
    as_said = probabilities.ravel().take(votes.item * votes.classes + votes.answer)
    cells = votes.annotators * votes.classes
    said = np.bincount(votes.cell, minlength=cells).astype(np.float64)
    known = summed(votes.cell, as_said, cells) * (1 - spam / right)
    known_by_answer = known.reshape(votes.annotators, votes.classes)
    habit = np.maximum(said - known, 0.0).reshape(votes.annotators, votes.classes)
    return probabilities, likelihood, np.column_stack([habit.sum(axis=1), known_by_answer.sum(axis=1)]), habit


def _by_counts(knowing: Floats, habit: Floats) -> MaceState:
    smoothing = SMOOTHING / habit.shape[1]
    knowing, habit = knowing + smoothing, habit + smoothing
    return MaceState(
        knowing=knowing / knowing.sum(axis=1, keepdims=True), habit=habit / habit.sum(axis=1, keepdims=True)
    )


def _by_priors(knowing: Floats, habit: Floats) -> MaceState:
    return MaceState(knowing=_variational(knowing + KNOWING_PRIOR), habit=_variational(habit + HABIT_PRIOR))


def _variational(counts: Floats) -> Floats:
    return np.asarray(np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True))))


_MAXIMISED: dict[str, Callable[[Floats, Floats], MaceState]] = {"vb": _by_priors, "em": _by_counts}
