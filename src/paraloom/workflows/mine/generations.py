"""What all sentences have found so far, on disk beside a search at work: a generation of neighbours after the other.

    found-S-L/cell-00000/    the neighbours of a cell's sentences after look L of stage S (0: after their lists)
        found.npz            by number, the nearest first; more of them than are wanted in the end
        edges                the same as edges, in the order of what was found, until all are linked for the next look
    linked-S-L/cell-00000.npy  whom a cell's sentences are linked with, for look L
    past-S-L                 the generation is whole: what it was made from is not wanted any more

A stage is a search in more lists, and the looks that follow it. Cells are known by their number and never by what lies
in a folder: there what a worker was writing when it was killed may lie too.
"""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.folders import ASIDE, Round
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.links import LOOKS, TOLD, Edges
from paraloom.models.neighbours.lists import read_array
from paraloom.models.neighbours.nearest import NOBODY
from paraloom.models.neighbours.places import Places
from paraloom.workflows.mine.index_step import LISTS
from paraloom.workflows.mine.nearest_files import Nearest, read_rows

STAGES = 4
"""Searches in more and more lists, at most."""
PLACES = "places.npy"
"""The place in the index of every sentence, by number."""
FOUND = "found.npz"
EDGES = "edges"
"""Where the edges to each cell begin, as whole numbers of eight bytes, then the edges."""


class Generation(NamedTuple):
    """The neighbours after a look of a stage."""

    stage: int
    look: int

    @property
    def name(self) -> str:
        """As its files are named."""
        return f"{self.stage}-{self.look}"

    @property
    def before(self) -> Generation:
        """The one that it was made from."""
        return Generation(self.stage, self.look - 1) if self.look else Generation(self.stage - 1, LOOKS)

    @property
    def found(self) -> str:
        """The folder of its neighbours."""
        return f"found-{self.name}"

    @property
    def linked(self) -> str:
        """The folder of the links that it was found by."""
        return f"linked-{self.name}"

    def is_past(self, folder: Path) -> bool:
        """Whether it is made, and what it was made from may be gone."""
        return any((folder / ASIDE / f"past-{later.name}").exists() for later in ALL if later >= self)


ALL = tuple(Generation(stage, look) for stage in range(STAGES) for look in range(LOOKS + 1))


def cell_folders(run: Path, below: str, ending: str = "") -> tuple[str, ...]:
    """One for every cell of a run's index."""
    from paraloom.models.neighbours.lists import read_lists

    cells = read_lists(run / "index" / LISTS).cells
    return tuple(f"{below}/cell-{cell:05d}{ending}" for cell in range(cells))


class PlaceFinder:
    """Finds where in the index lies what was found."""

    def __init__(self, run: Path, aside: Path) -> None:
        self.places = Places(Index.open(run / "index" / LISTS).cells)
        self.of_number = read_array(aside / PLACES, in_memory=False)

    def __call__(self, found: Nearest) -> NDArray[np.int32] | NDArray[np.int64]:
        """The places of what was found, a row each."""
        placed = np.full(found.neighbours.shape, NOBODY, self.of_number.dtype)
        placed[found.is_there] = self.of_number[found.neighbours[found.is_there]]
        return placed


class FoundWriter:
    """Writes what the sentences of a cell have found, and the edges of it where a look follows."""

    def __init__(self, run: Path, aside: Path, generation: Generation) -> None:
        self.placed = PlaceFinder(run, aside)
        self.leads_on = generation.look < LOOKS

    def __call__(self, cell: int, found: Nearest, target: Path) -> None:
        target.mkdir()
        found.write(target / FOUND)
        if self.leads_on:
            self._write_edges(cell, found, target / EDGES)

    def _write_edges(self, cell: int, found: Nearest, target: Path) -> None:
        places = self.placed.places
        edges = Edges.of(places.of_cell(cell), self.placed(found), found.dots)
        edges = edges.best(found.neighbours.shape[1] + TOLD)
        rows = np.empty(len(edges.targets), edge_kind(self.placed.of_number))
        for name, column in edges._asdict().items():
            rows[name] = column
        with target.open("wb") as file:
            file.write(np.searchsorted(edges.targets, places.starts).astype("<i8").tobytes())
            file.write(rows.tobytes())


def edge_kind(places: NDArray[Any]) -> np.dtype[Any]:
    """An edge on disk, where places are such numbers."""
    return np.dtype([("targets", places.dtype), ("sources", places.dtype), ("dots", np.int32)])


class FoundReader:
    """Reads what the sentences of a cell have found, and the edges that lead to a cell."""

    def __init__(self, run: Path, aside: Path, generation: Generation) -> None:
        self.cells = [aside / name for name in cell_folders(run, generation.found)]
        self.kind = edge_kind(read_array(aside / PLACES, in_memory=False))

    def found(self, cell: int) -> Nearest:
        """What a cell's sentences have found."""
        return Nearest.read(self.cells[cell] / FOUND)

    def found_by(self, cell: int, rows: NDArray[np.int64]) -> Nearest:
        """What some of them have, of which the cell's other rows are not read."""
        return read_rows(self.cells[cell] / FOUND, rows)

    def leading_to(self, cell: int) -> list[Edges]:
        """The edges that lead to the sentences of a cell, from each cell."""
        return [self._between(source, cell) for source in range(len(self.cells))]

    def _between(self, source: int, cell: int) -> Edges:
        with (self.cells[source] / EDGES).open("rb") as file:
            file.seek(8 * cell)
            start, stop = np.frombuffer(file.read(16), "<i8").tolist()
            file.seek(8 * (len(self.cells) + 1) + start * self.kind.itemsize)
            rows = np.frombuffer(file.read((stop - start) * self.kind.itemsize), self.kind)
        return Edges(*(rows[name] for name in Edges._fields))


def past_round(generation: Generation) -> Round:
    """When a generation is whole, that is noted: only then can go what it was made from."""
    return Round(
        name="cleared",
        files=(f"past-{generation.name}",),
        work=partial(partial, _note),
        is_kept=False,
        is_small=True,
    )


def _note(number: int, target: Path) -> None:
    target.touch()


def clear_before(folder: Path, generation: Generation) -> None:
    """Clear away what a generation was made from, once it is noted to be whole; again, if that was broken off."""
    if (folder / ASIDE / f"past-{generation.name}").exists():
        for below in (generation.linked, generation.before.found):
            shutil.rmtree(folder / ASIDE / below, ignore_errors=True)


def clear_edges(folder: Path, run: Path, generation: Generation) -> None:
    """Clear away the edges that a generation was linked by, once all of its links are there."""
    for cell in cell_folders(run, generation.before.found):
        (folder / ASIDE / cell / EDGES).unlink(missing_ok=True)
