"""A sample of codes in, lists around centroids out: spherical k-means in whole numbers, then an order and cells.

Every step is exact: the nearest centroid by integer products, sums of int8 codes as int64, one division a number at the
end. The same sample and seed give the same centroids on every machine.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.neighbours.codes import squared_norms
from paraloom.models.neighbours.groups import Groups, group_centroids
from paraloom.models.neighbours.lists import Lists
from paraloom.models.neighbours.nearest import ANY, Neighbours, nearest

ROUNDS = 8
"""Rounds of k-means; later ones move few sentences."""
MOST_AT_ONCE = 1024
"""More centroids are learned in two levels: about √n coarse ones, then each one's share within it."""
ROUNDS_ACROSS = 3
"""Rounds in which rows may go to centroids of other groups."""
SAMPLE_PER_LIST = 100
"""Sentences of the sample per list that is learned from it."""
MOST_SAMPLED = 4_000_000
"""Sentences of a sample, at most: memory holds them."""
LEAF = 8
"""So few lists are not ordered further."""


class Centroids(NamedTuple):
    """Centroids, and how many rows of the sample are nearest to each."""

    centroids: NDArray[np.int8]
    sizes: NDArray[np.int64]


def sample_size(lists: int, sentences: int) -> int:
    """How many sentences lists are learned from."""
    return min(sentences, lists * SAMPLE_PER_LIST, MOST_SAMPLED)


def learn_lists(sample: NDArray[np.int8], count: int, cells: int, *, seed: int = 0, rounds: int = ROUNDS) -> Lists:
    """At most `count` lists around centroids, ordered so that neighbouring lists share a cell, in about equal cells.

    Vectors of zeros in the sample are left out. There are fewer lists where the sample has fewer rows.
    """
    known = sample[squared_norms(sample) > 0]
    if not len(known):
        known = np.ones((1, sample.shape[1]), np.int8)  # nothing is known of any sentence: one list, which stays empty
    learned = learn_centroids(known, count, seed=seed, rounds=rounds)
    order = order_lists(learned.centroids)
    return Lists(centroids=learned.centroids[order], starts=cut_into_cells(learned.sizes[order], cells))


def learn_centroids(sample: NDArray[np.int8], count: int, *, seed: int = 0, rounds: int = ROUNDS) -> Centroids:
    """Centroids of these codes by spherical k-means; as long as a code is on average."""
    if count < 1 or not len(sample):
        raise InputError(f"{count} centroids cannot be learned from {len(sample)} vectors: both must be 1 or more.")
    count = min(count, len(sample))
    length = math.sqrt(float(squared_norms(sample).mean()))
    if count <= MOST_AT_ONCE:
        return _k_means(sample, count, length, seed, rounds)
    coarse = _k_means(sample, math.isqrt(count), length, seed, rounds).centroids
    group = nearest(sample, coarse, 1, least=ANY).numbers[:, 0]
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group, minlength=len(coarse))
    ends = np.cumsum(sizes)
    shares = _shares(sizes, count)
    fine = [
        _k_means(sample[order[end - size : end]], int(share), length, seed + 1 + place, rounds).centroids
        for place, (size, end, share) in enumerate(zip(sizes.tolist(), ends.tolist(), shares, strict=True))
        if share
    ]
    groups = group_centroids(coarse, np.repeat(np.arange(len(coarse)), shares))
    return _across_groups(sample, np.concatenate(fine), groups, group, length)


def _across_groups(
    sample: NDArray[np.int8], centroids: NDArray[np.int8], groups: Groups, group: NDArray[np.int64], length: float
) -> Centroids:
    """Centroids that were learned within groups, moved by rows that are nearer to one of a neighbouring group.

    Groups cut the space where rows may lie close together.
    """
    sizes = np.zeros(len(centroids), np.int64)
    for _ in range(ROUNDS_ACROSS):
        centroids, sizes = _moved(sample, groups.nearest(sample, centroids, group), len(centroids), length)
    return Centroids(centroids, sizes)


