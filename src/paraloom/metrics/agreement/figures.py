"""Ratings in, every figure of agreement out: of the crowd as a whole, of each annotator and pair, and by an expert."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.agreement.against_expert import CrowdAgainstExpert, crowd_against_expert
from paraloom.metrics.agreement.coefficient import (
    NOTHING_TO_COMPARE,
    ONE_ANSWER,
    Coefficient,
    Prepare,
    coefficient_intervals,
)
from paraloom.metrics.agreement.cohen import (
    Confusions,
    PairKappas,
    Weights,
    answer_confusion,
    cohen_kappa,
    pair_kappas,
)
from paraloom.metrics.agreement.counts import AnswerCounts, Integers
from paraloom.metrics.agreement.fleiss import fleiss_kappa, fleiss_of_times, is_generalised
from paraloom.metrics.agreement.gwet import ac1_of_times, ac2_of_times, gwet_ac1, gwet_ac2
from paraloom.metrics.agreement.krippendorff import alpha_of_times, krippendorff_alpha
from paraloom.metrics.agreement.majority import majority
from paraloom.metrics.agreement.people import MIN_KAPPA, AnnotatorFigures, answer_by_item, known, measure_people
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.agreement.raw import raw_agreement, raw_of_times, unanimous_share
from paraloom.metrics.significance import RESAMPLES, SEED

MOST_ANSWERS = 12
"""With more different answers, a table of answers against answers is not made."""

MOST_PAIRS = 1000
"""Of annotators who are told one by one; the means are of all."""

ONE_PERSON = "there is only one annotator"

COEFFICIENTS: dict[str, tuple[Callable[[AnswerCounts], Coefficient], Prepare]] = {
    "krippendorff-alpha": (krippendorff_alpha, alpha_of_times),
    "fleiss-kappa": (fleiss_kappa, fleiss_of_times),
    "gwet-ac1": (gwet_ac1, ac1_of_times),
    "gwet-ac2": (gwet_ac2, ac2_of_times),
    "raw-agreement": (raw_agreement, raw_of_times),
}
"""What follows from counts of answers alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFigures:
    """Two annotators on the items both answered."""

    one: str
    other: str
    shared: int
    agreement: float
    kappa: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementFigures:
    """How far people agree. The expert's answers, where there is one, are apart from the crowd's."""

    level: str
    answers: tuple[str, ...]
    totals: tuple[int, ...]
    """How often each answer was given."""
    items: int
    """With an answer."""
    items_compared: int
    """With two answers or more."""
    ratings: int
    annotators: int | None
    """None where votes do not say who gave them."""
    fewest: int
    """Answers to an item."""
    most: int
    generalised: bool
    """Items have different numbers of answers, so Fleiss' kappa is the generalised form."""
    unanimous: float | None
    """Share of the compared items on which all agree."""
    tied: int
    """Items whose most frequent answer is not one alone."""
    coefficients: tuple[Coefficient, ...]
    people: tuple[AnnotatorFigures, ...]
    min_kappa: float
    alpha_of_kept: Coefficient | None
    """Alpha without annotators below the cut; None where nobody is."""
    pair_count: int
    pairs: tuple[PairFigures, ...]
    """Those that share the most items first, at most `MOST_PAIRS`."""
    confusion: tuple[tuple[int, ...], ...] | None
    """How often one person said the answer of the row and another that of the column; None for many answers."""
    expert_answers: tuple[str, ...]
    """Those of the crowd and of the expert: rows and columns of the table of both."""
    expert_name: str | None
    expert: CrowdAgainstExpert | None


