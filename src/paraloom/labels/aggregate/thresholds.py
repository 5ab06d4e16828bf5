"""How many votes each item has in, the share of them that must say paraphrase out, by the definition of one."""

from __future__ import annotations

import numpy as np

from paraloom.errors import InputError
from paraloom.labels.aggregate.result import Floats, Integers
from paraloom.labels.votes import VOTE_THRESHOLDS

HALF = 0.5

OTHERWISE = {"strict": 2 / 3}
"""For numbers of voters that `VOTE_THRESHOLDS` does not know, where it is not half: 4 of 6 is two thirds."""


def thresholds_of(votes: Integers, definition: str, threshold: float | None = None) -> Floats:
    """The share of votes above which each item is a paraphrase, below which it is none, and at which it is undecided.

    `threshold` overrides the definition's: below 1 it is a share of the votes, from 1 on a number of votes.

    >>> thresholds_of(np.array([6, 5, 3]), "loose").round(3).tolist()
    [0.5, 0.4, 0.5]
    >>> thresholds_of(np.array([6, 5, 3]), "strict").round(3).tolist()
    [0.667, 0.6, 0.667]
    >>> thresholds_of(np.array([6, 3]), "loose", 2).round(3).tolist()
    [0.333, 0.667]
    """
    if threshold is None:
        shares = np.full(len(votes), OTHERWISE.get(definition, HALF))
        for workers, count in VOTE_THRESHOLDS.get(definition, {}).items():
            shares[votes == workers] = count / workers
        return shares
    if not threshold >= 0:
        raise InputError(f"--threshold {threshold:g} parts nothing. Give a share of the votes, or a number of votes.")
    return np.full(len(votes), threshold) if threshold < 1 else np.asarray(threshold / np.maximum(votes, 1))


def threshold_told(definition: str, threshold: float | None = None) -> str:
    """The same for a signature.

    >>> threshold_told("loose"), threshold_told("graded"), threshold_told("loose", 0.6)
    ('3-of-6,2-of-5,else-0.5', '0.5', '0.6')
    """
    if threshold is not None:
        return f"{threshold:g}" if threshold < 1 else f"{threshold:g}-votes"
    known = [f"{count}-of-{workers}" for workers, count in VOTE_THRESHOLDS.get(definition, {}).items()]
    otherwise = f"{OTHERWISE.get(definition, HALF):.4g}"
    return ",".join([*known, f"else-{otherwise}"]) if known else otherwise
