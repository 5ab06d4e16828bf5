"""Code points of texts in, the numbers of their word pieces out, and the sums of their vectors: compiled loops.

Words are cut as BERT cuts them: the longest known piece first, then the longest that continues it (Devlin et al.,
2019). What is not known is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled
from paraloom.models.identifiers.hashed_rows import ABSENT, find_row
from paraloom.models.identifiers.pair_tokens import FIRST_HASH, HASH_PRIME, INNER_HASH

REMOVED, BLANK, ALONE, LETTER, OTHERWISE = 0, 1, 2, 3, 4
"""What a code point is: nothing, the end of a word, a word of its own, part of a word, or not known to these loops."""
LONGEST_WORD = 100
"""A longer word is not known (the tokeniser's own limit)."""


@compiled
def cut_texts(
    letters: NDArray[np.uint32],
    bounds: NDArray[np.int64],
    kinds: NDArray[np.uint8],
    written: NDArray[np.uint32],
    keys: NDArray[np.uint64],
    rows: NDArray[np.int32],
    longest_piece: int,
    most: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.bool_]]:
    """The first `most` pieces of each text, which lies between two bounds.

    `written` has for each code point those that stand for it (lower case, no accents), 0 behind the last. Out come the
    pieces' numbers, the bounds of each text's, and which texts hold code points of another kind: those have none.
    """
    texts = len(bounds) - 1
    pieces = np.empty(written.shape[1] * len(letters) + 1, np.int32)
    piece_bounds = np.zeros(texts + 1, np.int64)
    otherwise = np.zeros(texts, np.bool_)
    word = np.empty(LONGEST_WORD + written.shape[1] + 1, np.uint32)
    count = 0
    for text in range(texts):
        begun, length = count, 0
        for place in range(bounds[text], bounds[text + 1] + 1):
            letter = letters[place] if place < bounds[text + 1] else np.uint32(32)
            kind = kinds[letter] if letter < len(kinds) else OTHERWISE
            if kind == OTHERWISE:
                otherwise[text] = True
                count = begun
                break
            if kind == LETTER:
                for part in range(written.shape[1]):
                    if written[letter, part] and length <= LONGEST_WORD:
                        word[length] = written[letter, part]
                        length += 1
                continue
            if kind == REMOVED:
                continue
            if length:
                count = _cut_word(word, length, keys, rows, longest_piece, pieces, count)
                length = 0
            if kind == ALONE:
                word[0] = written[letter, 0]
                count = _cut_word(word, 1, keys, rows, longest_piece, pieces, count)
            if count - begun >= most:
                count = begun + most
                break
        piece_bounds[text + 1] = count
    return pieces[:count], piece_bounds, otherwise


@compiled
def _cut_word(
    word: NDArray[np.uint32],
    length: int,
    keys: NDArray[np.uint64],
    rows: NDArray[np.int32],
    longest_piece: int,
    pieces: NDArray[np.int32],
    count: int,
) -> int:
    """Write the pieces of a word behind those that are there; how many there are then."""
    if length > LONGEST_WORD:
        return count
    first, written = 0, count
    while first < length:
        found, end = ABSENT, first
        so_far = INNER_HASH if first else FIRST_HASH
        for place in range(first, min(length, first + longest_piece)):
            so_far = (so_far ^ np.uint64(word[place])) * HASH_PRIME
            row = find_row(keys, rows, so_far)
            if row != ABSENT:
                found, end = row, place + 1
        if found == ABSENT:
            return count  # of a word that cannot be cut to its end nothing is known
        pieces[written] = found
        written, first = written + 1, end
    return written


@compiled
def summed_vectors(
    pieces: NDArray[np.int32],
    bounds: NDArray[np.int64],
    table: NDArray[Any],
    scales: NDArray[np.float32],
    dims: int,
) -> NDArray[np.float32]:
    """For each text the sum of its pieces' vectors, each times its scale, divided by its length; zeros where none is.

    The order of additions is that of the pieces, so a row is the same whatever is computed beside it.
    """
    sums = np.zeros((len(bounds) - 1, dims), np.float32)
    for text in range(len(bounds) - 1):
        row = sums[text]
        for place in range(bounds[text], bounds[text + 1]):
            piece = pieces[place]
            scale = scales[piece]
            vector = table[piece]
            for column in range(dims):
                row[column] += scale * np.float32(vector[column])
        squares = 0.0
        for column in range(dims):
            squares += float(row[column]) * float(row[column])
        if squares > 0:
            length = np.float32(np.sqrt(squares))
            for column in range(dims):
                row[column] /= length
    return sums
