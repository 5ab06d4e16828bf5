"""Coded pairs in, the sparse table of the words that meet in them out: loops over numbers alone, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]


@compiled
def row_sizes(
    first: int,
    last: int,
    word_starts: Integers,
    tokens: Integers,
    pair_of: Codes,
    right: Codes,
    right_starts: Integers,
    words: int,
) -> Integers:
    """With how many right words each of these left words meets; `tokens` are the places of the left words' tokens."""
    sizes = np.zeros(last - first, np.int64)
    seen = np.full(words, -1, np.int32)
    for word in range(first, last):
        for at in range(word_starts[word], word_starts[word + 1]):
            pair = pair_of[tokens[at]]
            for place in range(right_starts[pair], right_starts[pair + 1]):
                if seen[right[place]] != word:
                    seen[right[place]] = word
                    sizes[word - first] += 1
    return sizes


@compiled
def fill_rows(
    first: int,
    last: int,
    word_starts: Integers,
    tokens: Integers,
    pair_of: Codes,
    right: Codes,
    left_starts: Integers,
    right_starts: Integers,
    cell_starts: Integers,
    row_starts: Integers,
    words: int,
    columns: Codes,
    places: Codes,
) -> None:
    """Write the right words of each left word's row, rising, and for each pair of tokens the number of its cell."""
    seen = np.full(words, -1, np.int32)
    cell_of = np.empty(words, np.int32)
    for word in range(first, last):
        cell = row_starts[word]
        for at in range(word_starts[word], word_starts[word + 1]):
            pair = pair_of[tokens[at]]
            for place in range(right_starts[pair], right_starts[pair + 1]):
                if seen[right[place]] != word:
                    seen[right[place]] = word
                    columns[cell] = right[place]
                    cell += 1
        row = columns[row_starts[word] : cell]
        row.sort()
        for cell in range(row_starts[word], row_starts[word + 1]):
            cell_of[columns[cell]] = cell
        for at in range(word_starts[word], word_starts[word + 1]):
            pair = pair_of[tokens[at]]
            begin, end = right_starts[pair], right_starts[pair + 1]
            cell_place = cell_starts[pair] + (tokens[at] - left_starts[pair]) * (end - begin)
            for place in range(begin, end):
                places[cell_place + place - begin] = cell_of[right[place]]


@compiled
def find_cells(rows: Any, columns: Any, row_starts: Integers, row_columns: Codes) -> Integers:
    """The number of the cell of each row and column in a table whose rows are sorted; -1 where it is not there."""
    found = np.full(len(rows), -1, np.int64)
    for number in range(len(rows)):
        row, column = rows[number], columns[number]
        if row < 0 or column < 0:
            continue
        low, end = row_starts[row], row_starts[row + 1]
        high = end
        while low < high:
            middle = (low + high) // 2
            if row_columns[middle] < column:
                low = middle + 1
            else:
                high = middle
        if low < end and row_columns[low] == column:
            found[number] = low
    return found
