"""Codes of queries and candidates in, the nearest candidates of every query out: best first, ties by lower number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.neighbours.codes import LARGEST, MOST_DIMS, check_dims

NOBODY = -1
"""Stands where a row has no further neighbour."""
LEAST = 1
"""A neighbour's product is above zero: a vector of zeros (nothing is known of the text) is nobody's neighbour."""
ANY = -LARGEST * LARGEST * MOST_DIMS
"""The least product there can be: for searches in which everything is somebody's neighbour, as of centroids."""
QUERIES_AT_ONCE = 512
CANDIDATES_AT_ONCE = 1024
"""Together they make products of 2 MB, which stay in a core's cache until the best are taken out of them."""
FEWEST_AT_ONCE = 128
"""Fewer queries together would have many candidates laid out anew for each few of them."""


class Neighbours(NamedTuple):
    """The nearest of every row: best first, ties by lower number, NOBODY at the end where there are fewer."""

    dots: NDArray[np.int32]
    numbers: NDArray[np.int64]


class Search(Protocol):
    """A search under way: queries that meet candidates bit by bit, in whatever order, with one result."""

    def add(
        self, candidates: NDArray[np.int8], numbers: NDArray[np.int64], rows: NDArray[np.int64] | None = None
    ) -> None:
        """Let queries (all, or these rows of them) meet candidates; no pair of them may meet twice."""
        ...

    def found(self) -> Neighbours:
        """The nearest of every query among all that it has met."""
        ...


@contextmanager
def threads(count: int) -> Iterator[None]:
    """So many threads for products on the CPU: one in a task, since there is a task a core."""
    import faiss

    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(count)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


class CpuSearch:
    """A search on the CPU: products of whole numbers, the best of them taken out while they are in the cache."""

    def __init__(
        self, queries: NDArray[np.int8], k: int, *, own: NDArray[np.int64] | None = None, least: int = LEAST
    ) -> None:
        check_dims(queries.shape[1])
        self.queries = queries
        self.own = _own_numbers(queries, own)
        self.best = nobody(len(queries), k, least)
        self.products = np.empty(QUERIES_AT_ONCE * CANDIDATES_AT_ONCE, np.float32)

    def add(
        self, candidates: NDArray[np.int8], numbers: NDArray[np.int64], rows: NDArray[np.int64] | None = None
    ) -> None:
        """Let queries (all, or these rows of them) meet candidates; no pair of them may meet twice."""
        from paraloom.models.neighbours.nearest_loops import take_nearest
        from paraloom.models.neighbours.products import multiplier

        rows = np.arange(len(self.queries)) if rows is None else rows
        if not self.best.dots.shape[1]:
            return
        for start in range(0, len(candidates), CANDIDATES_AT_ONCE):
            some = slice(start, start + CANDIDATES_AT_ONCE)
            multiply = multiplier(candidates[some], self.products)
            for first in range(0, len(rows), QUERIES_AT_ONCE):
                here = rows[first : first + QUERIES_AT_ONCE]
                products = multiply(self.queries, here)
                take_nearest(products, numbers[some], here, self.own, self.best.dots, self.best.numbers)

    def found(self) -> Neighbours:
        """The nearest of every query among all that it has met."""
        return self.best


def _own_numbers(queries: NDArray[np.int8], own: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """The number that every query must not find; NOBODY where it may find all."""
    return np.full(len(queries), NOBODY, np.int64) if own is None else np.ascontiguousarray(own, np.int64)


def _cuda_search(
    queries: NDArray[np.int8], k: int, *, own: NDArray[np.int64] | None = None, least: int = LEAST
) -> Search:
    from paraloom.models.neighbours.torch_search import TorchSearch

    return TorchSearch(queries, k, own=_own_numbers(queries, own), least=least)


DEVICES: dict[str, Callable[..., Search]] = {"cpu": CpuSearch, "cuda": _cuda_search}
"""Where products can be made; the result is the same."""


def start_search(
    queries: NDArray[np.int8], k: int, *, own: NDArray[np.int64] | None = None, least: int = LEAST, device: str = "cpu"
) -> Search:
    """A search for the k nearest of every query, of products of at least `least`; `own` are numbers not to find."""
    if device not in DEVICES:
        raise InputError(f"There is no device {device!r} to search on. There are: {', '.join(DEVICES)}.")
    return DEVICES[device](queries, k, own=own, least=least)


def nobody(rows: int, k: int, least: int = LEAST) -> Neighbours:
    """Rows without neighbours yet, which only products of at least `least` enter."""
    return Neighbours(np.full((rows, k), least - 1, np.int32), np.full((rows, k), NOBODY, np.int64))


def nearest(
    queries: NDArray[np.int8], candidates: NDArray[np.int8], k: int, *, least: int = LEAST, device: str = "cpu"
) -> Neighbours:
    """The places of the k nearest candidates of every query: best first, ties by lower place.

    >>> codes = np.array([[10, 0], [9, 1], [0, 10], [0, 0]], np.int8)
    >>> nearest(codes[:1], codes, 3).numbers.tolist(), nearest(codes[:1], codes, 3).dots.tolist()
    ([[0, 1, -1]], [[100, 90, 0]])
    """
    search = start_search(queries, k, least=least, device=device)
    search.add(candidates, np.arange(len(candidates)))
    return search.found()


def highest(queries: NDArray[np.int8], candidates: NDArray[np.int8], k: int) -> NDArray[np.int64]:
    """What `nearest` finds, by places alone, where k is large: all products are made, then the best taken at once.

    >>> codes = np.array([[10, 0], [9, 1], [0, 10], [0, 0]], np.int8)
    >>> highest(codes[:2], codes, 4).tolist()
    [[0, 1, 2, 3], [0, 1, 2, 3]]
    """
    from paraloom.models.neighbours.nearest_loops import take_highest
    from paraloom.models.neighbours.products import multiplier

    taken = np.empty((len(queries), min(k, len(candidates))), np.int64)
    at_once = max(QUERIES_AT_ONCE * CANDIDATES_AT_ONCE // max(len(candidates), 1), FEWEST_AT_ONCE)
    multiply = multiplier(candidates, np.empty(at_once * len(candidates), np.float32))
    for start in range(0, len(queries) if taken.shape[1] else 0, at_once):
        rows = np.arange(start, min(start + at_once, len(queries)))
        take_highest(multiply(queries, rows), taken[start : start + at_once])
    return taken


def merge_nearest(left: Neighbours, right: Neighbours) -> Neighbours:
    """The nearest of every row among what two searches found; what both found counts once.

    >>> left = Neighbours(np.array([[9, 5]], np.int32), np.array([[4, 2]]))
    >>> right = Neighbours(np.array([[9, 7]], np.int32), np.array([[3, 8]]))
    >>> merge_nearest(left, right).numbers.tolist()
    [[3, 4]]
    """
    from paraloom.models.neighbours.nearest_loops import merge_into

    merged = Neighbours(left.dots.copy(), left.numbers.copy())
    merge_into(right.dots, right.numbers, merged.dots, merged.numbers)
    return merged
