"""Texts as bytes behind one another in, where their tokens lie and what they hash to out: loops, compiled.

In these texts one blank stands between tokens, so a phrase is a part of its text's bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Bounds = NDArray[np.int32]
"""Where each text begins, and where the last one ends: as Arrow has them."""

NO_WORD = np.uint64(0)
"""What stands for no word at all where a hash is wanted."""


@compiled
def _hashed(data: Bytes, start: Any, end: Any, seed: Any) -> Any:
    """64 bits of some bytes (FNV-1a, stirred at its end)."""
    mixed = np.uint64(14695981039346656037) ^ np.uint64(seed)
    for place in range(start, end):
        mixed = (mixed ^ np.uint64(data[place])) * np.uint64(1099511628211)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    mixed = (mixed ^ (mixed >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return mixed ^ (mixed >> np.uint64(33))


@compiled
def _paired(given: Any, word: Any) -> Any:
    """One key for a word and the word it is given, in this order."""
    mixed = (given ^ (given >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15) + word
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(31))


@compiled
def find_tokens(data: Bytes, bounds: Bounds) -> tuple[Integers, Integers, Integers, NDArray[np.uint64]]:
    """Where every token begins and ends, where each text's tokens end, and the tokens' hashes."""
    blanks = 0
    for place in range(bounds[0], bounds[-1]):
        blanks += data[place] == 32
    room = blanks + len(bounds)
    starts, ends = np.empty(room, np.int64), np.empty(room, np.int64)
    hashes = np.empty(room, np.uint64)
    of_text = np.empty(len(bounds) - 1, np.int64)
    count = 0
    for text in range(len(bounds) - 1):
        start = bounds[text]
        for place in range(bounds[text], bounds[text + 1] + 1):
            if place == bounds[text + 1] or data[place] == 32:
                if place > start:
                    starts[count], ends[count] = start, place
                    hashes[count] = _hashed(data, start, place, 0)
                    count += 1
                start = place + 1
        of_text[text] = count
    return starts[:count], ends[:count], of_text, hashes[:count]


@compiled
def hash_texts(data: Bytes, bounds: Bounds) -> NDArray[np.uint64]:
    """One hash a text."""
    hashes = np.empty(len(bounds) - 1, np.uint64)
    for text in range(len(hashes)):
        hashes[text] = _hashed(data, bounds[text], bounds[text + 1], 0)
    return hashes


@compiled
def copy_parts(data: Bytes, starts: Integers, ends: Integers) -> tuple[Bytes, Bounds]:
    """These parts of the bytes, behind one another, and their bounds."""
    bounds = np.zeros(len(starts) + 1, np.int32)
    for part in range(len(starts)):
        bounds[part + 1] = bounds[part] + ends[part] - starts[part]
    copied = np.empty(bounds[-1], np.uint8)
    for part in range(len(starts)):
        copied[bounds[part] : bounds[part + 1]] = data[starts[part] : ends[part]]
    return copied, bounds


@compiled
def context_keys(
    data: Bytes, before: Integers, start: Integers, end: Integers, after: Integers, pairs: NDArray[np.uint64], seed: Any
) -> Integers:
    """A number for the words around each phrase in its upper bits, and for the sentence pair in the lower 24.

    The words before lie from `before` to `start` of the bytes, those behind from `end` to `after`.
    """
    keys = np.empty(len(start), np.int64)
    for row in range(len(start)):
        around = _hashed(data, before[row], start[row], seed)
        around = _paired(around, _hashed(data, end[row], after[row], seed))
        keys[row] = np.int64(around >> np.uint64(25) << np.uint64(24) | pairs[row] >> np.uint64(40))
    return keys


@compiled
def pair_keys(given: NDArray[np.uint64], words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One key for each word and the word it is given."""
    keys = np.empty(len(given), np.uint64)
    for row in range(len(given)):
        keys[row] = _paired(given[row], words[row])
    return keys


@compiled
def lexical_keys(
    given: NDArray[np.uint64], given_ends: Integers, words: NDArray[np.uint64], word_ends: Integers, inside: Integers
) -> tuple[NDArray[np.uint64], Integers]:
    """For every word of each phrase, the keys of what it is linked to, or of no word; and how many each word has.

    Bit `7 · i + j` of `inside` links word `i` of the given phrase with word `j` of the other.
    """
    keys = np.empty(len(words) * 7, np.uint64)
    links = np.zeros(len(words), np.int64)
    count, place = 0, 0
    for row in range(len(inside)):
        first = given_ends[row - 1] if row else 0
        start = place
        while place < word_ends[row]:
            j = place - start
            for i in range(given_ends[row] - first):
                if inside[row] >> (7 * i + j) & 1:
                    keys[count] = _paired(given[first + i], words[place])
                    count += 1
                    links[place] += 1
            if not links[place]:
                keys[count] = _paired(NO_WORD, words[place])
                count += 1
                links[place] = 1
            place += 1
    return keys[:count], links


@compiled
def lexical_weights(probabilities: NDArray[np.float64], links: Integers, word_ends: Integers) -> NDArray[np.float64]:
    """The product over a phrase's words of the mean probability over what each is linked to (Koehn et al., 2003)."""
    weights = np.ones(len(word_ends))
    place, key = 0, 0
    for row in range(len(word_ends)):
        while place < word_ends[row]:
            total = 0.0
            for _ in range(links[place]):
                total += probabilities[key]
                key += 1
            weights[row] *= total / links[place]
            place += 1
    return weights
