"""The cells of an index in, their rows by place out: what is near in space is read together.

A row's place counts all rows of the cells before its own, and those before it in its cell. Numbers are as good as drawn
by lot, so that near sentences lie far apart by number; by place they lie side by side, and a page of the disk that is
read for one of them has others that are wanted too.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.cells import Cells, Rows


class Places:
    """Where the rows of an index lie."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        rows = [cells[cell].rows for cell in range(cells.lists.cells)]
        self.starts: NDArray[np.int64] = np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)
        """The place that every cell begins with, and behind the last one how many rows there are."""

    def __len__(self) -> int:
        return int(self.starts[-1])

    def of_cell(self, cell: int) -> NDArray[np.int64]:
        """The places of a cell's rows."""
        return np.arange(self.starts[cell], self.starts[cell + 1])

    def by_cell(self, places: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Places that rise, cell by cell: the cell, and which of its rows."""
        ends = np.searchsorted(places, self.starts)
        for cell in np.flatnonzero(np.diff(ends)).tolist():
            yield cell, places[ends[cell] : ends[cell + 1]] - self.starts[cell]

    def take(self, places: NDArray[np.int64]) -> Rows:
        """The rows at places that rise, as they are kept, and their numbers."""
        taken = Rows(np.empty(len(places), np.int64), np.empty((len(places), self.cells.codes.width), np.uint8))
        filled = 0
        for cell, rows in self.by_cell(places):
            here = slice(filled, filled + len(rows))
            self.cells[cell].take(rows, Rows(taken.numbers[here], taken.kept[here]))
            filled += len(rows)
        return taken

    def of_numbers(self, into: NDArray[np.int32] | NDArray[np.int64]) -> None:
        """Write the place of every number into an array; what is in no cell keeps what it has there."""
        for cell in range(self.cells.lists.cells):
            opened = self.cells[cell]
            into[opened.read_numbers(0, opened.rows)] = self.of_cell(cell)
