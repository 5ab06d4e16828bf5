"""Ratings in, a row for each annotator out: how far each goes with the others, and with an expert."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from paraloom.metrics.agreement.cohen import Confusions, Kappas, cohen_kappa, kappa_intervals
from paraloom.metrics.agreement.counts import Integers
from paraloom.metrics.agreement.majority import against_others
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.significance import RESAMPLES, SEED, Interval

MIN_KAPPA = 0.4
"""Below it a worker's questions were published again (Lan et al., 2017, section 3.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorFigures:
    """One annotator, against the majority of the others and, where there is one, against the expert."""

    name: str
    answers: int
    compared: int
    """Items on which the others have a majority."""
    tied: int
    """Items on which the others are divided equally."""
    alone: int
    """Items that nobody else answered."""
    agreement: float | None
    kappa: float | None
    """None where nothing is compared, or this annotator and the others always gave the same one answer."""
    interval: Interval | None
    is_low: bool
    """Kappa is below the cut."""
    expert_compared: int | None
    expert_kappa: float | None


def measure_people(
    crowd: Ratings,
    expert: Integers | None = None,
    *,
    min_kappa: float = MIN_KAPPA,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[AnnotatorFigures, ...]:
    """Everybody who answered, the lowest kappa first and those without one last.

    `expert` is the expert's answer to each item, negative where there is none.
    """
    others = against_others(crowd)
    intervals = kappa_intervals(others.confusions, resamples=resamples, seed=seed)
    of_expert = None if expert is None else _against(crowd, expert)
    found = []
    for place in np.flatnonzero(others.answers):
        kappa = known(others.kappas.kappa[place])
        found.append(
            AnnotatorFigures(
                name=crowd.annotators[place],
                answers=int(others.answers[place]),
                compared=int(others.kappas.shared[place]),
                tied=int(others.tied[place]),
                alone=int(others.alone[place]),
                agreement=known(others.kappas.agreement[place]),
                kappa=kappa,
                interval=None if kappa is None else intervals[place],
                is_low=kappa is not None and kappa < min_kappa,
                expert_compared=None if of_expert is None else int(of_expert.shared[place]),
                expert_kappa=None if of_expert is None else known(of_expert.kappa[place]),
            )
        )
    return tuple(sorted(found, key=lambda one: (one.kappa is None, one.kappa or 0.0, one.name)))


def answer_by_item(expert: Ratings) -> Integers:
    """The answer of the one annotator to each item, -1 where there is none."""
    answers = np.full(len(expert.items), -1, dtype=np.int64)
    answers[expert.item] = expert.answer
    return answers


def known(value: float) -> float | None:
    """None for nan."""
    return None if np.isnan(value) else float(value)


def _against(crowd: Ratings, expert: Integers) -> Kappas:
    right = expert[crowd.item]
    both = right >= 0
    return cohen_kappa(
        Confusions.of(crowd.scale, crowd.annotator[both], crowd.answer[both], right[both], len(crowd.annotators))
    )
