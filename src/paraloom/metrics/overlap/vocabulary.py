"""Tokens as spans of code points in, tokens as numbers out: the same word is the same number, whatever it hashes to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

START, STEP = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
"""FNV-1a. Hashes only say where to look; words are compared sign by sign."""
HALF = np.uint64(32)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of many texts as numbers, in one row."""

    ids: NDArray[np.int32]
    bounds: NDArray[np.int64]
    """Text n's tokens are those from bound n up to bound n + 1."""

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each text has."""
        return np.diff(self.bounds)


class Vocabulary:
    """The words of the references. It grows while they are read; afterwards words are only looked up."""

    __slots__ = ("_hashes", "_letters", "_slots", "_word_bounds", "_words")

    def __init__(self) -> None:
        """No word yet."""
        self._slots = np.full(1024, -1, dtype=np.int32)
        self._hashes = np.empty(512, dtype=np.uint64)
        self._word_bounds = np.zeros(513, dtype=np.int64)
        self._letters = np.empty(4096, dtype=np.uint32)
        self._words = 0

    def __len__(self) -> int:
        """How many different words were read."""
        return self._words

    def enter(
        self,
        points: NDArray[np.uint32],
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        token_bounds: NDArray[np.int64],
    ) -> Tokens:
        """The tokens' numbers; a word that is new gets the next one."""
        ids = np.empty(len(begins), dtype=np.int32)
        tables = (self._slots, self._hashes, self._word_bounds, self._letters)
        done, words = _enter(points, begins, ends, *tables, ids, 0, self._words)
        while done < len(begins):
            tables = _with_room_for(int(ends[done] - begins[done]), words, *tables)
            done, words = _enter(points, begins, ends, *tables, ids, done, words)
        self._slots, self._hashes, self._word_bounds, self._letters = tables
        self._words = words
        return Tokens(ids, token_bounds)

    def numbers(
        self,
        points: NDArray[np.uint32],
        begins: NDArray[np.int64],
        ends: NDArray[np.int64],
        token_bounds: NDArray[np.int64],
    ) -> Tokens:
        """The tokens' numbers; -1 for a word that was never entered. Nothing is remembered: order decides nothing."""
        ids = np.empty(len(begins), dtype=np.int32)
        _look_up(points, begins, ends, self._slots, self._hashes, self._word_bounds, self._letters, ids)
        return Tokens(ids, token_bounds)


@compiled
def _hash(points: NDArray[np.uint32], begin: int, end: int) -> np.uint64:
    value = START
    for place in range(begin, end):
        value = (value ^ np.uint64(points[place])) * STEP
    return value ^ (value >> HALF)


@compiled
def _find(
    points: NDArray[np.uint32],
    begin: int,
    end: int,
    value: np.uint64,
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    word_bounds: NDArray[np.int64],
    letters: NDArray[np.uint32],
) -> int:
    """The slot that holds the word, or the empty one where it would stand."""
    last = len(slots) - 1  # a power of two less one
    slot = int(np.int64(value)) & last
    while slots[slot] >= 0:
        word = slots[slot]
        if hashes[word] == value:
            first = word_bounds[word]
            length = end - begin
            if word_bounds[word + 1] - first == length:
                same = 0
                while same < length and letters[first + same] == points[begin + same]:
                    same += 1
                if same == length:
                    break
        slot = (slot + 1) & last
    return slot


@compiled
def _look_up(
    points: NDArray[np.uint32],
    begins: NDArray[np.int64],
    ends: NDArray[np.int64],
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    word_bounds: NDArray[np.int64],
    letters: NDArray[np.uint32],
    ids: NDArray[np.int32],
) -> None:
    for token in range(len(begins)):
        begin, end = begins[token], ends[token]
        value = _hash(points, begin, end)
        ids[token] = slots[_find(points, begin, end, value, slots, hashes, word_bounds, letters)]


@compiled
def _enter(
    points: NDArray[np.uint32],
    begins: NDArray[np.int64],
    ends: NDArray[np.int64],
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    word_bounds: NDArray[np.int64],
    letters: NDArray[np.uint32],
    ids: NDArray[np.int32],
    done: int,
    words: int,
) -> tuple[int, int]:
    """Go on from token `done` until the tables are full or all are done: how many are done, how many words known."""
    for token in range(done, len(begins)):
        begin, end = begins[token], ends[token]
        value = _hash(points, begin, end)
        slot = _find(points, begin, end, value, slots, hashes, word_bounds, letters)
        if slots[slot] < 0:
            first = word_bounds[words]
            if words == len(hashes) or first + end - begin > len(letters):
                return token, words
            for place in range(begin, end):
                letters[first + place - begin] = points[place]
            hashes[words] = value
            word_bounds[words + 1] = first + end - begin
            slots[slot] = words
            words += 1
        ids[token] = slots[slot]
    return len(begins), words


def _with_room_for(
    length: int,
    words: int,
    slots: NDArray[np.int32],
    hashes: NDArray[np.uint64],
    word_bounds: NDArray[np.int64],
    letters: NDArray[np.uint32],
) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32]]:
    """The tables, grown where one word more of this length does not fit."""
    if word_bounds[words] + length > len(letters):
        letters = np.concatenate([letters, np.empty(len(letters) + length, dtype=np.uint32)])
    if words == len(hashes):
        hashes = np.concatenate([hashes, np.empty(words, dtype=np.uint64)])
        word_bounds = np.concatenate([word_bounds, np.zeros(words, dtype=np.int64)])
        slots = np.full(4 * words, -1, dtype=np.int32)  # at most half of them are ever taken
        _place_again(hashes[:words], slots)
    return slots, hashes, word_bounds, letters


@compiled
def _place_again(hashes: NDArray[np.uint64], slots: NDArray[np.int32]) -> None:
    last = len(slots) - 1
    for word in range(len(hashes)):
        slot = int(np.int64(hashes[word])) & last
        while slots[slot] >= 0:
            slot = (slot + 1) & last
        slots[slot] = word
