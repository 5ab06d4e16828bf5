"""Codes in, the lists nearest to each out: by all products while lists are few, by a graph of centroids beyond."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import unfinished_name
from paraloom.errors import EngineError
from paraloom.models.neighbours.groups import rows_of
from paraloom.models.neighbours.lists import Lists
from paraloom.models.neighbours.nearest import ANY, highest, nearest, threads

MOST_BY_PRODUCT = 131_072
"""Up to so many lists all products are made; beyond, a graph (HNSW) is walked."""
FEW = 8
"""So few nearest are found quickest by putting each in its place."""
REACH = 4096
"""Where a graph is walked, a sentence probes lists among the so many nearest to its own list's centroid: it is walked
once a list. At 8,192 lists a reach of half of them holds 93 % of the nearest 128."""
GRAPH = "centroids.graph"
LINKS = 32
"""Links of a centroid in the graph."""
BUILD_WIDTH = 100
SEARCH_WIDTH = 128
"""How many centroids are kept in view while the graph is built, and at least while it is walked."""
ROWS_AT_ONCE, FEWEST_AT_ONCE = 16_384, 512
LISTS_AT_ONCE = 1 << 22
"""Rows × lists that are found at a time, in eight bytes each: they bound memory where many lists are looked into."""


class ListFinder:
    """Finds the lists nearest to codes."""

    def __init__(self, lists: Lists, graph: Any | None = None) -> None:
        self.lists = lists
        self.graph = graph

    @classmethod
    def open(cls, folder: Path, lists: Lists) -> ListFinder:
        """With the graph from the index's folder where there are many lists."""
        return cls(lists, read_graph(folder / GRAPH) if len(lists) > MOST_BY_PRODUCT else None)

    def nearest_lists(self, codes: NDArray[np.int8], count: int, *, device: str = "cpu") -> NDArray[np.int64]:
        """The `count` nearest lists of every row, nearest first, ties by lower number."""
        count = min(count, len(self.lists))
        if self.graph is None:
            return nearest_of(codes, self.lists.centroids, count, device=device)
        found = np.empty((len(codes), count), np.int64)
        for start in range(0, len(codes), ROWS_AT_ONCE):
            rows = codes[start : start + ROWS_AT_ONCE]
            found[start : start + len(rows)] = _walk(self.graph, rows, count)
        return found

    def own_lists(self, codes: NDArray[np.int8], *, device: str = "cpu") -> NDArray[np.int64]:
        """The list that each row is laid into: the nearest."""
        return self.nearest_lists(codes, 1, device=device)[:, 0]

    @property
    def most_probes(self) -> int:
        """No sentence can probe more lists than these."""
        return len(self.lists) if self.graph is None else min(REACH, len(self.lists))

    def probed(self, codes: NDArray[np.int8], probes: int, *, device: str = "cpu") -> NDArray[np.int32]:
        """The lists that every row probes, nearest first; with a graph, the nearest within reach of its own list."""
        probes = min(probes, self.most_probes)
        found = np.empty((len(codes), probes), np.int32)
        if self.graph is None:
            together = max(min(ROWS_AT_ONCE, LISTS_AT_ONCE // max(probes, 1)), FEWEST_AT_ONCE)
            for start in range(0, len(codes), together):
                some = slice(start, start + together)
                found[some] = self.nearest_lists(codes[some], probes, device=device)
            return found
        present, own = np.unique(self.own_lists(codes), return_inverse=True)
        within = np.sort(self.nearest_lists(self.lists.centroids[present], REACH), axis=1)
        for reach, rows in zip(within, rows_of(own, len(present)), strict=True):
            found[rows] = reach[nearest_of(codes[rows], self.lists.centroids[reach], probes, device=device)]
        return found


def nearest_of(
    codes: NDArray[np.int8], centroids: NDArray[np.int8], count: int, *, device: str = "cpu"
) -> NDArray[np.int64]:
    """The places of the `count` nearest centroids of every row, nearest first, ties by lower place."""
    if count <= FEW or device != "cpu":
        return nearest(codes, centroids, count, least=ANY, device=device).numbers
    return highest(codes, centroids, count)


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