def measure_agreement(
    ratings: Ratings,
    *,
    expert: str | None = None,
    positive: str | None = None,
    min_kappa: float = MIN_KAPPA,
    nameless: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> AgreementFigures:
    """All figures of the ratings; `nameless` where who gave an answer is not known, so people are not compared.

    >>> ratings = Ratings.of(list("aaabbb"), list("123123"), ["yes", "yes", "no", "no", "no", "no"])
    >>> found = measure_agreement(ratings)
    >>> {one.name: round(one.value, 3) for one in found.coefficients if one.name.startswith(("kripp", "raw"))}
    {'krippendorff-alpha': 0.375, 'raw-agreement': 0.667}
    """
    if not -1 <= min_kappa <= 1:
        raise InputError(f"A kappa of {min_kappa} does not exist. Give a cut from -1 to 1, such as .4.")
    with_expert = ratings if expert is None else ratings.without(expert)
    # An answer of the expert's alone changes no figure of the crowd: it was never one of the crowd's answers.
    crowd = ratings if expert is None else with_expert.narrowed()
    right = None if expert is None else answer_by_item(ratings.only(expert))
    counts = crowd.counts()
    answers = counts.answers_a_row[counts.answers_a_row > 0]
    said = majority(with_expert.counts())
    pairs = pair_kappas(crowd)
    people: tuple[AnnotatorFigures, ...] = ()
    if not nameless:
        people = measure_people(with_expert, right, min_kappa=min_kappa, resamples=resamples, seed=seed)
    low = [person.name for person in people if person.is_low]
    return AgreementFigures(
        level=ratings.scale.level,
        answers=crowd.scale.answers,
        totals=tuple(counts.totals().tolist()),
        items=len(answers),
        items_compared=counts.items_to_compare,
        ratings=len(crowd.answer),
        annotators=None if nameless else len(np.unique(crowd.annotator)),
        fewest=int(answers.min()) if len(answers) else 0,
        most=int(answers.max()) if len(answers) else 0,
        generalised=is_generalised(counts),
        unanimous=unanimous_share(counts),
        tied=int((said[counts.answers_a_row > 0] < 0).sum()),
        coefficients=(*_of_counts(counts, resamples, seed), *(() if nameless else _means(crowd, pairs))),
        people=people,
        min_kappa=min_kappa,
        alpha_of_kept=_alpha_without(crowd, low) if low else None,
        pair_count=0 if nameless else len(pairs.one),
        pairs=() if nameless else _most_shared(crowd, pairs),
        confusion=_confusion(pairs.confusions),
        expert_answers=ratings.scale.answers,
        expert_name=expert,
        expert=None
        if right is None
        else crowd_against_expert(ratings.scale, said, right, positive=positive, resamples=resamples, seed=seed),
    )


def _of_counts(counts: AnswerCounts, resamples: int, seed: int) -> list[Coefficient]:
    names = [name for name in COEFFICIENTS if name != "gwet-ac2" or counts.scale.level != "nominal"]
    prepared = {name: COEFFICIENTS[name][1] for name in names}
    intervals = coefficient_intervals(counts, prepared, resamples=resamples, seed=seed)
    found = [COEFFICIENTS[name][0](counts) for name in names]
    return [replace(one, interval=None if one.value is None else intervals[one.name]) for one in found]


def _means(crowd: Ratings, pairs: PairKappas) -> list[Coefficient]:
    """Of all pairs; without intervals, since pairs share people and items and cannot be drawn one by one."""
    weightings: tuple[Weights, ...] = ("none",) if crowd.scale.level == "nominal" else ("none", "linear", "quadratic")
    found = []
    for weights in weightings:
        kind = "" if weights == "none" else f"-{weights}"
        kappas = replace(pairs, kappas=cohen_kappa(pairs.confusions, weights))
        why_none = _why_no_mean(crowd, kappas)
        for name, value in (("mean", kappas.mean()), ("mean-by-items", kappas.mean_by_items())):
            found.append(Coefficient(name=f"cohen-kappa{kind}-{name}", value=value, why_none=why_none))
    return found


def _why_no_mean(crowd: Ratings, pairs: PairKappas) -> str | None:
    if pairs.defined.any():
        return None
    if len(np.unique(crowd.annotator)) < 2:
        return ONE_PERSON
    return ONE_ANSWER if len(pairs.one) else NOTHING_TO_COMPARE


def _most_shared(crowd: Ratings, pairs: PairKappas) -> tuple[PairFigures, ...]:
    order: Integers = np.lexsort((pairs.other, pairs.one, -pairs.kappas.shared))[:MOST_PAIRS]
    return tuple(
        PairFigures(
            one=crowd.annotators[pairs.one[place]],
            other=crowd.annotators[pairs.other[place]],
            shared=int(pairs.kappas.shared[place]),
            agreement=float(pairs.kappas.agreement[place]),
            kappa=known(pairs.kappas.kappa[place]),
        )
        for place in order
    )


def _alpha_without(crowd: Ratings, low: list[str]) -> Coefficient:
    return replace(krippendorff_alpha(crowd.without(*low).counts()), name="krippendorff-alpha-of-kept")


def _confusion(confusions: Confusions) -> tuple[tuple[int, ...], ...] | None:
    if len(confusions.scale.answers) > MOST_ANSWERS:
        return None
    return tuple(tuple(row) for row in answer_confusion(confusions).tolist())
