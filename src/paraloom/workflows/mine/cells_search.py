"""An index of cells in, the nearest neighbours of every sentence out: a task a cell."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.folders import Round
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.nearest import LEAST, NOBODY, threads
from paraloom.models.neighbours.search import search_cell
from paraloom.workflows.mine.index_step import LISTS, read_choice, read_probes
from paraloom.workflows.mine.nearest_files import Nearest
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.vectors_step import Vectors, workers_on

LOOKED_AT = 4
"""Where vectors are packed, so many times the neighbours are looked for, and the nearest of them kept."""
ROWS_AT_ONCE = 1024

if TYPE_CHECKING:
    from paraloom.workflows.mine.options import SearchOptions


def cells_round(run: Path, options: SearchOptions, device: str) -> Round:
    """Every cell's sentences against the lists that are nearest to them."""
    from paraloom.models.neighbours.lists import read_lists

    cells = read_lists(run / "index" / LISTS).cells
    return Round(
        name="searched",
        files=tuple(f"cell-{cell:05d}.npz" for cell in range(cells)),
        work=partial(CellSearch, run, options.neighbours, read_probes(run)["probes"], device, read_choice(run).codes),
        workers=workers_on(device),
    )


class CellSearch:
    """Searches for the neighbours of the sentences of one cell."""

    def __init__(self, run: Path, k: int, probes: int, device: str, codes: str) -> None:
        self.index = Index.open(run / "index" / LISTS)
        self.vectors = Vectors(run / "vectors", Numbers.of(run / "vectors").starts) if codes == "pq" else None
        self.k = k
        self.probes = probes
        self.device = device

    def __call__(self, cell: int, target: Path) -> None:
        index = self.index
        k = self.k if self.vectors is None else self.k * LOOKED_AT
        with threads(1):
            found = [*search_cell(index.cells, index.finder, cell, k=k, probes=self.probes, device=self.device)]
        nearest = Nearest(
            np.concatenate([np.empty(0, np.int64), *(some.numbers for some in found)]),
            np.concatenate([np.empty((0, k), np.int64), *(some.neighbours.numbers for some in found)]),
            np.concatenate([np.empty((0, k), np.int32), *(some.neighbours.dots for some in found)]),
        )
        (nearest if self.vectors is None else measured_anew(nearest, self.vectors, self.k)).write(target)


def measured_anew(nearest: Nearest, vectors: Vectors, k: int) -> Nearest:
    """The k nearest of those found, by the products of whole vectors: those of packed ones are near the truth alone."""
    neighbours = np.full((len(nearest.numbers), k), NOBODY, np.int64)
    dots = np.zeros((len(nearest.numbers), k), np.int32)
    for start in range(0, len(nearest.numbers), ROWS_AT_ONCE):
        some = slice(start, start + ROWS_AT_ONCE)
        own, found = nearest.numbers[some], nearest.neighbours[some]
        wanted, place = np.unique(np.concatenate([own, np.maximum(found, 0).ravel()]), return_inverse=True)
        codes = vectors.take(wanted).astype(np.int32)
        left, right = codes[place[: len(own)]], codes[place[len(own) :]].reshape(*found.shape, -1)
        products = np.where(found == NOBODY, -1, np.einsum("nd,nkd->nk", left, right))
        order = np.lexsort((found, -products), axis=1)[:, :k]
        neighbours[some] = np.take_along_axis(found, order, axis=1)
        dots[some] = np.take_along_axis(products, order, axis=1)
    is_there = (neighbours != NOBODY) & (dots >= LEAST)
    return Nearest(nearest.numbers, np.where(is_there, neighbours, NOBODY), np.where(is_there, dots, 0))
