"""Labels that may be wrong and a teacher's probabilities in, the labels to learn from out.

Three ways: leave out or turn what the teacher holds for unlikely (Dou et al., 2022, section 3.2), or find it by
confident learning (Northcutt et al., 2021), which needs no limit but takes the teacher's own confidence for one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.labels.noise_options import NoiseOptions, check_limit

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

UNLIKELY = "noise: unlikely to the teacher"
CONFIDENTLY_OTHER = "noise: confidently another label"

SAME = 1e-9
"""Probabilities this near to a threshold count as reaching it: a mean of equal numbers may be off in its last digit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """Labels after noise was dealt with, one for each label that was given."""

    targets: Floats
    """1 or 0; turned where `flipped` says so."""
    flipped: Flags
    dropped_for: tuple[str | None, ...]
    """A reason, or None where the pair is kept."""

    @property
    def kept(self) -> NDArray[np.int64]:
        """The numbers of the pairs to learn from."""
        return np.flatnonzero([reason is None for reason in self.dropped_for])

    @property
    def dropped(self) -> int:
        """How many are left out."""
        return len(self.dropped_for) - len(self.kept)


def clean_labels(targets: Floats, teacher: Floats, options: NoiseOptions = NoiseOptions()) -> Cleaned:
    """Deal with noisy labels as the options say; `teacher` is its probability of a paraphrase for each pair.

    >>> given, teacher = np.array([1.0, 1.0, 0.0]), np.array([0.9, 0.1, 0.2])
    >>> clean_labels(given, teacher, NoiseOptions(method="flip")).targets.tolist()
    [1.0, 0.0, 0.0]
    >>> clean_labels(given, teacher, NoiseOptions(method="filter")).dropped_for
    (None, 'noise: unlikely to the teacher', None)
    """
    if options.method not in METHODS:
        raise InputError(f"There is no way {options.method!r} to deal with noise. Choose one of: {', '.join(METHODS)}.")
    return METHODS[options.method](_checked(targets, teacher), teacher, options.limit)


def _checked(targets: Floats, teacher: Floats) -> Floats:
    if len(targets) != len(teacher):
        raise InputError(f"There are {len(targets)} labels and {len(teacher)} probabilities. Give one a label.")
    if not np.isin(targets, (0.0, 1.0)).all():
        raise InputError("Labels to clean must be 1 or 0. Leave out undecided pairs first.")
    if not ((teacher >= 0) & (teacher <= 1)).all():
        raise InputError("The teacher's probabilities must be from 0 to 1.")
    return np.asarray(targets, np.float64)


def unlikely(targets: Floats, teacher: Floats, limit: float) -> Flags:
    """Which labels the teacher gives a probability of at most `limit`.

    >>> unlikely(np.array([1.0, 0.0, 0.0]), np.array([0.25, 0.8, 0.7]), limit=0.25).tolist()
    [True, True, False]
    """
    check_limit(limit)
    probability_of_label = np.where(targets == 1, teacher, 1 - teacher)
    return np.asarray(probability_of_label <= limit + SAME)


def _keep(targets: Floats, teacher: Floats, limit: float) -> Cleaned:
    return _cleaned(targets)


def _filter(targets: Floats, teacher: Floats, limit: float) -> Cleaned:
    return _cleaned(targets, dropped=unlikely(targets, teacher, limit), reason=UNLIKELY)


def _flip(targets: Floats, teacher: Floats, limit: float) -> Cleaned:
    return _cleaned(targets, flipped=unlikely(targets, teacher, limit))


def _confident(targets: Floats, teacher: Floats, limit: float) -> Cleaned:
    doubted = confidently_wrong(targets.astype(np.int64), np.column_stack([1 - teacher, teacher]))
    return _cleaned(targets, dropped=doubted, reason=CONFIDENTLY_OTHER)


def _cleaned(targets: Floats, dropped: Flags | None = None, flipped: Flags | None = None, reason: str = "") -> Cleaned:
    nothing = np.zeros(len(targets), np.bool_)
    turned = nothing if flipped is None else flipped
    left_out = nothing if dropped is None else dropped
    return Cleaned(
        targets=np.where(turned, 1 - targets, targets),
        flipped=turned,
        dropped_for=tuple(reason if is_out else None for is_out in left_out.tolist()),
    )


METHODS: dict[str, Callable[[Floats, Floats, float], Cleaned]] = {
    "none": _keep,
    "filter": _filter,
    "flip": _flip,
    "confident": _confident,
}
"""Every way to deal with noise, by its name."""


def confident_joint(labels: NDArray[np.int64], probabilities: Floats) -> NDArray[np.int64]:
    """How many pairs with each given label are confidently of each label (Northcutt et al., 2021, section 3.1).

    A pair is confidently of a label where its probability is at least the mean probability of that label among the
    pairs that have it; of several such labels the most probable counts.

    >>> probabilities = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8], [0.1, 0.9]])
    >>> confident_joint(np.array([0, 0, 0, 1, 1]), probabilities).tolist()
    [[2, 1], [0, 1]]
    """
    classes = probabilities.shape[1]
    thresholds = np.array(
        [probabilities[labels == one, one].mean() if (labels == one).any() else np.inf for one in range(classes)]
    )
    confident = probabilities >= thresholds - SAME
    most_probable = np.where(confident, probabilities, -1.0).argmax(axis=1)
    counted = confident.any(axis=1)
    joint = np.zeros((classes, classes), np.int64)
    np.add.at(joint, (labels[counted], most_probable[counted]), 1)
    return joint


def confidently_wrong(labels: NDArray[np.int64], probabilities: Floats) -> Flags:
    """Which labels to prune, by noise rate (Northcutt et al., 2021, section 3.2).

    The joint counts, scaled so that each given label has as many pairs as it has, say how many of label i are really
    j; so many of those with the largest margin of j over i are pruned.

    >>> probabilities = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8], [0.1, 0.9]])
    >>> confidently_wrong(np.array([0, 0, 0, 1, 1]), probabilities).tolist()
    [False, False, True, False, False]
    """
    joint = confident_joint(labels, probabilities)
    pruned = np.zeros(len(labels), np.bool_)
    for given in range(len(joint)):
        rows = np.flatnonzero(labels == given)
        confident = int(joint[given].sum())
        for other in range(len(joint)):
            if other == given or not confident:
                continue
            count = round(len(rows) * int(joint[given, other]) / confident)
            margins = probabilities[rows, other] - probabilities[rows, given]
            pruned[rows[np.argsort(-margins, kind="stable")[:count]]] = True
    return pruned
