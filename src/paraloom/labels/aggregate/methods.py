"""Every way to join votes, by its name."""

from __future__ import annotations

from collections.abc import Callable

from paraloom.errors import InputError
from paraloom.labels.aggregate.dawid_skene import dawid_skene
from paraloom.labels.aggregate.mace import mace
from paraloom.labels.aggregate.majority import plurality
from paraloom.labels.aggregate.result import Aggregated
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.significance import SEED

METHODS: dict[str, Callable[[Ratings, int], Aggregated]] = {
    "majority": lambda ratings, seed: plurality(ratings),
    "dawid-skene": lambda ratings, seed: dawid_skene(ratings),
    "mace": lambda ratings, seed: mace(ratings, seed=seed),
}
"""With their usual settings; only MACE draws anything."""


def aggregate(ratings: Ratings, method: str = "majority", *, seed: int = SEED) -> Aggregated:
    """Join the votes by the method of this name.

    >>> ratings = Ratings.of(list("aaabbb"), list("123123"), ["yes", "yes", "no", "no", "no", "no"])
    >>> [aggregate(ratings, method).labels for method in METHODS]
    [('yes', 'no'), ('yes', 'no'), ('yes', 'no')]
    """
    if method not in METHODS:
        raise InputError(f"There is no way {method!r} to join votes. Choose one of: {', '.join(METHODS)}.")
    return METHODS[method](ratings, seed)
