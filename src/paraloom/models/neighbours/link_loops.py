"""Names and edges in, each once and the best of them out: plain loops over numbers, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

FREE = np.int64(-1)
"""Stands in a table where there is no name. Names are not below zero."""
SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 by the golden ratio: names that follow each other lie far apart in a table."""
HIGH_BITS = np.uint64(20)
"""The lowest bits of a product depend on the lowest bits of a name alone: they are passed over."""


@compiled
def distinct(names: NDArray[np.int64], table: NDArray[np.int64], found: NDArray[np.int64]) -> int:
    """Write every name that there is, once, as it first comes, into `found`; gives how many. Names below zero are none.

    `table` has a power of two of places, more than there are different names, all FREE.
    """
    last = np.uint64(table.shape[0] - 1)
    count = 0
    for name in names:
        if name < 0:
            continue
        place = (np.uint64(name) * SPREAD >> HIGH_BITS) & last
        while table[place] != FREE and table[place] != name:
            place = (place + np.uint64(1)) & last
        if table[place] == FREE:
            table[place] = name
            found[count] = name
            count += 1
    return count


@compiled
def ranks(
    rising: NDArray[np.int64], names: NDArray[np.int64], table: NDArray[np.int64], told: NDArray[np.int64]
) -> None:
    """Write where every name stands among the rising ones into `told`, below zero where it is none.

    All names are among them. `table` has a power of two of places, more than there are rising names, all FREE.
    """
    last = np.uint64(table.shape[0] - 1)
    for rank in range(rising.shape[0]):
        place = (np.uint64(rising[rank]) * SPREAD >> HIGH_BITS) & last
        while table[place] != FREE:
            place = (place + np.uint64(1)) & last
        table[place] = rank
    for number in range(names.shape[0]):
        name = names[number]
        told[number] = FREE
        if name >= 0:
            place = (np.uint64(name) * SPREAD >> HIGH_BITS) & last
            while rising[table[place]] != name:
                place = (place + np.uint64(1)) & last
            told[number] = table[place]


@compiled
def first_of_each(targets: NDArray[Any], most: int) -> NDArray[np.bool_]:
    """Of edges in the order of their targets, which are among the first so many of their target."""
    is_taken = np.empty(targets.shape[0], np.bool_)
    before = 0
    for edge in range(targets.shape[0]):
        before = before + 1 if edge and targets[edge] == targets[edge - 1] else 0
        is_taken[edge] = before < most
    return is_taken


@compiled
def fill_links(targets: NDArray[Any], sources: NDArray[Any], first: int, own: int, links: NDArray[Any]) -> None:
    """Write the sources of every target into its row of links behind its own, but for those that are among its own.

    Targets are in order, and the rows are those of the targets from `first` on; what finds no room is left out.
    """
    column = own
    for edge in range(targets.shape[0]):
        row = targets[edge] - first
        if edge and targets[edge] != targets[edge - 1]:
            column = own
        is_there = False
        for known in range(own):
            if links[row, known] == sources[edge]:
                is_there = True
        if not is_there and column < links.shape[1]:
            links[row, column] = sources[edge]
            column += 1
