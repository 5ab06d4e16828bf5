"""Coded pairs in, the words that meet in any of them out: the cells of a sparse table, and each token pair's cell."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from paraloom.errors import InputError
from paraloom.models.aligners.statistical.vocabulary import CodedPairs, Codes, Integers, begins

Result = TypeVar("Result")

MOST_CELLS = 2**31 - 1
"""Cells are numbered in 32 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Which left words meet which right words; the cells of left word w lie from `row_starts[w]` on.

    It takes 4 bytes a cell, and 4 for each pair of tokens that stand in one pair of texts.
    """

    row_starts: Integers
    columns: Codes
    """The right word of each cell, rising within a row."""
    places: Codes
    """The cell of each pair of tokens, at the places that `CodedPairs.cell_starts` tells."""

    def __len__(self) -> int:
        return len(self.columns)

    def rows(self) -> Codes:
        """The left word of each cell."""
        return np.repeat(np.arange(len(self.row_starts) - 1, dtype=np.int32), np.diff(self.row_starts))


def find_meetings(coded: CodedPairs, threads: int) -> Cells:
    """The table of the words that meet, its rows shared out among threads; nothing in it depends on how many.

    Time grows with the number of token pairs, and no more: words are marked as seen, not sorted.
    """
    from paraloom.models.aligners.statistical.cell_loops import fill_rows, row_sizes

    words = len(coded.words)
    counts = np.bincount(coded.left, minlength=words)
    word_starts = begins(counts)
    tokens = np.argsort(coded.left, kind="stable")
    pair_of = np.repeat(np.arange(len(coded), dtype=np.int32), np.diff(coded.left_starts))
    meetings = np.bincount(coded.left, np.diff(coded.right_starts)[pair_of], words)
    parts = even_parts(meetings, 4 * threads if threads > 1 else 1)
    sizes = in_threads(
        lambda first, last: row_sizes(
            first, last, word_starts, tokens, pair_of, coded.right, coded.right_starts, words
        ),
        parts,
        threads,
    )
    row_starts = begins(np.concatenate([np.zeros(0, np.int64), *sizes]))
    if row_starts[-1] > MOST_CELLS:
        raise InputError(
            f"{row_starts[-1]:,} different pairs of words meet in these pairs; at most {MOST_CELLS:,} can be told "
            "apart. Learn from fewer pairs, or lower most_words."
        )
    columns = np.empty(int(row_starts[-1]), np.int32)
    places = np.empty(int(coded.cell_starts[-1]), np.int32)
    in_threads(
        lambda first, last: fill_rows(
            first,
            last,
            word_starts,
            tokens,
            pair_of,
            coded.right,
            coded.left_starts,
            coded.right_starts,
            coded.cell_starts,
            row_starts,
            words,
            columns,
            places,
        ),
        parts,
        threads,
    )
    return Cells(row_starts=row_starts, columns=columns, places=places)


def even_parts(weights: Any, count: int) -> list[tuple[int, int]]:
    """First and last of at most so many runs of about the same weight, none of them empty.

    >>> even_parts([5, 1, 1, 1, 1, 1], 2)
    [(0, 1), (1, 6)]
    """
    reached = np.cumsum(weights)
    if not len(reached):
        return []
    borders = np.searchsorted(reached, np.arange(1, count) * (reached[-1] / count), side="left") + 1
    bounds = np.unique([0, *np.minimum(borders, len(reached)), len(reached)]).tolist()
    return list(pairwise(bounds))


def in_threads(work: Callable[[int, int], Result], parts: list[tuple[int, int]], threads: int) -> list[Result]:
    """What `work(first, last)` returns for each part, in order, so many of them at the same time."""
    if threads < 2 or len(parts) < 2:
        return [work(first, last) for first, last in parts]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda part: work(*part), parts))
