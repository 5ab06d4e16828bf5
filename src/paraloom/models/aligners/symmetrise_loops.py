"""Tables of the links of two directions in, one table of links out: the loops of symmetrisation, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Linked = NDArray[np.bool_]

NEIGHBOURS = np.array([(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)])
"""In the order in which they are tried; those at the corners come last."""


@compiled
def grown(forward: Linked, backward: Linked, has_corners: bool) -> Linked:
    """What both have, grown link by link, row by row, by neighbours that one has and that link a word without links.

    A link that was just added has neighbours of its own; it ends when a round over the table adds none.
    """
    linked = forward & backward
    lefts, rights = linked.shape
    left_has, right_has = np.zeros(lefts, np.bool_), np.zeros(rights, np.bool_)
    for left in range(lefts):
        for right in range(rights):
            if linked[left, right]:
                left_has[left] = right_has[right] = True
    is_growing = True
    while is_growing:
        is_growing = False
        for left in range(lefts):
            for right in range(rights):
                if not linked[left, right]:
                    continue
                for number in range(8 if has_corners else 4):
                    one, other = left + NEIGHBOURS[number, 0], right + NEIGHBOURS[number, 1]
                    if not (0 <= one < lefts and 0 <= other < rights) or linked[one, other]:
                        continue
                    if (forward[one, other] or backward[one, other]) and not (left_has[one] and right_has[other]):
                        linked[one, other] = left_has[one] = right_has[other] = True
                        is_growing = True
    return linked


@compiled
def finished(linked: Linked, forward: Linked, backward: Linked, needs_both: bool) -> Linked:
    """A grown table with the forward, then the backward links of words without links: of either word, or of both."""
    found = linked.copy()
    lefts, rights = found.shape
    left_has, right_has = np.zeros(lefts, np.bool_), np.zeros(rights, np.bool_)
    for left in range(lefts):
        for right in range(rights):
            if found[left, right]:
                left_has[left] = right_has[right] = True
    for direction in (forward, backward):
        for left in range(lefts):
            for right in range(rights):
                if not direction[left, right]:
                    continue
                is_free = (
                    not (left_has[left] or right_has[right])
                    if needs_both
                    else not (left_has[left] and right_has[right])
                )
                if is_free:
                    found[left, right] = left_has[left] = right_has[right] = True
    return found
