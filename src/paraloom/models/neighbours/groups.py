"""Many centroids in, groups of near ones out, by which the centroid nearest to a row is found with few products.

A row is compared with the groups first, and then with the centroids of those groups that are nearest to its own: an
eighth of all, which is nearly always where its nearest one is. Rows of one group go together, so that all of it is
products of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.nearest import ANY, Neighbours, nearest

AROUND = 8
"""One of so many groups, those nearest to a row's own, is looked into."""
FEWEST_AROUND = 8


class Groups(NamedTuple):
    """Groups of centroids."""

    middles: NDArray[np.int8]
    """A row a group."""
    near: Sequence[NDArray[np.int64]]
    """For every group the numbers of the centroids of the groups nearest to it, rising."""

    def nearest(
        self, rows: NDArray[np.int8], centroids: NDArray[np.int8], group: NDArray[np.int64] | None = None
    ) -> Neighbours:
        """The centroid nearest to every row among those around its group; `group` where the rows' groups are known."""
        group = nearest(rows, self.middles, 1, least=ANY).numbers[:, 0] if group is None else group
        found = Neighbours(np.empty((len(rows), 1), np.int32), np.empty((len(rows), 1), np.int64))
        for some, near in zip(rows_of(group, len(self.near)), self.near, strict=True):
            if len(some):
                best = nearest(rows[some], centroids[near], 1, least=ANY)
                found.dots[some], found.numbers[some] = best.dots, near[best.numbers]
        return found


def rows_of(group: NDArray[np.int64], groups: int) -> list[NDArray[np.int64]]:
    """The rows of every group, rising.

    >>> [rows.tolist() for rows in rows_of(np.array([2, 0, 2]), 3)]
    [[1], [], [0, 2]]
    """
    return np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group, minlength=groups))[:-1])


def around(groups: int) -> int:
    """How many groups are looked into.

    >>> [around(groups) for groups in (4, 64, 256)]
    [4, 8, 32]
    """
    return min(max(math.ceil(groups / AROUND), FEWEST_AROUND), groups)


def group_centroids(middles: NDArray[np.int8], group: NDArray[np.int64]) -> Groups:
    """Groups around these middles; `group` has the group of every centroid."""
    members = rows_of(group, len(middles))
    near = nearest(middles, middles, around(len(middles)), least=ANY).numbers
    return Groups(middles, [np.sort(np.concatenate([members[number] for number in some])) for some in near])
