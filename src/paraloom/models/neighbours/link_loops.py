"""Names and edges in, each once and the best of them out: plain loops over numbers, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

WORD = 6
"""A word has 2^6 bits."""
IN_WORD = (1 << WORD) - 1
ONE = np.uint64(1)


@compiled
def _ones(word: Any) -> Any:
    """How many bits of a word are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(word * np.uint64(0x0101010101010101) >> np.uint64(56))


@compiled
def mark(names: NDArray[Any], bits: NDArray[np.uint64]) -> None:
    """Set the bit of every name; names below zero are none."""
    for name in names:
        if name >= 0:
            bits[name >> WORD] |= ONE << np.uint64(name & IN_WORD)


@compiled
def marked(bits: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """All names whose bits are set, rising; and how many of them come before those of each word."""
    before = np.empty(bits.shape[0], np.int32)
    count = 0
    for word in range(bits.shape[0]):
        before[word] = count
        count += _ones(bits[word])
    names = np.empty(count, np.int64)
    count = 0
    for word in range(bits.shape[0]):
        left = bits[word]
        while left:
            names[count] = (word << WORD) + _ones((left & (~left + ONE)) - ONE)
            count += 1
            left &= left - ONE
    return names, before


@compiled
def ranks(names: NDArray[Any], bits: NDArray[np.uint64], before: NDArray[np.int32]) -> NDArray[np.int32]:
    """Where each name, whose bit is set, stands among all that are; below zero where it is none."""
    told = np.full(names.shape[0], np.int32(-1))
    for number in range(names.shape[0]):
        name = names[number]
        if name >= 0:
            lower = (ONE << np.uint64(name & IN_WORD)) - ONE
            told[number] = before[name >> WORD] + _ones(bits[name >> WORD] & lower)
    return told


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
