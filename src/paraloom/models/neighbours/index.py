"""The folder of an index in, neighbours of a few sentences out; rows laid into its lists.

centroids.npy  starts.npy      lists and cells
codes.json  (pieces.npy)       how vectors are kept
(centroids.graph)              where there are many lists
cell-00000.rows …              the sentences
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.cells import Cells, write_cell
from paraloom.models.neighbours.codes import Coder, Codes, squared_norms
from paraloom.models.neighbours.lists import Lists, read_lists, write_lists
from paraloom.models.neighbours.nearest import Neighbours
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

    @property
    def is_packed(self) -> bool:
        """Whether its rows are near the truth alone, and whole ones must be asked for."""
        return isinstance(self.codes, ProductCoder)

    def search(self, queries: NDArray[np.int8], k: int, *, probes: int, whole: ReadCodes | None = None) -> Neighbours:
        """The k nearest sentences of a few queries (int8 codes), in the `probes` lists nearest to each."""
        return search_few(self.cells, self.finder, queries, k, probes=probes, whole=whole if self.is_packed else None)


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
