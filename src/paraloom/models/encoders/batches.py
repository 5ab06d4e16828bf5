"""Texts in, their token vectors out, computed in batches in which little is padding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.meaning.token_vectors import TokenVectors

BATCH_SIZE = 16

STEP = 8
"""Texts that must not feel their company are filled up to a multiple of so many tokens."""

TOKENS_AT_ONCE = 4096
"""Attention needs memory for the square of a text's length: long texts come in smaller batches."""


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """One text's word pieces, the model's own marks ([CLS], [SEP]) included."""

    ids: NDArray[np.int64]
    special: NDArray[np.bool_]
    truncated: bool


Cut = Callable[[Sequence[str]], list[Pieces]]
"""Texts in, their word pieces out."""
Run = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float32]]
"""Numbers and mask of a batch in, hidden states out: batch × length × width."""


def encode_in_batches(texts: Sequence[str], cut: Cut, run: Run, batch_size: int, filler: int) -> list[TokenVectors]:
    """The vectors of each text, in the order given; a text that comes twice is computed once."""
    distinct = list(dict.fromkeys(texts))
    pieces = cut(distinct)
    found: dict[str, TokenVectors] = {}
    for places in batches([len(piece.ids) for piece in pieces], batch_size):
        states = run(*padded([pieces[place].ids for place in places], filler))
        for place, vectors in zip(places, states, strict=True):
            one = pieces[place]
            # Copied: a view would keep the whole batch in memory for as long as one of its texts is.
            found[distinct[place]] = TokenVectors(vectors[: len(one.ids)].copy(), one.ids, one.special, one.truncated)
    return [found[text] for text in texts]


def readable(texts: Sequence[str]) -> list[str]:
    """Texts that have bytes: half a surrogate pair, which a damaged text may hold, is read as a question mark.

    >>> readable([f"storm {chr(0xD83D)}!"])
    ['storm ?!']
    """
    return [text if text.isascii() else text.encode("utf-8", "replace").decode() for text in texts]


def batches(lengths: Sequence[int], batch_size: int, tokens_at_once: int = TOKENS_AT_ONCE) -> Iterator[list[int]]:
    """The places of texts, those of like length together, at most `batch_size` at a time.

    >>> list(batches([3, 9, 4, 9], batch_size=2))
    [[0, 2], [1, 3]]
    """
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == batch_size or (len(batch) + 1) * lengths[place] > tokens_at_once):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def alike(
    lengths: Sequence[int], batch_size: int, tokens_at_once: int = TOKENS_AT_ONCE
) -> Iterator[tuple[list[int], int]]:
    """The places of texts that are filled up to the same width, few enough to be read at once, and that width.

    What a text is filled up to depends on its own length alone, so that its answers do not depend, in their last
    digits, on the texts that are read with it. A lone text is read twice: few rows are multiplied in another order.

    >>> list(alike([9, 30, 12, 3], batch_size=64))
    [([3, 3], 8), ([0, 2], 16), ([1, 1], 32)]
    """
    by_width: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        by_width.setdefault(filled_width(length), []).append(place)
    for width, places in sorted(by_width.items()):
        size = max(2, min(batch_size, tokens_at_once // width))
        for start in range(0, len(places), size):
            together = places[start : start + size]
            yield together if len(together) > 1 else together * 2, width


def filled_width(length: int) -> int:
    """What a text of so many tokens is filled up to: the next multiple of 8, an empty one too.

    >>> filled_width(0), filled_width(8), filled_width(9)
    (8, 8, 16)
    """
    return max(1, -(-length // STEP)) * STEP


def padded(
    rows: Sequence[NDArray[np.int64]], filler: int, width: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of numbers as one array, filled up at the end, and its mask: 1 for a number, 0 for filling.

    A width of 0 is that of the longest row.
    """
    width = width or max(len(row) for row in rows)
    numbers = np.full((len(rows), width), filler, np.int64)
    mask = np.zeros((len(rows), width), np.int64)
    for place, row in enumerate(rows):
        numbers[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return numbers, mask