def _shares(sizes: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """How many of `count` centroids each group gets, by size: one or more where it has rows, never more than rows."""
    total = int(sizes.sum())
    shares = np.where(sizes > 0, np.maximum(sizes * count // total, 1), 0)
    while (left := count - int(shares.sum())) > 0:
        in_need = np.argsort(-(sizes * count / total - shares), kind="stable")
        in_need = in_need[shares[in_need] < sizes[in_need]][:left]
        shares[in_need] += 1
    return shares


def _k_means(sample: NDArray[np.int8], count: int, length: float, seed: int, rounds: int) -> Centroids:
    count = min(count, len(sample))
    drawn = np.sort(np.random.default_rng(seed).permutation(len(sample))[:count])
    centroids = _of_length(sample[drawn].astype(np.int64), length)
    sizes = np.ones(count, np.int64)
    for _ in range(rounds):
        before = centroids
        centroids, sizes = _moved(sample, nearest(sample, centroids, 1, least=ANY), count, length)
        if np.array_equal(before, centroids):
            break
    return Centroids(centroids, sizes)


def _moved(sample: NDArray[np.int8], found: Neighbours, count: int, length: float) -> Centroids:
    """Centroids in the middle of the rows that are nearest to each."""
    from paraloom.models.neighbours.nearest_loops import sum_rows

    of = found.numbers[:, 0].copy()
    _fill_empty(of, found.dots[:, 0], count)
    sums = np.zeros((count, sample.shape[1]), np.int64)
    sum_rows(sample, of, sums)
    return Centroids(_of_length(sums, length), np.bincount(of, minlength=count))


def _fill_empty(of: NDArray[np.int64], dots: NDArray[np.int32], count: int) -> None:
    """Give every empty group the row that lies farthest from its own centroid, from groups that have others."""
    sizes = np.bincount(of, minlength=count)
    empty = np.flatnonzero(sizes == 0).tolist()
    if not empty:
        return
    for row in np.argsort(dots, kind="stable").tolist():
        if sizes[of[row]] > 1:
            sizes[of[row]] -= 1
            of[row] = empty.pop(0)
            if not empty:
                return


def _of_length(sums: NDArray[np.int64], length: float) -> NDArray[np.int8]:
    """Sums of codes as codes of one length; a sum of zero stays zero."""
    from paraloom.models.neighbours.code_loops import rounded_to_length

    codes = np.empty(sums.shape, np.int8)
    rounded_to_length(sums, length, codes)
    return codes


def order_lists(centroids: NDArray[np.int8]) -> NDArray[np.int64]:
    """An order of centroids in which near ones are near: halved along their longest direction, again and again."""
    waiting = [np.arange(len(centroids))]
    ordered: list[NDArray[np.int64]] = []
    while waiting:
        group = waiting.pop()
        if len(group) <= LEAF:
            ordered.append(group)
            continue
        rows = centroids[group].astype(np.int64)
        one_end = rows[np.argmin(rows @ rows.sum(axis=0))]
        other_end = rows[np.argmin(rows @ one_end)]
        along = group[np.argsort(rows @ (other_end - one_end), kind="stable")]
        half = len(along) // 2
        waiting += [along[half:], along[:half]]
    return np.concatenate(ordered)


def cut_into_cells(sizes: NDArray[np.int64], cells: int) -> NDArray[np.int64]:
    """The first list of every cell and the number of lists: at most so many cells, of about equal numbers of rows.

    >>> cut_into_cells(np.array([10, 10, 10, 30, 10, 10]), 3).tolist()
    [0, 3, 4, 6]
    """
    before = np.cumsum(sizes) - sizes / 2  # rows before the middle of each list
    count = min(cells, len(sizes))
    wanted = np.arange(1, count) * sizes.sum() / count
    inner = np.searchsorted(before, wanted)
    starts: NDArray[np.int64] = np.unique(np.concatenate([[0], inner, [len(sizes)]]))
    return starts
