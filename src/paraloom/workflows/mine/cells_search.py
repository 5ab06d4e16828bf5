"""An index of cells in, what every sentence finds in the lists nearest to it out: a task a cell.

A sentence that an earlier run has found neighbours for starts from those, and meets what is new. In a later stage all
go on from what they have found by then, in lists that they have not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.engine.folders import ASIDE, Round
from paraloom.engine.room import make_room
from paraloom.models.neighbours.grown_search import search_grown_cell
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.links import wide
from paraloom.models.neighbours.nearest import NOBODY, Neighbours, merge_nearest, threads
from paraloom.models.neighbours.places import Places
from paraloom.models.neighbours.search import Found, search_cell
from paraloom.workflows.mine.generations import PLACES, FoundReader, FoundWriter, Generation, cell_folders
from paraloom.workflows.mine.grown_neighbours import KnownNeighbours, Start
from paraloom.workflows.mine.index_step import LISTS
from paraloom.workflows.mine.measured_recall import probes_of_stage
from paraloom.workflows.mine.nearest_files import Nearest
from paraloom.workflows.mine.numbers import Numbers, begin_array
from paraloom.workflows.mine.vectors_step import Vectors

if TYPE_CHECKING:
    from paraloom.workflows.mine.options import SearchOptions


def places_round(run: Path) -> Round:
    """Where every sentence lies, so that those it is linked with can be asked for theirs."""
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
        start = begin_array(file, kind, (count,))
        make_room(file, start, max(count * np.dtype(kind).itemsize, 1))
    places = np.memmap(target, kind, "r+", offset=start, shape=(count,))
    places[:] = NOBODY  # also of those with vectors of zeros, which are in no cell
    Places(Index.open(run / "index" / LISTS).cells).of_numbers(places)
    places.flush()


def search_round(
    folder: Path, run: Path, stage: int, options: SearchOptions, device: str, start: Start | None
) -> Round:
    """Every cell's sentences against the lists that are nearest to them."""
    return Round(
        name="searched",
        files=cell_folders(run, Generation(stage, 0).found),
        work=partial(CellSearch, folder, run, stage, options.neighbours, device, start if stage == 0 else None),
        is_kept=False,
        on_gpu=device == "cuda",
    )


class CellSearch:
    """Searches for the neighbours of the sentences of one cell."""

    def __init__(self, folder: Path, run: Path, stage: int, neighbours: int, device: str, start: Start | None) -> None:
        self.index = Index.open(run / "index" / LISTS)
        self.wide = wide(neighbours)
        self.known = KnownNeighbours(run, start, folder, self.wide) if start is not None else None
        self.growth = self.known.growth(len(self.index.lists)) if self.known is not None else None
        self.before = FoundReader(run, folder / ASIDE, Generation(stage, 0).before) if stage else None
        self.write = FoundWriter(run, folder / ASIDE, Generation(stage, 0))
        vectors = Vectors(run / "vectors", Numbers.of(run / "vectors").starts)
        self.after, probes = probes_of_stage(folder, run, stage)
        self.how: dict[str, Any] = {
            "k": self.wide,
            "probes": probes,
            "whole": vectors.take if self.index.is_packed else None,
            "device": device,
        }

    def __call__(self, cell: int, target: Path) -> None:
        with threads(1):
            found = [*self._search(cell)]
        none = np.empty((0, self.wide), np.int64)
        numbers = np.concatenate([np.empty(0, np.int64), *(some.numbers for some in found)])
        best = Neighbours(
            np.concatenate([none.astype(np.int32), *(some.neighbours.dots for some in found)]),
            np.concatenate([none, *(some.neighbours.numbers for some in found)]),
        )
        if self.before is not None:
            then = self.before.found(cell)
            best = merge_nearest(Neighbours(then.dots, then.neighbours), best)
        self.write(cell, Nearest(numbers, best.numbers, best.dots), target)

    def _search(self, cell: int) -> Iterator[Found]:
        cells, finder, known = self.index.cells, self.index.finder, self.known
        if known is None or self.growth is None:
            return search_cell(cells, finder, cell, after=self.after, **self.how)
        before = known.of_cell(cell, cells[cell].read_numbers(0, cells[cell].rows))
        return search_grown_cell(cells, finder, cell, before, self.growth, **self.how)
