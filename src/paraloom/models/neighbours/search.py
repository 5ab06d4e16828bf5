"""An index in, the nearest of all sentences of a cell out; or a block of sentences against all, which is exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.cells import Cells
from paraloom.models.neighbours.nearest import LEAST, NOBODY, Neighbours, Search, nobody, start_search
from paraloom.models.neighbours.probes import ListFinder

ROWS_AT_ONCE = 131_072
"""Sentences of a cell that are searched for together, at most: they bound memory where one cell is very large."""
FEWEST_AT_ONCE = 4096
MEETINGS = 1 << 25
"""Sentences × lists that are noted at a time, in 12 bytes each: they bound memory where many lists are looked into."""
LOOKED_AT = 4
"""Where vectors are packed, so many times the neighbours are looked for, and the nearest by whole vectors kept."""
ROWS_MEASURED = 1024

ReadCodes = Callable[[NDArray[np.int64]], NDArray[np.int8]]
"""The codes of these sentences, a row each. Asked for in rising order."""


class Found(NamedTuple):
    """The neighbours of sentences, by the sentences' numbers."""

    numbers: NDArray[np.int64]
    neighbours: Neighbours


class Part(NamedTuple):
    """Sentences that follow each other by number: the number of the first, and the codes of all."""

    first: int
    codes: NDArray[np.int8]


def rows_at_once(probes: int) -> int:
    """Sentences that are searched for together.

    >>> rows_at_once(8), rows_at_once(400), rows_at_once(10**6)
    (131072, 83886, 4096)
    """
    return max(min(ROWS_AT_ONCE, MEETINGS // max(probes, 1)), FEWEST_AT_ONCE)


def search_cell(
    cells: Cells,
    finder: ListFinder,
    cell: int,
    *,
    k: int,
    probes: int,
    after: int = 0,
    whole: ReadCodes | None = None,
    device: str = "cpu",
) -> Iterator[Found]:
    """The k nearest of every sentence of a cell, among the sentences of the `probes` lists nearest to it.

    Sentences come in the order of lists, many together. One is never its own neighbour. Those with vectors of zeros are
    in no cell. The first lists up to `after` are passed over: they were looked into before. `whole` reads whole codes
    where the index has packed ones.
    """
    opened, together = cells[cell], rows_at_once(probes)
    for start in range(0, opened.rows, together):
        rows = opened.read(start, min(start + together, opened.rows))
        codes = cells.codes.decode(rows.kept) if whole is None else in_rising_order(whole, rows.numbers)
        found = look_into(
            cells, finder, codes, rows.numbers, k=k, probes=probes, after=after, whole=whole, device=device
        )
        yield Found(rows.numbers, found)


def look_into(
    cells: Cells,
    finder: ListFinder,
    codes: NDArray[np.int8],
    own: NDArray[np.int64] | None,
    *,
    k: int,
    probes: int,
    after: int = 0,
    whole: ReadCodes | None,
    device: str = "cpu",
) -> Neighbours:
    """The k nearest of these codes in the lists that are nearest to each, measured by whole codes."""
    probed = finder.probed(codes, probes, device=device)
    kept = k if whole is None else LOOKED_AT * k
    search = start_search(codes, kept, own=own, device=device)
    # What is nearest comes first: most of what comes later is then worse, and passed over quickly.
    nearest_first = max(after, 1)
    meet(search, cells, probed, after, nearest_first, kept)
    meet(search, cells, probed, nearest_first, probed.shape[1], kept)
    return search.found() if whole is None else measured_anew(codes, search.found(), whole, k)


def in_rising_order(read: ReadCodes, numbers: NDArray[np.int64]) -> NDArray[np.int8]:
    """The codes of sentences, in whatever order they are wanted."""
    order = np.argsort(numbers)
    codes = read(numbers[order])
    found = np.empty_like(codes)
    found[order] = codes
    return found


def measured_anew(queries: NDArray[np.int8], found: Neighbours, whole: ReadCodes, k: int) -> Neighbours:
    """The k nearest of those found, by the products of whole codes: those of packed ones are near the truth alone."""
    best = nobody(len(queries), k)
    for start in range(0, len(queries), ROWS_MEASURED):
        some = slice(start, start + ROWS_MEASURED)
        numbers = found.numbers[some]
        wanted, place = np.unique(np.maximum(numbers, 0), return_inverse=True)
        others = whole(wanted).astype(np.int32)[place.reshape(numbers.shape)]
        dots = np.einsum("nd,nkd->nk", queries[some].astype(np.int32), others)
        dots = np.where((numbers == NOBODY) | (dots < LEAST), LEAST - 1, dots).astype(np.int32)
        order = np.lexsort((numbers, -dots), axis=1)[:, :k]
        kept = np.take_along_axis(dots, order, axis=1)
        best.dots[some, : order.shape[1]] = kept
        best.numbers[some, : order.shape[1]] = np.where(
            kept < LEAST, NOBODY, np.take_along_axis(numbers, order, axis=1)
        )
    return best


def meet(
    search: Search,
    cells: Cells,
    probed: NDArray[np.int32],
    first: int,
    last: int,
    kept: int,
    among: NDArray[np.bool_] | None = None,
) -> None:
    """Let every row meet the sentences of the lists it probes, from one probe to another, list by list.

    `kept` is how many neighbours are looked for. `among` says of every number whether it is to be met; None: all are.
    """
    from paraloom.models.neighbours.nearest_loops import rows_by_list

    starts, rows = rows_by_list(probed, first, last, len(cells.lists))
    for number in np.flatnonzero(np.diff(starts)).tolist():
        asking = rows[starts[number] : starts[number + 1]]
        for numbers, codes in cells.of_list(number, among, most_copies=kept + 1):  # and a row's own
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
    cells: Cells,
    finder: ListFinder,
    codes: NDArray[np.int8],
    numbers: NDArray[np.int64],
    *,
    k: int,
    probes: int,
    whole: ReadCodes | None = None,
) -> Neighbours:
    """What `search_cell` finds for these sentences of the index, whichever cells they are in; as many at a time."""
    together = rows_at_once(probes)
    pieces = [
        look_into(
            cells,
            finder,
            codes[start : start + together],
            numbers[start : start + together],
            k=k,
            probes=probes,
            whole=whole,
        )
        for start in range(0, max(len(codes), 1), together)
    ]
    return Neighbours(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))


def search_few(
    cells: Cells, finder: ListFinder, queries: NDArray[np.int8], k: int, *, probes: int, whole: ReadCodes | None = None
) -> Neighbours:
    """The k nearest of queries that are in no cell, in the `probes` lists nearest to each."""
    return look_into(cells, finder, queries, None, k=k, probes=probes, whole=whole)
