"""Votes of workers in, targets out: how many must say paraphrase depends on what is meant by one.

More votes than the threshold make a paraphrase, fewer make none, and at the threshold a pair is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

VOTE_THRESHOLDS: dict[str, dict[int, int]] = {
    "loose": {6: 3, 5: 2},
    "strict": {6: 4, 5: 3},
}
"""By definition, then by the number of workers. 3 of 6 is that of Lan et al. (2017) and Dou et al. (2022, section 3);
4 of 6 is where the latter move it to come nearer to the strict definition (section 3.2); 2 of 5 is what the organisers
of PIT-2015 advise (Xu et al., 2015). 3 of 5 is ours: the same move by one vote, of which no paper tells."""


def targets_from_votes(votes: NDArray[np.int64] | Sequence[Sequence[int]], threshold: int) -> NDArray[np.float64]:
    """1 above the threshold, 0 below it, NaN at it or where nobody voted; a row of votes is (yes, of how many).

    >>> targets_from_votes([(5, 6), (3, 6), (0, 6), (0, 0)], threshold=3).tolist()
    [1.0, nan, 0.0, nan]
    """
    yes, of = _checked(votes)
    if threshold < 0:
        raise InputError(f"The threshold of votes is {threshold}, but must be 0 or more.")
    return np.where((of == 0) | (yes == threshold), np.nan, (yes > threshold).astype(np.float64))


def targets_for_definition(
    votes: NDArray[np.int64] | Sequence[Sequence[int]], definition: str, otherwise: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Targets under a definition, by the threshold that belongs to each row's number of workers.

    A pair nobody voted on keeps the target it has in `otherwise`; without that it is left out.

    >>> votes = [(4, 6), (5, 6), (3, 5), (0, 0)]
    >>> targets_for_definition(votes, "loose", np.array([1.0, 1.0, 1.0, 0.0])).tolist()
    [1.0, 1.0, 1.0, 0.0]
    >>> targets_for_definition(votes, "strict", np.array([1.0, 1.0, 1.0, 0.0])).tolist()
    [nan, 1.0, nan, 0.0]
    """
    if definition not in VOTE_THRESHOLDS:
        raise InputError(
            f"No threshold of votes is known for the definition {definition!r}, only for "
            f"{', '.join(VOTE_THRESHOLDS)}. Give one to targets_from_votes."
        )
    yes, of = _checked(votes)
    thresholds = VOTE_THRESHOLDS[definition]
    if unknown := sorted({*of.tolist()} - {0, *thresholds}):
        raise InputError(
            f"Pairs were judged by {unknown[0]} workers; thresholds are known for {', '.join(map(str, thresholds))}. "
            "Give one to targets_from_votes."
        )
    found = np.full(len(of), np.nan) if otherwise is None else np.array(otherwise, np.float64)
    for workers, threshold in thresholds.items():
        rows = of == workers
        found[rows] = targets_from_votes(np.column_stack([yes[rows], of[rows]]), threshold)
    return found


def _checked(
    votes: NDArray[np.int64] | Sequence[Sequence[int]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    table = np.asarray(votes, np.int64).reshape(-1, 2)
    yes, of = table[:, 0], table[:, 1]
    wrong = np.flatnonzero((yes < 0) | (yes > of))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(f"Pair {row + 1} has {yes[row]} votes of {of[row]}. Give (yes, of how many).")
    return yes, of
