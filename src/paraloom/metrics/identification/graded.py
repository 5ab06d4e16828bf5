"""Graded labels in, how well they were predicted out: the Turku scheme (Kanerva et al., 2023, section 4 and Table 4).

A label is a number and, behind 4 alone, flags: `<` or `>` points to the more general side, `i` is a minor deviation,
`s` a difference of style. 4 is a paraphrase in every context, 3 in this one, 2 is related, 1 is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

BASES = ("1", "2", "3", "4")
TURNED = {"<": ">", ">": "<", "": ""}
MERGED = ("1", "2", "3", "4<", "4>", "4")
"""Labels of the table's upper part, in its order: with the direction, without the other flags."""
FLAGS = ("i", "s")
"""Those of its lower part."""

_LABEL = re.compile(r"(?=[^<>]*[<>]?[^<>]*$)([1-4])([<>is]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """One graded label, taken apart."""

    base: str
    direction: str = ""
    """`<`, `>` or nothing."""
    minor: bool = False
    style: bool = False

    @property
    def label(self) -> str:
        """As the corpus writes it: `4>is`."""
        return f"{self.base}{self.direction}{'i' if self.minor else ''}{'s' if self.style else ''}"

    @property
    def merged(self) -> str:
        """The base label with the direction alone: a row of the table's upper part."""
        return f"{self.base}{self.direction}"

    @property
    def is_paraphrase(self) -> bool:
        """Whether the texts mean the same, at least in their context."""
        return self.base in ("3", "4")

    def turned(self) -> Grade:
        """The grade of the same texts in the other order.

        >>> read_grade("4>s").turned().label
        '4<s'
        """
        return replace(self, direction=TURNED[self.direction])


def read_grade(label: str) -> Grade:
    """A label taken apart; its flags may stand in any order.

    >>> read_grade("4si>").label
    '4>is'
    """
    found = _LABEL.fullmatch(label.strip())
    flags = found[2] if found else ""
    if not found or len(set(flags)) < len(flags) or (flags and found[1] != "4"):
        raise InputError(
            f"{label!r} is no graded label. It is a number from 1 to 4, and behind a 4 any of the flags <, > (one of "
            "them), i and s. Leave out pairs that were skipped (x)."
        )
    direction = next((flag for flag in flags if flag in "<>"), "")
    return Grade(base=found[1], direction=direction, minor="i" in flags, style="s" in flags)


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
