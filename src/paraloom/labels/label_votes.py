"""Votes on pairs in, a label for each pair out: the table `labels`, as people judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.labels.aggregate.methods import aggregate
from paraloom.labels.aggregate.result import Aggregated, Floats, Integers, decided
from paraloom.labels.aggregate.thresholds import HALF, threshold_told, thresholds_of
from paraloom.labels.graded import SKIP, is_paraphrase
from paraloom.labels.votes_of_judgments import YES
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.measured import signature
from paraloom.metrics.significance import SEED
from paraloom.tables import Label, schema

if TYPE_CHECKING:
    import pyarrow as pa

Flags = NDArray[np.bool_]

GRADED = "graded"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledVotes:
    """Labels, and how the votes were joined."""

    table: pa.Table
    """One `Label` row an item, by their ids; undecided ones have neither true nor false."""
    aggregated: Aggregated
    labelled_by: str


def label_votes(
    ratings: Ratings,
    *,
    definition: str = "loose",
    method: str = "majority",
    threshold: float | None = None,
    seed: int = SEED,
    also: Sequence[tuple[str, object]] = (),
) -> LabelledVotes:
    """Join votes of `1` and `0`, or for the definition `graded` graded labels, into `Label` rows.

    `score` is the share of votes for a paraphrase or, of a model, its probability; `threshold` is what it must exceed
    (`thresholds_of`). Under `graded`, `grade` is the most probable label and `x` makes the pair neither; `also` are
    more settings for the signature.

    >>> ratings = Ratings.of(list("aaabb"), list("12312"), ["1", "1", "0", "1", "0"], order=("0", "1"))
    >>> labelled = label_votes(ratings)
    >>> labelled.table.select(["pair_id", "is_paraphrase", "score", "votes_for", "votes"]).to_pylist()[1]
    {'pair_id': 'b', 'is_paraphrase': None, 'score': 0.5, 'votes_for': 1, 'votes': 2}
    >>> labelled.labelled_by
    'majority|definition:loose|threshold:3-of-6,2-of-5,else-0.5'
    """
    if method != "majority" and threshold is not None and not 0 <= threshold < 1:
        raise InputError(
            f"--threshold {threshold:g} is a number of votes, but {method} gives probabilities. Give a share below 1."
        )
    share = HALF if threshold is None else threshold
    found = aggregate(ratings, method, seed=seed)
    answers = found.answers
    yes, skipped = _kinds(answers, definition)
    votes_for, votes = _counted(ratings, yes), _counted(ratings, ~skipped)
    scores, skip = _scores(found.probabilities, yes, skipped)
    thresholds = thresholds_of(votes, definition, threshold) if method == "majority" else share
    said = [None if is_out else one for one, is_out in zip(decided(scores, thresholds), skip >= HALF, strict=True)]
    told = threshold_told(definition, threshold) if method == "majority" else f"{share:g}"
    labelled_by = signature(method, {"definition": definition, "threshold": told, **found.settings, **dict(also)})
    return LabelledVotes(
        table=_table(found, definition, said, scores, votes_for, votes, labelled_by),
        aggregated=found,
        labelled_by=labelled_by,
    )


def _kinds(answers: tuple[str, ...], definition: str) -> tuple[Flags, Flags]:
    """Which answers are for a paraphrase, and which skip the pair."""
    if definition == GRADED:
        yes = [is_paraphrase(answer) is True for answer in answers]
        return np.array(yes, np.bool_), np.array([answer == SKIP for answer in answers], np.bool_)
    return np.array([answer == YES for answer in answers], np.bool_), np.zeros(len(answers), np.bool_)


def _counted(ratings: Ratings, kind: Flags) -> Integers:
    return np.bincount(ratings.item[kind[ratings.answer]], minlength=len(ratings.items))


def _scores(probabilities: Floats, yes: Flags, skipped: Flags) -> tuple[Floats, Floats]:
    """How probable a paraphrase is if the pair is not skipped, nan where it surely is; and how probable a skip is."""
    skip = probabilities[:, skipped].sum(axis=1)
    rest = 1 - skip
    found = probabilities[:, yes].sum(axis=1)
    return np.divide(found, rest, out=np.full(len(rest), np.nan), where=rest > 1e-12), skip


def _table(
    found: Aggregated,
    definition: str,
    said: list[bool | None],
    scores: Floats,
    votes_for: Integers,
    votes: Integers,
    labelled_by: str,
) -> pa.Table:
    import pyarrow as pa

    order = sorted(range(len(found.items)), key=lambda place: found.items[place])
    rounded = [None if np.isnan(score) else round(min(float(score), 1.0), 6) for score in scores]
    return pa.table(
        {
            "pair_id": [found.items[place] for place in order],
            "definition": [definition] * len(order),
            "is_paraphrase": pa.array([said[place] for place in order], pa.bool_()),
            "grade": pa.array([found.labels[place] if definition == GRADED else None for place in order], pa.string()),
            "score": pa.array([rounded[place] for place in order], pa.float64()),
            "votes_for": pa.array(votes_for[order]),
            "votes": pa.array(votes[order]),
            "labelled_by": [labelled_by] * len(order),
        }
    ).cast(schema(Label))
