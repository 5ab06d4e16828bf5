"""An index in, the nearest of all sentences of a cell out; or a block of sentences against all, which is exact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.cells import Cells
from paraloom.models.neighbours.nearest import Neighbours, Search, start_search
from paraloom.models.neighbours.probes import ListFinder

ROWS_AT_ONCE = 131_072
"""Sentences of a cell that are searched for together: they bound memory where one cell is very large."""


class Found(NamedTuple):
    """The neighbours of sentences, by the sentences' numbers."""

    numbers: NDArray[np.int64]
    neighbours: Neighbours


class Part(NamedTuple):
    """Sentences that follow each other by number: the number of the first, and the codes of all."""

    first: int
    codes: NDArray[np.int8]


def search_cell(
    cells: Cells, finder: ListFinder, cell: int, *, k: int, probes: int, device: str = "cpu"
) -> Iterator[Found]:
    """The k nearest of every sentence of a cell, among the sentences of the `probes` lists nearest to it.

    Sentences come in the order of lists, many together. One is never its own neighbour. Those with vectors of zeros are
    in no cell.
    """
    opened = cells[cell]
    for start in range(0, opened.rows, ROWS_AT_ONCE):
        stop = min(start + ROWS_AT_ONCE, opened.rows)
        rows = opened.read(start, stop)
        codes = cells.codes.decode(rows.kept)
        probed = finder.probed(codes, probes)
        search = start_search(codes, k, own=rows.numbers, device=device)
        # What is nearest comes first: most of what comes later is then worse, and passed over quickly.
        _meet(search, cells, probed[:, :1])
        _meet(search, cells, probed[:, 1:])
        yield Found(rows.numbers, search.found())


def _meet(search: Search, cells: Cells, probed: NDArray[np.int64]) -> None:
    """Let every row meet the sentences of the lists it probes, list by list."""
    from paraloom.models.neighbours.nearest_loops import rows_by_list

    starts, rows = rows_by_list(np.ascontiguousarray(probed), len(cells.lists))
    for number in np.flatnonzero(np.diff(starts)).tolist():
        asking = rows[starts[number] : starts[number + 1]]
        for numbers, codes in cells.of_list(number):
            search.add(codes, numbers, asking)


def search_block(
    queries: NDArray[np.int8], own: NDArray[np.int64] | None, parts: Iterable[Part], k: int, *, device: str = "cpu"
) -> Neighbours:
    """The k nearest of these sentences among all sentences, part by part; exact. `own` are the queries' numbers."""
    search = start_search(queries, k, own=own, device=device)
    for part in parts:
        search.add(part.codes, np.arange(part.first, part.first + len(part.codes)))
    return search.found()


def first_look(
    cells: Cells, finder: ListFinder, codes: NDArray[np.int8], numbers: NDArray[np.int64], *, k: int, probes: int
) -> Neighbours:
    """What `search_cell` finds for these sentences of the index, whichever cells they are in."""
    search = start_search(codes, k, own=numbers)
    _meet(search, cells, finder.probed(codes, probes))
    return search.found()


def search_few(cells: Cells, finder: ListFinder, queries: NDArray[np.int8], k: int, *, probes: int) -> Neighbours:
    """The k nearest of queries that are in no cell, in the `probes` lists nearest to each."""
    search = start_search(queries, k)
    _meet(search, cells, finder.nearest_lists(queries, probes))
    return search.found()
