"""A mined run and numbers of its sentences in, what the search has found near to these out.

Of the files of neighbours no more is read than is asked for: which file a sentence is in is known by its list, or by
its number where all were compared with all.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import read_made_by
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.nearest import NOBODY
from paraloom.workflows.mine.index_step import LISTS, read_choice
from paraloom.workflows.mine.nearest_files import Nearest, read_rows, rows_in
from paraloom.workflows.mine.vectors_step import Vectors


class RunNeighbours:
    """The neighbours that the sentences of a run have, by number."""

    def __init__(self, run: Path, vectors: Vectors) -> None:
        self.folder = run / "neighbours"
        self.known = int(read_made_by(run, "neighbours")["options"]["neighbours"])
        self.index = Index.open(run / "index" / LISTS) if read_choice(run).kind == "ivf" else None
        self.codes = vectors.take
        self.count = int(vectors.starts[-1])

    def of(self, numbers: NDArray[np.int64]) -> Nearest:
        """Those of these sentences, a row each, whose numbers rise."""
        found = Nearest(
            numbers,
            np.full((len(numbers), self.known), NOBODY, np.int64),
            np.zeros((len(numbers), self.known), np.int32),
        )
        files, rows = self._in_blocks(numbers) if self.index is None else self._in_cells(self.index, numbers)
        for number in np.unique(files[rows >= 0]).tolist():
            here = np.flatnonzero((files == number) & (rows >= 0))
            read = read_rows(self._file(number), rows[here])
            found.neighbours[here], found.dots[here] = read.neighbours, read.dots
        return found

    def _file(self, number: int) -> Path:
        return self.folder / f"{'block' if self.index is None else 'cell'}-{number:05d}.npz"

    def _in_blocks(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The file that each of these is in, and where: blocks are of one size, but for the last."""
        size = max(rows_in(self._file(0)), 1)
        return numbers // size, numbers % size

    def _in_cells(self, index: Index, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same by cells; -1 for one that is not where it is looked for, since a graph of another version led
        elsewhere."""
        lists = index.finder.own_lists(self.codes(numbers))
        cells = index.lists.cells_of(lists)
        rows = np.full(len(numbers), -1, np.int64)
        for number, cell in sorted({*zip(lists.tolist(), cells.tolist(), strict=True)}):
            start, stop = index.cells[cell].bounds(number)
            lying = index.cells[cell].read_numbers(start, stop)
            here = np.flatnonzero((lists == number) & np.isin(numbers, lying))
            rows[here] = start + np.searchsorted(lying, numbers[here])
        return cells, rows
