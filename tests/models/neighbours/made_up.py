"""Made-up vectors that lie in clusters, as sentences do, and plain answers to compare with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.cells import Source, cell_name, gather_cell
from paraloom.models.neighbours.centroids import learn_lists
from paraloom.models.neighbours.codes import Coder
from paraloom.models.neighbours.index import Index, lay_rows, write_head
from paraloom.models.neighbours.lists import Lists
from paraloom.models.neighbours.nearest import Neighbours
from paraloom.models.neighbours.product_codes import ProductCoder


def clustered(count: int, dims: int, clusters: int, seed: int = 0) -> NDArray[np.float32]:
    """Vectors of unit length around centres of unequal size."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(clusters, dims))
    weights = 1 / np.arange(1, clusters + 1) ** 0.7
    of = random.choice(clusters, count, p=weights / weights.sum())
    vectors = centres[of] + random.normal(size=(count, dims)) * random.uniform(0.2, 0.9, (count, 1))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def plain_nearest(
    queries: NDArray[np.int8], candidates: NDArray[np.int8], k: int, own: NDArray[Any] | None = None
) -> Neighbours:
    """What `nearest` should give, by sorting all products."""
    dots = queries.astype(np.int64) @ candidates.astype(np.int64).T
    found_dots, found = np.zeros((len(queries), k), np.int32), np.full((len(queries), k), -1)
    for row, line in enumerate(dots):
        order = np.lexsort((np.arange(len(line)), -line))
        order = order[line[order] > 0]
        if own is not None:
            order = order[order != own[row]]
        order = order[:k]
        found_dots[row, : len(order)], found[row, : len(order)] = line[order], order
    return Neighbours(found_dots, found)


def assert_same(left: Neighbours, right: Neighbours) -> None:
    np.testing.assert_array_equal(left.numbers, right.numbers)
    np.testing.assert_array_equal(left.dots, right.dots)


def make_index(
    folder: Path, rows: NDArray[np.int8], codes: Coder | ProductCoder, *, lists: int, cells: int, parts: int = 3
) -> Index:
    """An index of these rows, numbered by their place, as a run makes it: lists, parts laid, cells gathered."""
    return fill_index(folder, learn_lists(rows, lists, cells), rows, codes, parts=parts)


def fill_index(
    folder: Path, learned: Lists, rows: NDArray[np.int8], codes: Coder | ProductCoder, *, parts: int = 3
) -> Index:
    """The same with lists that are there."""
    write_head(folder, learned, codes)
    index = Index(folder, learned, codes)
    laid = []
    for number, places in enumerate(np.array_split(np.arange(len(rows)), parts)):
        laid.append(folder / f"laid-{number}")
        lay_rows(laid[-1], index.finder, codes, rows[places], places)
    for cell in range(learned.cells):
        gather_cell(folder / cell_name(cell), learned.lists_of(cell), [Source(file=file) for file in laid])
    return index
