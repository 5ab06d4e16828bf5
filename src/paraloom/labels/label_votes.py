"""Votes on pairs in, a label for each pair out: the table `labels`, as people judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.labels.aggregate.majority import agreement_with
from paraloom.labels.aggregate.methods import aggregate
from paraloom.labels.aggregate.result import SAME, Aggregated, Floats, Integers, decided
from paraloom.labels.aggregate.thresholds import HALF, threshold_told, thresholds_of
from paraloom.labels.grade_vote import voted_grade
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.identification.graded import NO, SKIP, YES, is_paraphrase
from paraloom.metrics.measured import signature
from paraloom.metrics.significance import SEED
from paraloom.tables import Label, schema

if TYPE_CHECKING:
    import pyarrow as pa

Flags = NDArray[np.bool_]

GRADED = "graded"
DECISION = "decision"
"""Who labelled a pair on which an expert decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledVotes:
    """Labels, and how the votes were joined."""

    table: pa.Table
    """One `Label` row an item, by their ids; undecided ones have neither true nor false."""
    aggregated: Aggregated
    labelled_by: str
    """Signature of how votes were joined; rows that experts decided have one of their own."""
    decided: int = 0
    """Rows whose label is a decision."""


def label_votes(
    ratings: Ratings,
    *,
    definition: str = "loose",
    method: str = "majority",
    threshold: float | None = None,
    seed: int = SEED,
    decisions: Mapping[str, str | None] | None = None,
    left_ids: Mapping[str, str] | None = None,
    also: Sequence[tuple[str, object]] = (),
) -> LabelledVotes:
    """Join votes of `1` and `0`, or for the definition `graded` graded labels, into `Label` rows.

    `score` is the share of votes for a paraphrase or, of a model, its probability; `threshold` is what it must exceed
    (`thresholds_of`). Under `graded`, `grade` is voted on step by step (`voted_grade`), and `x` makes the pair neither.
    By item, `decisions` are labels that stand in place of the vote, of which `score` and `votes` still tell, and
    `left_ids` the sentences on the left of the grades. `also` are more settings for the signature.

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
    decided_on = decisions or {}
    if unknown := next(iter(sorted(set(decided_on) - set(ratings.items))), None):
        raise InputError(f"There is a decision on {unknown!r}, which is no item of the votes.")
    share = HALF if threshold is None else threshold
    nobody_voted = bool(decided_on) and not len(ratings.answer)
    found = _without_votes(ratings, method) if nobody_voted else aggregate(ratings, method, seed=seed)
    yes, skipped = _kinds(found.answers, definition)
    votes_for, votes = _counted(ratings, yes), _counted(ratings, ~skipped)
    scores, skip = _scores(found.probabilities, yes, skipped)
    thresholds = thresholds_of(votes, definition, threshold) if method == "majority" else share
    said = [
        None if is_out else one for one, is_out in zip(decided(scores, thresholds), skip > HALF - SAME, strict=True)
    ]
    grades: list[str | None] = _grades(found, said) if definition == GRADED else [None] * len(said)
    told = threshold_told(definition, threshold) if method == "majority" else f"{share:g}"
    settings = {"definition": definition, "threshold": told, **found.settings}
    labelled_by = signature(method, settings | ({"decisions": len(decided_on)} if decided_on else {}) | dict(also))
    by_decision = signature(DECISION, {"definition": definition, **dict(also)})
    labellers = [labelled_by] * len(said)
    for place, item in enumerate(found.items):
        if item in decided_on:
            said[place], grades[place] = _settled(decided_on[item], definition)
            labellers[place] = by_decision
    if method == "majority":  # there, competence is how often somebody says what the result says
        results = tuple(grades) if definition == GRADED else tuple(map(_vote, said))
        found = replace(found, labels=results, competence=agreement_with(ratings, results))
    table = _table(
        pair_id=found.items,
        definition=[definition] * len(said),
        is_paraphrase=said,
        grade=grades,
        score=[None if np.isnan(score) else round(min(float(score), 1.0), 6) for score in scores],
        votes_for=votes_for,
        votes=votes,
        labelled_by=labellers,
        left_id=_lefts(found.items, grades, left_ids or {}),
    )
    return LabelledVotes(table=table, aggregated=found, labelled_by=labelled_by, decided=len(decided_on))


def _without_votes(ratings: Ratings, method: str) -> Aggregated:
    """What any method would tell of items on which nobody voted: nothing."""
    items, people = len(ratings.items), len(ratings.annotators)
    return Aggregated(
        method=method,
        items=ratings.items,
        answers=ratings.scale.answers,
        probabilities=np.full((items, len(ratings.scale.answers)), np.nan),
        labels=(None,) * items,
        annotators=ratings.annotators,
        competence=np.full(people, np.nan),
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
    rest = 1 - skip if len(yes) else np.zeros(len(skip))  # where nobody said anything, nothing is left
    found = probabilities[:, yes].sum(axis=1)
    return np.divide(found, rest, out=np.full(len(rest), np.nan), where=rest > 1e-12), skip


def _grades(found: Aggregated, said: list[bool | None]) -> list[str | None]:
    """The grade of each item; none where nobody voted, whose shares are nan."""
    return [
        voted_grade({label: share for label, share in zip(found.answers, row, strict=True) if share > 0}, one)
        for row, one in zip(found.probabilities.tolist(), said, strict=True)
    ]


def _vote(said: bool | None) -> str | None:
    return None if said is None else YES if said else NO


def _settled(answer: str | None, definition: str) -> tuple[bool | None, str | None]:
    """What a decision says: a paraphrase or not, and its grade."""
    if definition == GRADED and answer is not None:
        return is_paraphrase(answer), answer
    return None if answer is None else answer == YES, None


def _lefts(items: Sequence[str], grades: Sequence[str | None], left_ids: Mapping[str, str]) -> list[str | None]:
    return [left_ids.get(item) if grade is not None else None for item, grade in zip(items, grades, strict=True)]


def _table(**columns: Sequence[object] | Integers) -> pa.Table:
    """`Label` rows by their ids."""
    import pyarrow as pa

    target = schema(Label)
    made = {name: pa.array(values, target.field(name).type) for name, values in columns.items()}
    return pa.table(made).cast(target).sort_by("pair_id")
