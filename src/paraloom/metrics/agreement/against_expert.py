"""What most of a crowd said and what an expert said in, how good the crowd is out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from paraloom.metrics.agreement.coefficient import Coefficient
from paraloom.metrics.agreement.cohen import Confusions, cohen_kappa
from paraloom.metrics.agreement.counts import Floats, Integers
from paraloom.metrics.agreement.majority import ALONE, TIED
from paraloom.metrics.agreement.scale import Scale
from paraloom.metrics.significance import LEVEL, RESAMPLES, SEED, check_resampling, percentile_interval

Measure = Callable[[Floats], Floats]
"""Tables of crowd against expert in, one a row and laid flat; one value each out, nan where it is 0/0."""

NOTHING_SHARED = "no item has both a majority of the crowd and an answer of the expert"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdAgainstExpert:
    """The crowd's majority, item by item, against an expert taken as right (Lan et al., 2017, section 3.3)."""

    compared: int
    tied: int
    """Items with the expert's answer that were left out because the crowd is divided equally."""
    unanswered: int
    """Items with the expert's answer that nobody of the crowd answered."""
    positive: str | None
    """The answer whose precision, recall and F1 are told."""
    confusion: Integers
    """How often the crowd gave the answer of the row and the expert that of the column."""
    coefficients: tuple[Coefficient, ...]
    """`expert-kappa` and `expert-accuracy`; `expert-precision`, `-recall` and `-f1` where an answer is positive."""


def crowd_against_expert(
    scale: Scale,
    crowd: Integers,
    expert: Integers,
    *,
    positive: str | None = None,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> CrowdAgainstExpert:
    """Kappa, accuracy, precision, recall and F1 of the crowd, with intervals by the bootstrap over items.

    `crowd` is the majority of each item as `majority` gives it, `expert` the expert's answer, negative where there is
    none.

    >>> scale = Scale.of(["no", "yes"])
    >>> found = crowd_against_expert(scale, np.array([1, 1, 0, -1]), np.array([1, 0, 0, 1]), positive="yes")
    >>> {one.name: round(one.value, 3) for one in found.coefficients if one.name.endswith(("kappa", "f1"))}
    {'expert-kappa': 0.4, 'expert-f1': 0.667}
    """
    check_resampling(resamples, level, seed)
    has_expert = expert >= 0
    compared = has_expert & (crowd >= 0)
    width = len(scale.answers)
    cells = np.bincount(crowd[compared] * width + expert[compared], minlength=width * width)
    place = None if positive is None else scale.place(positive)
    measures = _measures(scale, place)
    items = int(cells.sum())
    drawn = np.random.default_rng(seed).multinomial(items, cells / items, resamples) if items > 1 else None
    coefficients = []
    for name, (measure, why_none) in measures.items():
        value = float(measure(cells[None, :].astype(np.float64))[0]) if items else float("nan")
        if np.isnan(value):
            coefficients.append(Coefficient(name=name, value=None, why_none=why_none if items else NOTHING_SHARED))
            continue
        interval = None if drawn is None else percentile_interval(measure(drawn.astype(np.float64)), level, seed)
        coefficients.append(Coefficient(name=name, value=value, interval=interval))
    return CrowdAgainstExpert(
        compared=items,
        tied=int((has_expert & (crowd == TIED)).sum()),
        unanswered=int((has_expert & (crowd == ALONE)).sum()),
        positive=positive,
        confusion=cells.reshape(width, width),
        coefficients=tuple(coefficients),
    )


def _measures(scale: Scale, positive: int | None) -> dict[str, tuple[Measure, str]]:
    """Each measure's name, and why it may have no value."""
    width = len(scale.answers)

    def kappa(tables: Floats) -> Floats:
        table, cell = np.nonzero(tables)
        found = Confusions(
            scale=scale,
            tables=len(tables),
            table=table,
            one=cell // width,
            other=cell % width,
            count=tables[table, cell],
        )
        return cohen_kappa(found).kappa

    def accuracy(tables: Floats) -> Floats:
        right = tables.reshape(-1, width, width).trace(axis1=1, axis2=2)
        return np.asarray(right / tables.sum(axis=1))

    measures: dict[str, tuple[Measure, str]] = {
        "expert-kappa": (kappa, "the crowd and the expert always gave the same one answer"),
        "expert-accuracy": (accuracy, NOTHING_SHARED),
    }
    if positive is None:
        return measures

    def hits(tables: Floats) -> tuple[Floats, Floats, Floats]:
        square = tables.reshape(-1, width, width)
        return square[:, positive, positive], square[:, positive, :].sum(axis=1), square[:, :, positive].sum(axis=1)

    answer = scale.answers[positive]
    return measures | {
        "expert-precision": (lambda tables: _over(hits(tables)[0], hits(tables)[1]), f"the crowd never said {answer}"),
        "expert-recall": (lambda tables: _over(hits(tables)[0], hits(tables)[2]), f"the expert never said {answer}"),
        "expert-f1": (
            lambda tables: _over(2 * hits(tables)[0], hits(tables)[1] + hits(tables)[2]),
            f"neither ever said {answer}",
        ),
    }


def _over(part: Floats, whole: Floats) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0))
