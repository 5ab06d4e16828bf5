"""Texts of white-space tokens in, their tokens as numbers out: where they lie, their hashes and their kinds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paraloom.phrases import reason_loops, text_loops
from paraloom.phrases.options import PhraseOptions
from paraloom.text.function_words import function_words
from paraloom.text.normalise import folded
from paraloom.text.patterns import EMAIL, LINK, MENTION

_QUOTES = str.maketrans("‘’ʼ＇“”„«»", '\'\'\'\'"""""')
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")
_ADDRESS, _MENTION = re.compile(rf"{LINK}|{EMAIL}"), re.compile(MENTION)
_KNOWN = 1 << 20
"""Tokens whose folded form, or whose kind, is remembered."""


def comparable_tokens(text: str) -> str:
    """A text of tokens as phrases have it: lower case, one form for each letter and quotation mark, one blank between.

    There are as many tokens as before.

    >>> comparable_tokens("The ＣＯＡＳＴ  isn’t")
    "the coast isn't"
    """
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(map(_folded_token, text.split()))


@lru_cache(maxsize=_KNOWN)
def _folded_token(token: str) -> str:
    return folded(token.translate(_QUOTES)).replace(" ", "") or token


@dataclass(frozen=True, slots=True)
class Side:
    """The left or the right texts of many pairs: their bytes, and their tokens behind one another."""

    data: NDArray[np.uint8]
    starts: NDArray[np.int64]
    """Where every token begins among the bytes."""
    ends: NDArray[np.int64]
    of_text: NDArray[np.int64]
    """Where the tokens of each text end."""
    hashes: NDArray[np.uint64]

    @classmethod
    def of(cls, texts: pa.Array) -> Side:
        """Of texts that `comparable_tokens` gave, or phrases."""
        data, bounds = bytes_of(texts)
        return cls(data, *text_loops.find_tokens(data, bounds))

    @property
    def first_of_text(self) -> NDArray[np.int64]:
        """Where the tokens of each text begin."""
        return np.concatenate([[0], self.of_text[:-1]]).astype(np.int64)

    def token(self, place: int) -> str:
        """One token."""
        return self.data[self.starts[place] : self.ends[place]].tobytes().decode()


def bytes_of(texts: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The bytes of an Arrow column of texts, and where each begins and the last ends."""
    if not len(texts):
        return np.empty(0, np.uint8), np.zeros(1, np.int32)
    _, bounds, data = texts.buffers()
    ends = np.frombuffer(bounds, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    return np.frombuffer(data, np.uint8) if data else np.empty(0, np.uint8), ends


def parts_of(data: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> pa.Array:
    """Stretches of bytes as an Arrow column of texts."""
    copied, bounds = text_loops.copy_parts(data, starts, ends)
    return pa.StringArray.from_buffers(len(starts), pa.py_buffer(bounds), pa.py_buffer(copied))


def one_chunk(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    combined = column.combine_chunks()
    return combined if isinstance(combined, pa.Array) else combined.chunk(0)


def encode(column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int64]]:
    """The different texts of a column, and which of them each row has."""
    encoded = one_chunk(column).dictionary_encode()
    return encoded.dictionary, np.asarray(encoded.indices.to_numpy(), np.int64)


class TokenKinds:
    """Says of what kind tokens are; what it has seen, it knows."""

    def __init__(self, options: PhraseOptions) -> None:
        self.trivial = function_words(options.language)
        self._known: dict[int, int] = {}

    def __call__(self, side: Side) -> NDArray[np.uint8]:
        """The kinds of all tokens of a side."""
        hashes, places, which = np.unique(side.hashes, return_index=True, return_inverse=True)
        if len(self._known) > _KNOWN:
            self._known.clear()
        kinds = np.empty(len(hashes), np.uint8)
        for number, (its_hash, place) in enumerate(zip(hashes.tolist(), places.tolist(), strict=True)):
            kind = self._known.get(its_hash)
            if kind is None:
                kind = self._known[its_hash] = self.kind_of(side.token(place))
            kinds[number] = kind
        return kinds[which]

    def kind_of(self, token: str) -> int:
        """The kind of one token, as bits.

        >>> from paraloom.phrases.options import PhraseOptions
        >>> kinds = TokenKinds(PhraseOptions())
        >>> [kinds.kind_of(token) for token in ("storm", "the", "...", "5,000", "@ann", "https://example.org/a")]
        [32, 48, 49, 34, 40, 36]
        """
        if _ADDRESS.fullmatch(token):
            return reason_loops.ANY | reason_loops.LINK
        if _MENTION.fullmatch(token):
            return reason_loops.ANY | reason_loops.MENTION
        if _LETTER.search(token):
            return reason_loops.ANY | (reason_loops.TRIVIAL if token in self.trivial else 0)
        if _DIGIT.search(token):
            return reason_loops.ANY | reason_loops.NUMBER
        return reason_loops.ANY | reason_loops.MARK | reason_loops.TRIVIAL


def runs_of(*columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where a row differs from the one before in one of these columns: it begins a run."""
    is_new = np.ones(len(columns[0]), bool)
    if len(is_new):
        is_new[1:] = False
    for column in columns:
        is_new[1:] |= column[1:] != column[:-1]
    return is_new


def sums_of(values: NDArray[np.int64], is_new: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The sum of each run."""
    return np.add.reduceat(values, np.flatnonzero(is_new)) if len(values) else np.empty(0, np.int64)


def lists_of(values: pa.Array, counts: Sequence[int] | NDArray[np.int64]) -> pa.Array:
    """Values behind one another as lists of so many each."""
    bounds = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(bounds), values)
