"""An index of cells in, the nearest neighbours of every sentence out: a task a cell, and each looks twice.

At first a sentence meets those of the lists it probes; when all have, it meets its neighbours' neighbours.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.folders import ASIDE, Round
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.lists import read_array, read_lists
from paraloom.models.neighbours.nearest import NOBODY, Neighbours, threads
from paraloom.models.neighbours.search import search_cell
from paraloom.models.neighbours.second_look import look_again
from paraloom.workflows.mine.index_step import LISTS, read_probes
from paraloom.workflows.mine.nearest_files import Nearest, neighbour_files
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.vectors_step import Vectors, workers_on

FIRST = "first"
"""The folder of what sentences find at first."""
BY_NUMBER = "first.npy"
"""The numbers of the neighbours that every sentence finds at first, a row a sentence."""

if TYPE_CHECKING:
    from paraloom.workflows.mine.options import SearchOptions


def cell_files(run: Path) -> tuple[str, ...]:
    """A file for every cell of a run's index."""
    return tuple(f"cell-{cell:05d}.npz" for cell in range(read_lists(run / "index" / LISTS).cells))


def first_round(run: Path, options: SearchOptions, device: str) -> Round:
    """Every cell's sentences against the lists that are nearest to them."""
    return Round(
        name="searched",
        files=tuple(f"{FIRST}/{file}" for file in cell_files(run)),
        work=partial(CellSearch, run, options.neighbours, read_probes(run)["probes"], device),
        is_kept=False,
        workers=workers_on(device),
    )


def by_number_round(folder: Path, run: Path, options: SearchOptions) -> Round:
    """What was found at first, so that a sentence's neighbours can be asked for theirs."""
    return Round(
        name="ordered",
        files=(BY_NUMBER,),
        work=partial(partial, _order_by_number, run, folder / ASIDE / FIRST, options.neighbours),
        is_kept=False,
        is_small=True,
    )


def _order_by_number(run: Path, first: Path, k: int, number: int, target: Path) -> None:
    count = len(Numbers.of(run / "vectors"))
    kind = np.int32 if count <= np.iinfo(np.int32).max else np.int64
    with target.open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": np.lib.format.dtype_to_descr(np.dtype(kind)), "fortran_order": False, "shape": (count, k)}
        )
        start = file.tell()
        file.flush()
        os.posix_fallocate(file.fileno(), start, max(count * k * np.dtype(kind).itemsize, 1))  # a full disk is told now
    ordered = np.memmap(target, kind, "r+", offset=start, shape=(count, k))
    ordered[:] = NOBODY  # also of those with vectors of zeros, which are in no cell
    for found in neighbour_files(first):
        nearest = Nearest.read(found)
        ordered[nearest.numbers] = nearest.neighbours
    ordered.flush()


def second_round(folder: Path, run: Path) -> Round:
    """Every cell's sentences against what their neighbours have found."""
    return Round(name="looked again", files=cell_files(run), work=partial(SecondLook, run, folder / ASIDE))


class SecondLook:
    """Lets the sentences of one cell meet their neighbours' neighbours."""

    def __init__(self, run: Path, aside: Path) -> None:
        self.vectors = Vectors(run / "vectors", Numbers.of(run / "vectors").starts)
        self.first = neighbour_files(aside / FIRST)
        self.by_number = read_array(aside / BY_NUMBER, in_memory=False)

    def __call__(self, cell: int, target: Path) -> None:
        found = Nearest.read(self.first[cell])
        better = look_again(
            found.numbers,
            Neighbours(found.dots, found.neighbours),
            read_neighbours=lambda numbers: self.by_number[numbers].astype(np.int64),
            read_codes=self.vectors.take,
        )
        Nearest(found.numbers, better.numbers, better.dots).write(target)


class CellSearch:
    """Searches for the neighbours of the sentences of one cell."""

    def __init__(self, run: Path, k: int, probes: int, device: str) -> None:
        self.index = Index.open(run / "index" / LISTS)
        self.whole = Vectors(run / "vectors", Numbers.of(run / "vectors").starts).take if self.index.is_packed else None
        self.k = k
        self.probes = probes
        self.device = device

    def __call__(self, cell: int, target: Path) -> None:
        index, k = self.index, self.k
        with threads(1):
            found = [
                *search_cell(
                    index.cells, index.finder, cell, k=k, probes=self.probes, whole=self.whole, device=self.device
                )
            ]
        Nearest(
            np.concatenate([np.empty(0, np.int64), *(some.numbers for some in found)]),
            np.concatenate([np.empty((0, k), np.int64), *(some.neighbours.numbers for some in found)]),
            np.concatenate([np.empty((0, k), np.int32), *(some.neighbours.dots for some in found)]),
        ).write(target)
