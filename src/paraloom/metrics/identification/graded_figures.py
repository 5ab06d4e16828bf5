"""Graded labels in, how well they were predicted out, as Table 4 of Kanerva et al. (2023) tells it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.identification.graded import FLAGS, MERGED, Grade, read_grade


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFigures:
    """How well one label, or one flag, was predicted; what is not defined is 0."""

    label: str
    precision: float
    recall: float
    f1: float
    support: int
    """How many pairs truly have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedFigures:
    """The figures of one system: for each label and flag, and over complete labels."""

    labels: tuple[LabelFigures, ...]
    """Labels with their direction, then the flags `i` and `s`; those that are in the truth or were predicted."""
    precision: float
    """The mean over complete labels, weighted by their support; so are recall and F1."""
    recall: float
    f1: float
    accuracy: float
    """Share of pairs whose complete label is right."""


def graded_figures(truth: Sequence[str], predicted: Sequence[str]) -> GradedFigures:
    """What Table 4 of Kanerva et al. (2023) prints of a classifier.

    >>> figures = graded_figures(["4>", "4s", "3", "2"], ["4>", "4", "3", "3"])
    >>> [(one.label, one.precision, one.recall) for one in figures.labels]
    [('2', 0.0, 0.0), ('3', 0.5, 1.0), ('4>', 1.0, 1.0), ('4', 1.0, 1.0), ('s', 0.0, 0.0)]
    >>> figures.accuracy, figures.f1
    (0.5, 0.41666666666666663)
    """
    if len(truth) != len(predicted):
        raise InputError(
            f"There are {len(truth)} true labels and {len(predicted)} predicted ones. Give as many of each."
        )
    if not len(truth):
        raise InputError("There is no label to measure on. Give at least one pair.")
    true, said = [read_grade(label) for label in truth], [read_grade(label) for label in predicted]

    def figures_of(label: str, has: Callable[[Grade], bool]) -> LabelFigures:
        return _figures(label, np.array([has(one) for one in true]), np.array([has(one) for one in said]))

    rows = [figures_of(label, lambda one, label=label: one.merged == label) for label in MERGED]  # type: ignore[misc]
    rows += [figures_of("i", lambda one: one.minor), figures_of("s", lambda one: one.style)]
    seen = {one.merged for one in (*true, *said)}
    seen |= {"i" for one in (*true, *said) if one.minor} | {"s" for one in (*true, *said) if one.style}
    complete = [
        figures_of(label, lambda one, label=label: one.label == label)  # type: ignore[misc]
        for label in sorted({one.label for one in true})
    ]
    weights = np.array([one.support for one in complete]) / len(true)
    return GradedFigures(
        labels=tuple(row for row in rows if row.label in seen),
        precision=float(weights @ np.array([one.precision for one in complete])),
        recall=float(weights @ np.array([one.recall for one in complete])),
        f1=float(weights @ np.array([one.f1 for one in complete])),
        accuracy=float(np.mean([one == other for one, other in zip(true, said, strict=True)])),
    )


def mean_of_graded(runs: Sequence[GradedFigures]) -> GradedFigures:
    """Several trainings measured on the same pairs as one: every figure is the mean of theirs.

    >>> truth = ["4>", "3", "2"]
    >>> found = mean_of_graded([graded_figures(truth, ["4>", "3", "2"]), graded_figures(truth, ["4", "3", "3"])])
    >>> [(one.label, one.precision, one.support) for one in found.labels]
    [('2', 0.5, 1), ('3', 0.75, 1), ('4>', 0.5, 1), ('4', 0.0, 0)]
    >>> round(found.accuracy, 3)
    0.667
    """
    if not runs:
        raise InputError("There is no training to take the mean of. Give the figures of at least one.")
    by_label = [{one.label: one for one in run.labels} for run in runs]
    rows = []
    for label in (*MERGED, *FLAGS):
        nothing = LabelFigures(label=label, precision=0, recall=0, f1=0, support=0)
        if any(label in found for found in by_label):
            told = [found.get(label, nothing) for found in by_label]
            rows.append(
                LabelFigures(
                    label=label,
                    precision=float(np.mean([one.precision for one in told])),
                    recall=float(np.mean([one.recall for one in told])),
                    f1=float(np.mean([one.f1 for one in told])),
                    support=max(one.support for one in told),
                )
            )
    return GradedFigures(
        labels=tuple(rows),
        precision=float(np.mean([run.precision for run in runs])),
        recall=float(np.mean([run.recall for run in runs])),
        f1=float(np.mean([run.f1 for run in runs])),
        accuracy=float(np.mean([run.accuracy for run in runs])),
    )


def _figures(label: str, truth: NDArray[np.bool_], said: NDArray[np.bool_]) -> LabelFigures:
    found, named, support = int((truth & said).sum()), int(said.sum()), int(truth.sum())
    return LabelFigures(
        label=label,
        precision=found / max(1, named),
        recall=found / max(1, support),
        f1=2 * found / max(1, named + support),
        support=support,
    )
