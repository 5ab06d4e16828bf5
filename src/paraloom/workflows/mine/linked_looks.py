"""What all sentences have found in, better neighbours out: each looks at those it is linked with, and at theirs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.folders import ASIDE, Round
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.links import TOLD, joined, linked
from paraloom.models.neighbours.lists import read_array
from paraloom.models.neighbours.nearest import Neighbours
from paraloom.models.neighbours.places import Places
from paraloom.models.neighbours.search import in_rising_order
from paraloom.models.neighbours.second_look import Named, look_again
from paraloom.workflows.mine.generations import FoundReader, FoundWriter, Generation, PlaceFinder, cell_folders
from paraloom.workflows.mine.index_step import LISTS
from paraloom.workflows.mine.nearest_files import Nearest
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.vectors_step import Vectors


def links_round(folder: Path, run: Path, generation: Generation, *, is_small: bool) -> Round:
    """Whom every sentence is linked with: those that it has found, and others that found it."""
    return Round(
        name="linked",
        files=cell_folders(run, generation.linked, ".npy"),
        work=partial(Linker, run, folder / ASIDE, generation.before),
        is_kept=False,
        is_small=is_small,
    )


class Linker:
    """Links the sentences of one cell."""

    def __init__(self, run: Path, aside: Path, before: Generation) -> None:
        self.read = FoundReader(run, aside, before)
        self.placed = PlaceFinder(run, aside)

    def __call__(self, cell: int, target: Path) -> None:
        found, incoming = self.placed(self.read.found(cell)), joined(self.read.leading_to(cell))
        links = linked(found, incoming, int(self.placed.places.starts[cell]), TOLD)
        with target.open("wb") as file:
            np.save(file, links, allow_pickle=False)


def look_round(folder: Path, run: Path, generation: Generation, *, is_small: bool) -> Round:
    """Every cell's sentences against those that they are linked with, and theirs."""
    return Round(
        name="looked again",
        files=cell_folders(run, generation.found),
        work=partial(Look, run, folder / ASIDE, generation),
        is_kept=False,
        is_small=is_small,
    )


class Look:
    """Lets the sentences of one cell look again."""

    def __init__(self, run: Path, aside: Path, generation: Generation) -> None:
        self.read = FoundReader(run, aside, generation.before)
        self.links = LinksByPlace(run, aside, generation)
        self.write = FoundWriter(run, aside, generation)

    def __call__(self, cell: int, target: Path) -> None:
        found, links = self.read.found(cell), self.links
        names = links.places.of_cell(cell)
        better = look_again(names, links.of_cell(cell), Neighbours(found.dots, found.neighbours), links)
        self.write(cell, Nearest(found.numbers, better.numbers, better.dots), target)


class LinksByPlace:
    """Whom all sentences are linked with, by place: near ones lie near each other on disk."""

    def __init__(self, run: Path, aside: Path, generation: Generation) -> None:
        index = Index.open(run / "index" / LISTS)
        self.places = Places(index.cells)
        self.whole = Vectors(run / "vectors", Numbers.of(run / "vectors").starts).take if index.is_packed else None
        self.files = [aside / name for name in cell_folders(run, generation.linked, ".npy")]

    def of_cell(self, cell: int) -> NDArray[np.int64]:
        """Whom the sentences of a cell are linked with, a row each."""
        return self._of(cell).astype(np.int64)

    def neighbours(self, names: NDArray[np.int64]) -> NDArray[np.int64]:
        """Whom these sentences are linked with, a row each."""
        found = [self._of(cell)[rows].astype(np.int64) for cell, rows in self.places.by_cell(names)]
        return np.concatenate(found)

    def _of(self, cell: int) -> NDArray[Any]:
        """Of a cell, where it lies; opened each time, for a process may not have thousands of files open."""
        return read_array(self.files[cell], in_memory=False)

    def rows(self, names: NDArray[np.int64]) -> Named:
        """These sentences."""
        numbers, kept = self.places.take(names)
        codes = self.places.cells.codes.decode(kept) if self.whole is None else in_rising_order(self.whole, numbers)
        return Named(numbers, codes)
