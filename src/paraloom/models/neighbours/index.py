"""The folder of an index in, neighbours of a few sentences out; rows laid into its lists; two indexes into one.

centroids.npy  starts.npy      lists and cells
codes.json  (pieces.npy)       how vectors are kept
(centroids.graph)              where there are many lists
cell-00000.rows …              the sentences
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import unfinished_name
from paraloom.errors import EngineError
from paraloom.models.neighbours.cells import Cells, Source, cell_name, gather_cell, write_cell
from paraloom.models.neighbours.codes import Coder, Codes, squared_norms
from paraloom.models.neighbours.lists import Lists, read_lists, write_lists
from paraloom.models.neighbours.nearest import NOBODY, Neighbours
from paraloom.models.neighbours.probes import ListFinder, write_graph
from paraloom.models.neighbours.product_codes import ProductCoder, read_codes, write_codes
from paraloom.models.neighbours.search import ReadCodes, search_few


class Index:
    """An index on disk; of its rows memory holds those that are asked for."""

    def __init__(self, folder: Path, lists: Lists, codes: Codes) -> None:
        self.folder = folder
        self.lists = lists
        self.codes = codes
        self.finder = ListFinder.open(folder, lists)
        self.cells = Cells(folder, lists, codes)

    @classmethod
    def open(cls, folder: Path) -> Index:
        """The index in a folder."""
        codes = read_codes(folder)
        return cls(folder, read_lists(folder), codes)

    def __len__(self) -> int:
        return sum(self.cells[number].rows for number in range(self.lists.cells))

    @property
    def is_packed(self) -> bool:
        """Whether its rows are near the truth alone, and whole ones must be asked for."""
        return isinstance(self.codes, ProductCoder)

    def search(self, queries: NDArray[np.int8], k: int, *, probes: int, whole: ReadCodes | None = None) -> Neighbours:
        """The k nearest sentences of a few queries (int8 codes), in the `probes` lists nearest to each."""
        return search_few(self.cells, self.finder, queries, k, probes=probes, whole=whole if self.is_packed else None)

    def lists_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The list that each sentence lies in, NOBODY where it is in none; reads the numbers of all cells."""
        wanted, place = np.unique(numbers, return_inverse=True)
        found = np.full(len(wanted), NOBODY, np.int64)
        for number in range(self.lists.cells):
            cell = self.cells[number]
            start = 0
            for rows in cell.pieces(0, cell.rows):
                at = np.searchsorted(wanted, rows.numbers).clip(max=max(len(wanted) - 1, 0))
                is_wanted = wanted[at] == rows.numbers if len(wanted) else np.zeros(len(at), bool)
                found[at[is_wanted]] = cell.list_of_places(start, start + len(at))[is_wanted]
                start += len(at)
        return found[place]


def write_head(folder: Path, lists: Lists, codes: Coder | ProductCoder) -> None:
    """All of an index but its cells."""
    folder.mkdir(parents=True, exist_ok=True)
    write_lists(folder, lists)
    write_graph(folder, lists)
    write_codes(folder, codes)


def lay_rows(
    target: Path,
    finder: ListFinder,
    codes: Coder | ProductCoder,
    rows: NDArray[np.int8],
    numbers: NDArray[np.int64],
    *,
    device: str = "cpu",
) -> int:
    """Lay int8 rows into lists, in one file that `gather_cell` takes cells from; gives how many were laid.

    Vectors of zeros are left out: they are nobody's neighbours, and would fill one list.
    """
    known = squared_norms(rows) > 0
    rows, numbers = rows[known], numbers[known]
    kept = codes.pack(rows) if isinstance(codes, ProductCoder) else rows
    write_cell(target, range(len(finder.lists)), finder.own_lists(rows, device=device), numbers, kept)
    return len(rows)


def lay_cell(target: Path, finder: ListFinder, codes: Coder | ProductCoder, cells: Cells, cell: int) -> int:
    """Lay the rows of a cell of another index into these lists, in one file, with the numbers they have."""
    if codes_differ(codes, cells.codes):
        raise EngineError(
            f"{cells.folder} keeps vectors in another way than the index it should be merged with. "
            "Mine both with the same embedder and dimensions, or mine all files anew."
        )
    rows = cells[cell].read(0, cells[cell].rows)
    return lay_rows(target, finder, codes, cells.codes.decode(rows.kept), rows.numbers)


def codes_differ(left: Codes, right: Codes) -> bool:
    """Whether rows of one are not rows of the other."""

    def coder(codes: Codes) -> Codes:
        return codes.coder if isinstance(codes, ProductCoder) else codes

    return coder(left) != coder(right)


def merge_indexes(
    folder: Path,
    larger: Index,
    smaller: Index,
    *,
    renumber: Sequence[NDArray[np.int64] | None] = (None, None),
) -> Index:
    """Two indexes as one, in a new folder, on the larger one's lists; nothing is embedded again.

    `renumber` has the new numbers of the larger one's sentences and of the smaller one's, below zero for those to leave
    out, as where both have the same sentence.
    """
    codes = larger.codes
    assert isinstance(codes, Coder | ProductCoder)
    write_head(folder, larger.lists, codes)
    laid = [unfinished_name(folder / f"laid-{number:05d}") for number in range(smaller.lists.cells)]
    try:
        for number, file in enumerate(laid):
            lay_cell(file, larger.finder, codes, smaller.cells, number)
        for number in range(larger.lists.cells):
            sources = [Source(file=larger.folder / cell_name(number), renumber=renumber[0])]
            sources += [Source(file=file, renumber=renumber[1]) for file in laid]
            gather_cell(folder / cell_name(number), larger.lists.lists_of(number), sources)
    finally:
        for file in laid:
            file.unlink(missing_ok=True)
    return Index.open(folder)
