"""An index of cells in, the nearest neighbours of every sentence out: a task a cell, and each looks twice.

At first a sentence meets those of the lists it probes; when all have, it meets its neighbours' neighbours.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.folders import ASIDE, Round
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.lists import read_array, read_lists
from paraloom.models.neighbours.nearest import NOBODY, Neighbours, threads
from paraloom.models.neighbours.places import Places
from paraloom.models.neighbours.search import in_rising_order, search_cell
from paraloom.models.neighbours.second_look import Named, look_again
from paraloom.workflows.mine.index_step import LISTS, read_probes
from paraloom.workflows.mine.nearest_files import Nearest, neighbour_files
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.vectors_step import Vectors, workers_on

FIRST = "first"
"""The folder of what sentences find at first."""
PLACES = "places.npy"
"""The place in the index of every sentence, by number."""
PLACED = "placed"
"""The folder of what sentences find at first by the places of what is found: an array a cell."""

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


def places_round(run: Path) -> Round:
    """Where every sentence lies, so that a sentence's neighbours can be asked for theirs."""
    return Round(
        name="ordered",
        files=(PLACES,),
        work=partial(partial, _write_places, run),
        is_kept=False,
        is_small=True,
    )


def _write_places(run: Path, number: int, target: Path) -> None:
    count = len(Numbers.of(run / "vectors"))
    kind = np.int32 if count <= np.iinfo(np.int32).max else np.int64
    with target.open("wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": np.lib.format.dtype_to_descr(np.dtype(kind)), "fortran_order": False, "shape": (count,)}
        )
        start = file.tell()
        file.flush()
        os.posix_fallocate(file.fileno(), start, max(count * np.dtype(kind).itemsize, 1))  # a full disk is told now
    places = np.memmap(target, kind, "r+", offset=start, shape=(count,))
    places[:] = NOBODY  # also of those with vectors of zeros, which are in no cell
    Places(Index.open(run / "index" / LISTS).cells).of_numbers(places)
    places.flush()


def placed_round(folder: Path, run: Path) -> Round:
    """What was found at first, by place."""
    return Round(
        name="placed",
        files=tuple(f"{PLACED}/{Path(file).stem}.npy" for file in cell_files(run)),
        work=partial(PlaceWriter, folder / ASIDE),
        is_kept=False,
    )


class PlaceWriter:
    """Writes the places of what the sentences of one cell have found."""

    def __init__(self, aside: Path) -> None:
        self.places = read_array(aside / PLACES, in_memory=False)
        self.first = neighbour_files(aside / FIRST)

    def __call__(self, cell: int, target: Path) -> None:
        found = Nearest.read(self.first[cell])
        placed = np.full(found.neighbours.shape, NOBODY, self.places.dtype)
        placed[found.is_there] = self.places[found.neighbours[found.is_there]]
        with target.open("wb") as file:
            np.save(file, placed, allow_pickle=False)


def second_round(folder: Path, run: Path) -> Round:
    """Every cell's sentences against what their neighbours have found."""
    return Round(name="looked again", files=cell_files(run), work=partial(SecondLook, run, folder / ASIDE))


class LooksByPlace:
    """What all sentences have found at first, by place: near ones lie near each other on disk."""

    def __init__(self, run: Path, placed: Path) -> None:
        index = Index.open(run / "index" / LISTS)
        self.places = Places(index.cells)
        self.whole = Vectors(run / "vectors", Numbers.of(run / "vectors").starts).take if index.is_packed else None
        self.placed = [read_array(file, in_memory=False) for file in sorted(placed.glob("*.npy"))]

    def of_cell(self, cell: int) -> NDArray[np.int64]:
        """The places of what the sentences of a cell have found, a row each."""
        return self.placed[cell].astype(np.int64)

    def neighbours(self, names: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of what these sentences have found, a row each."""
        found = [self.placed[cell][rows].astype(np.int64) for cell, rows in self.places.by_cell(names)]
        return np.concatenate(found)

    def rows(self, names: NDArray[np.int64]) -> Named:
        """These sentences."""
        numbers, kept = self.places.take(names)
        codes = self.places.cells.codes.decode(kept) if self.whole is None else in_rising_order(self.whole, numbers)
        return Named(numbers, codes)


class SecondLook:
    """Lets the sentences of one cell meet their neighbours' neighbours."""

    def __init__(self, run: Path, aside: Path) -> None:
        self.found = neighbour_files(aside / FIRST)
        self.first = LooksByPlace(run, aside / PLACED)

    def __call__(self, cell: int, target: Path) -> None:
        found, first = Nearest.read(self.found[cell]), self.first
        names = first.places.of_cell(cell)
        better = look_again(names, first.of_cell(cell), Neighbours(found.dots, found.neighbours), first)
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
