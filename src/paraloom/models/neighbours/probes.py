"""Codes in, the lists nearest to each out: by all products while lists are few, by a graph of centroids beyond."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import unfinished_name
from paraloom.errors import EngineError
from paraloom.models.neighbours.lists import Lists
from paraloom.models.neighbours.nearest import ANY, nearest, threads

MOST_BY_PRODUCT = 16_384
"""Up to so many lists all products are made; beyond, a graph (HNSW) is walked."""
REACH = 2048
"""A sentence probes lists among the so many nearest to its own list's centroid, and so no more than these."""
GRAPH = "centroids.graph"
LINKS = 32
"""Links of a centroid in the graph."""
BUILD_WIDTH = 100
SEARCH_WIDTH = 128
"""How many centroids are kept in view while the graph is built, and at least while it is walked."""
ROWS_AT_ONCE = 65_536


class ListFinder:
    """Finds the lists nearest to codes."""

    def __init__(self, lists: Lists, graph: Any | None = None) -> None:
        self.lists = lists
        self.graph = graph

    @classmethod
    def open(cls, folder: Path, lists: Lists, *, device: str = "cpu") -> ListFinder:
        """With the graph from the index's folder where there are many lists."""
        return cls(lists, read_graph(folder / GRAPH) if len(lists) > MOST_BY_PRODUCT else None)

    def nearest_lists(self, codes: NDArray[np.int8], count: int, *, device: str = "cpu") -> NDArray[np.int64]:
        """The `count` nearest lists of every row, nearest first, ties by lower number."""
        count = min(count, len(self.lists))
        if self.graph is None:
            return nearest(codes, self.lists.centroids, count, least=ANY, device=device).numbers
        found = np.empty((len(codes), count), np.int64)
        for start in range(0, len(codes), ROWS_AT_ONCE):
            rows = codes[start : start + ROWS_AT_ONCE]
            found[start : start + len(rows)] = _walk(self.graph, rows, count)
        return found

    def own_lists(self, codes: NDArray[np.int8], *, device: str = "cpu") -> NDArray[np.int64]:
        """The list that each row is laid into: the nearest."""
        return self.nearest_lists(codes, 1, device=device)[:, 0]

    def reach_of(self, lists: NDArray[np.int64]) -> NDArray[np.int64]:
        """The lists that sentences of each of these lists may probe, by number."""
        return np.sort(self.nearest_lists(self.lists.centroids[lists], REACH), axis=1)

    def probed(self, codes: NDArray[np.int8], own: NDArray[np.int64], probes: int) -> NDArray[np.int64]:
        """The lists that every row probes, nearest first: the nearest within reach of its own list."""
        probes = min(probes, REACH, len(self.lists))
        if len(self.lists) <= REACH:
            return self.nearest_lists(codes, probes)
        found = np.empty((len(codes), probes), np.int64)
        present, place = np.unique(own, return_inverse=True)
        order = np.argsort(place, kind="stable")
        ends = np.cumsum(np.bincount(place, minlength=len(present)))
        for reach, start, end in zip(self.reach_of(present), np.r_[0, ends[:-1]], ends, strict=True):
            rows = order[start:end]
            found[rows] = reach[nearest(codes[rows], self.lists.centroids[reach], probes, least=ANY).numbers]
        return found


def _walk(graph: Any, codes: NDArray[np.int8], count: int) -> NDArray[np.int64]:
    faiss: Any = import_module("faiss")  # its types know but half of it
    width = faiss.SearchParametersHNSW(efSearch=max(SEARCH_WIDTH, 2 * count))
    dots, numbers = graph.search(codes.astype(np.float32), count, params=width)
    order = np.lexsort((numbers, -dots), axis=1)
    found: NDArray[np.int64] = np.take_along_axis(numbers, order, axis=1)
    return found


def build_graph(centroids: NDArray[np.int8]) -> Any:
    """The graph of centroids, by one thread: links depend on the order in which centroids come."""
    import faiss

    graph = faiss.IndexHNSWFlat(centroids.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = BUILD_WIDTH
    with threads(1):
        graph.add(centroids.astype(np.float32))
    return graph


def write_graph(folder: Path, lists: Lists) -> None:
    """Build the graph of centroids into the index's folder, where there are so many lists that it is wanted."""
    import faiss

    if len(lists) > MOST_BY_PRODUCT:
        unfinished = unfinished_name(folder / GRAPH)
        faiss.write_index(build_graph(lists.centroids), str(unfinished))
        unfinished.replace(folder / GRAPH)


def read_graph(file: Path) -> Any:
    """The graph in a file."""
    import faiss

    try:
        return faiss.read_index(str(file))
    except RuntimeError as torn:
        raise EngineError(
            f"{file} is damaged, not whole or absent. Delete the index's folder and make it again."
        ) from torn
