"""Sentences of which some have been searched for before in, the nearest of all of them out: of a cell, or of a block.

Who was there has met all others of the lists it probed then, or of all, so it meets what is new to them, and has no
worse neighbours than a search anew would find. Who is new meets all. So the cost goes with what is new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import EngineError
from paraloom.models.neighbours.cells import Cells
from paraloom.models.neighbours.nearest import NOBODY, Neighbours, merge_nearest, nobody, start_search
from paraloom.models.neighbours.probes import ListFinder
from paraloom.models.neighbours.search import (
    LOOKED_AT,
    Found,
    Part,
    ReadCodes,
    in_rising_order,
    look_into,
    measured_anew,
    meet,
    rows_at_once,
    search_block,
)

NewRows = Callable[[], Iterable[tuple[NDArray[np.int64], NDArray[np.int8]]]]
"""Numbers and whole codes of all sentences that are new, in pieces."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Growth:
    """What has changed in an index since it was searched."""

    is_new: NDArray[np.bool_]
    """Of every number, whether it was not there."""
    probes: int
    """Lists that every sentence has looked into."""
    new_rows: NewRows | None = None
    """Where so few are new that meeting all of them is quicker than looking for the lists they are in."""


def search_grown_cell(
    cells: Cells,
    finder: ListFinder,
    cell: int,
    known: Found,
    growth: Growth,
    *,
    k: int,
    probes: int,
    whole: ReadCodes | None = None,
    device: str = "cpu",
) -> Iterator[Found]:
    """What `search_cell` gives, or better, from what is `known` of the sentences that are not new.

    `known` has them in the order of the cell. One of them that has lost a neighbour (NOBODY stands there with a
    product) meets all again.
    """
    opened, together, taken = cells[cell], rows_at_once(probes), 0
    for start in range(0, opened.rows, together):
        rows = opened.read(start, min(start + together, opened.rows))
        codes = cells.codes.decode(rows.kept) if whole is None else in_rising_order(whole, rows.numbers)
        old = np.flatnonzero(~growth.is_new[rows.numbers])
        before = _rows_of(known, slice(taken, taken + len(old)))
        taken += len(old)
        if not np.array_equal(rows.numbers[old], before.numbers):
            raise EngineError(f"{opened.file} has other sentences than were searched for before. Make its run again.")
        is_whole = ~_has_lost(before)
        old, before = old[is_whole], _rows_of(before, is_whole)
        anew = np.delete(np.arange(len(rows.numbers)), old)
        best = nobody(len(rows.numbers), k)
        if len(anew):
            best.dots[anew], best.numbers[anew] = look_into(
                cells, finder, codes[anew], rows.numbers[anew], k=k, probes=probes, whole=whole, device=device
            )
        if len(old):
            more = _new_ones(
                cells, finder, codes[old], before.numbers, growth, k=k, probes=probes, whole=whole, device=device
            )
            best.dots[old], best.numbers[old] = merge_nearest(before.neighbours, more)
        yield Found(rows.numbers, best)


def _rows_of(known: Found, rows: slice | NDArray[np.bool_]) -> Found:
    return Found(known.numbers[rows], Neighbours(known.neighbours.dots[rows], known.neighbours.numbers[rows]))


def _has_lost(known: Found) -> NDArray[np.bool_]:
    """Which rows have lost a neighbour: its product is still there."""
    dots, numbers = known.neighbours
    return np.asarray(((numbers == NOBODY) & (dots > 0)).any(axis=1))


def _new_ones(
    cells: Cells,
    finder: ListFinder,
    codes: NDArray[np.int8],
    own: NDArray[np.int64],
    growth: Growth,
    *,
    k: int,
    probes: int,
    whole: ReadCodes | None,
    device: str,
) -> Neighbours:
    """The nearest of these codes among what they have not met."""
    if growth.new_rows is not None and probes <= growth.probes:
        return _all_new(codes, own, growth.new_rows, k, device)
    probed = finder.probed(codes, probes, device=device)
    kept = k if whole is None else LOOKED_AT * k
    search = start_search(codes, kept, own=own, device=device)
    met_before = min(growth.probes, probed.shape[1])
    meet(search, cells, probed, 0, met_before, kept, growth.is_new)
    meet(search, cells, probed, met_before, probed.shape[1], kept)
    return search.found() if whole is None else measured_anew(codes, search.found(), whole, k)


def _all_new(codes: NDArray[np.int8], own: NDArray[np.int64], new_rows: NewRows, k: int, device: str) -> Neighbours:
    search = start_search(codes, k, own=own, device=device)
    for numbers, met in new_rows():
        search.add(met, numbers)
    return search.found()


def search_grown_block(
    queries: NDArray[np.int8],
    own: NDArray[np.int64],
    parts: Callable[[], Iterable[Part]],
    known: Found,
    new_rows: NewRows,
    k: int,
    *,
    device: str = "cpu",
) -> Neighbours:
    """What `search_block` gives, from what is `known` of the queries that have met all others but the new ones.

    Numbers rise, those of the queries (`own`) as those that are known. One that has lost a neighbour meets all again.
    """
    known = _rows_of(known, ~_has_lost(known))
    old = np.searchsorted(own, known.numbers)
    anew = np.delete(np.arange(len(own)), old)
    best = nobody(len(own), k)
    if len(anew):
        best.dots[anew], best.numbers[anew] = search_block(queries[anew], own[anew], parts(), k, device=device)
    if len(old):
        more = _all_new(queries[old], own[old], new_rows, k, device)
        best.dots[old], best.numbers[old] = merge_nearest(known.neighbours, more)
    return best
