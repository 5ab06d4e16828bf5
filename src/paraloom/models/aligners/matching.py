"""How much each left token goes with each right one in, links out: the three ways of Jalili Sabet et al. (2020).

*SimAlign: High Quality Word Alignments Without Parallel Training Data*. A matrix has a row a left token and a column a
right one; minus infinity stands where two must never be linked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners import Links

Floats = NDArray[np.float64]

ROUNDS = 2
"""How often `itermax` looks: once, as `argmax` does, and once more."""
AGAIN = 0.9
"""What a token's worth is multiplied by in `itermax` where it is linked already."""


def argmax(worth: Floats) -> Links:
    """Links between tokens of which each is the other's best; of equals the first is.

    >>> argmax(np.array([[0.9, 0.8], [0.8, 0.1]]))
    ((0, 0),)
    """
    return itermax(worth, rounds=1)


def itermax(worth: Floats, rounds: int = ROUNDS, again: float = AGAIN) -> Links:
    """Links of `argmax`, then again among what is left, as often as `rounds` says.

    A token that has a link may take one without (then the worth of both is multiplied by `again`), two that have one
    each are not linked. With `again` 0 every token has one link at most.

    >>> matrix = np.array([[0.9, 0.2, 0.8], [0.3, 0.4, 0.1]])
    >>> itermax(matrix), itermax(matrix, again=0)
    (((0, 0), (0, 2), (1, 1)), ((0, 0), (1, 1)))
    """
    linked = np.zeros(worth.shape, np.bool_)
    left = worth
    for _ in range(rounds if worth.size else 0):
        rows, columns = np.arange(len(worth)), left.argmax(axis=1)
        mutual = (left.argmax(axis=0)[columns] == rows) & (left[rows, columns] > -np.inf)
        if not mutual.any():
            break
        linked[rows[mutual], columns[mutual]] = True
        met = linked.max(axis=1, keepdims=True).astype(np.int64) + linked.max(axis=0)  # how many of the two
        left = np.choose(met, [worth, worth * again if again else -np.inf, -np.inf])
    return _links(linked)


def mwmf(worth: Floats, alone: float = 0.0) -> Links:
    """The links, at most one a token, whose worth is largest in sum: a maximum weight matching.

    `alone` is what two tokens are worth without a link: what is not worth more is no link.

    >>> matrix = np.array([[0.9, 0.8], [0.8, 0.1]])
    >>> mwmf(matrix), mwmf(matrix, alone=0.75)
    (((0, 1), (1, 0)), ((0, 0),))
    """
    from scipy.optimize import linear_sum_assignment

    gains = np.maximum(worth - alone, 0.0)
    rows, columns = linear_sum_assignment(gains, maximize=True)
    linked = np.zeros(worth.shape, np.bool_)
    linked[rows, columns] = gains[rows, columns] > 0
    return _links(linked)


def _links(linked: NDArray[np.bool_]) -> Links:
    rows, columns = np.nonzero(linked)  # in order
    return tuple(zip(rows.tolist(), columns.tolist(), strict=True))
