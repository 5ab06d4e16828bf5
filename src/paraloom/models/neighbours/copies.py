"""Rows of a long list in, those that can be a neighbour out: of equal rows the first so many.

Equal rows have equal products with everything, and of equal products the lower numbers come first. So of rows that are
all equal, as those of texts are of which an embedder knows the same one word, only the first can be among anybody's
nearest: a list of millions of them costs as many comparisons as a short one.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

WORD_BYTES = 8


def first_copies(pieces: Iterable[NDArray[np.uint8]], most: int) -> NDArray[np.int64]:
    """The places of rows but for those that so many equal ones come before; rows come in pieces, in order.

    >>> rows = np.array([[1, 2], [3, 4], [1, 2], [1, 2]], np.uint8)
    >>> first_copies([rows[:1], rows[1:]], 2).tolist()
    [0, 1, 2]
    """
    from paraloom.models.neighbours.link_loops import first_of_each

    hashes = np.concatenate([np.empty(0, np.uint64), *map(_hashes, pieces)])
    order = np.argsort(hashes, kind="stable")
    return np.sort(order[first_of_each(hashes[order], most)])


def _hashes(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """A number for every row, the same for equal ones: its words, each by an odd number drawn by lot, added up."""
    words = -(-rows.shape[1] // WORD_BYTES)
    padded = np.zeros((len(rows), words * WORD_BYTES), np.uint8)
    padded[:, : rows.shape[1]] = rows
    odd = np.random.default_rng(0).integers(0, 1 << 63, words, np.uint64) * np.uint64(2) + np.uint64(1)
    hashes: NDArray[np.uint64] = (padded.view("<u8") * odd).sum(axis=1, dtype=np.uint64)
    return hashes
