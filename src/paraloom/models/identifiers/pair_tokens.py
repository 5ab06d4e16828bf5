"""Bytes of texts in, their tokens out as numbers, in loops over bytes: what a cheap look at many pairs begins with.

A token is a run of letters and digits; a number keeps its point and colon and loses its thousands commas; each
Chinese or Japanese character and each emoji stands alone; `n't` is the word "not" and other clitics are left out; so
are links. Case does not count, but a capital inside a text marks a name. Two tokens are the same where their 64-bit
hashes are (Fowler, Noll and Vo's); a stem is what is left without English inflection, as far as spelling tells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

FIRST_HASH = np.uint64(14695981039346656037)
INNER_HASH = np.uint64(0x9E3779B97F4A7C15)
"""Where the hash of a word piece begins that does not begin a word."""
HASH_PRIME = np.uint64(1099511628211)
NUMBER, NAME = 1, 2
"""Marks of a token."""

Bytes = NDArray[np.uint8]


@compiled
def hash_bytes(text: Bytes, first: int, last: int, begun: np.uint64) -> np.uint64:
    """Fowler, Noll and Vo's hash (1a) of some bytes, behind those that `begun` is the hash of."""
    found = begun
    for place in range(first, last):
        found = (found ^ np.uint64(text[place])) * HASH_PRIME
    return found


@compiled
def _end_of_stem(text: Bytes, first: int, last: int) -> int:
    """Where a lower-cased English word ends without -s, -ed, -ing, -ly and a last -e."""
    before = text[last - 2] if last - first >= 4 else 0
    if before and text[last - 1] == 115 and before != 115 and before != 117 and before != 105:  # s, not -ss, -us, -is
        last -= 1
        if last - first >= 4 and text[last - 1] == 101 and text[last - 2] == 105:  # parties: parti
            return last - 1
    length = last - first
    cut = 0
    if length >= 6 and text[last - 3] == 105 and text[last - 2] == 110 and text[last - 1] == 103:  # ing
        cut = 3
    elif length >= 5 and text[last - 2] == 101 and text[last - 1] == 100:  # ed
        cut = 2
    elif length >= 6 and text[last - 2] == 108 and text[last - 1] == 121:  # ly
        return last - 2
    last -= cut
    if cut and last - first >= 4 and text[last - 1] == text[last - 2]:  # stopped: stop
        return last - 1
    if last - first >= 4 and text[last - 1] == 101:  # e
        last -= 1
    return last


@compiled
def _stem(text: Bytes, first: int, last: int) -> np.uint64:
    end = _end_of_stem(text, first, last)
    if end - first >= 4 and text[end - 1] == 121:  # party: parti
        return (hash_bytes(text, first, end - 1, FIRST_HASH) ^ np.uint64(105)) * HASH_PRIME
    return hash_bytes(text, first, end, FIRST_HASH)


@compiled
def _is_letter(byte: int) -> bool:
    return 97 <= byte <= 122 or 65 <= byte <= 90


@compiled
def _kind(text: Bytes, place: int, end: int) -> tuple[int, int]:
    """What begins here (0 a gap, 1 part of a word, 2 a character that stands alone), and its length in bytes."""
    byte = text[place]
    if byte < 128:
        return (1 if _is_letter(byte) or 48 <= byte <= 57 else 0), 1
    length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
    if place + length > end:
        return 0, end - place
    following = text[place + 1]
    if byte == 0xC2 or (byte == 0xE2 and following <= 0x81) or (byte == 0xE3 and following == 0x80):
        return 0, length  # signs of Latin-1, general punctuation, Chinese and Japanese punctuation
    if byte == 0xEF and following >= 0xB8:
        return 0, length  # variation marks, full-width signs
    if length == 4 or 0xE3 <= byte <= 0xE9:
        return 2, length
    return 1, length


@compiled
def _clitic(text: Bytes, place: int, end: int) -> int:
    """How many bytes the clitic has that begins with an apostrophe here ('s, 'd, 'm, 're, 'll, 've); 0 if none does."""
    if place + 1 >= end or text[place] != 39:
        return 0
    one = text[place + 1] | 32
    two = text[place + 2] | 32 if place + 2 < end else 0
    if (one == 115 or one == 100 or one == 109) and not 97 <= two <= 122:
        return 2
    if (one == 114 and two == 101) or (one == 108 and two == 108) or (one == 118 and two == 101):
        return 3
    return 0


@compiled
def _is_negated(text: Bytes, place: int, end: int, before: int) -> bool:
    """Whether `'t` stands here behind an n."""
    if place + 1 >= end or text[place] != 39 or text[place + 1] | 32 != 116 or before != 110:
        return False
    return place + 2 >= end or not _is_letter(text[place + 2])


@compiled
def _begins_link(clean: Bytes, first: int, last: int, text: Bytes, place: int, end: int) -> bool:
    """Whether the token just read is the `http` of `http://`."""
    return (
        4 <= last - first <= 5
        and clean[first] == 104
        and clean[first + 1] == 116
        and clean[first + 2] == 116
        and clean[first + 3] == 112
        and place + 2 < end
        and text[place] == 58
        and text[place + 1] == 47
    )


@compiled
def scan_texts(
    text: Bytes, bounds: NDArray[np.int64], most: int
) -> tuple[
    Bytes,
    NDArray[np.int64],
    NDArray[np.uint64],
    NDArray[np.uint64],
    NDArray[np.uint8],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int64],
]:
    """The first `most` tokens of each text, which lies between two bounds.

    Out come the texts' tokens in lower case with a space between two, the bounds of each text in that; of each token
    its hash, the hash of its stem, its marks and where it begins and ends; and the bounds of each text's tokens.
    """
    texts = len(bounds) - 1
    room = 2 * len(text) + 4 * texts + 16  # "n't" is written as " not"
    clean = np.empty(room, np.uint8)
    clean_bounds = np.empty(texts + 1, np.int64)
    words, stems = np.empty(room // 2, np.uint64), np.empty(room // 2, np.uint64)
    marks = np.empty(room // 2, np.uint8)
    firsts, lasts = np.empty(room // 2, np.int64), np.empty(room // 2, np.int64)
    token_bounds = np.empty(texts + 1, np.int64)
    written, tokens = 0, 0
    for number in range(texts):
        begun = tokens
        clean_bounds[number], token_bounds[number] = written, tokens
        place, end = bounds[number], bounds[number + 1]
        capitals = 0
        while place < end and tokens - begun < most:
            kind, length = _kind(text, place, end)
            if kind == 0:
                place += length
                continue
            mentioned = place > bounds[number] and text[place - 1] == 64
            if tokens > begun:
                clean[written] = 32
                written += 1
            first = written
            capital = 65 <= text[place] <= 90
            has_digit = False
            if kind == 2:
                for offset in range(length):
                    clean[written + offset] = text[place + offset]
                written, place = written + length, place + length
            while kind == 1 and place < end:
                byte = text[place]
                following, length = _kind(text, place, end)
                if following == 1:
                    has_digit = has_digit or 48 <= byte <= 57
                    clean[written] = byte + 32 if 65 <= byte <= 90 else byte
                    for offset in range(1, length):
                        clean[written + offset] = text[place + offset]
                    written, place = written + length, place + length
                elif has_digit and (byte == 44 or byte == 46 or byte == 58) and place + 1 < end:
                    if not 48 <= text[place + 1] <= 57:
                        break
                    if byte != 44:
                        clean[written] = byte
                        written += 1
                    place += 1
                else:
                    break
            if _begins_link(clean, first, written, text, place, end):
                while place < end and text[place] > 32:
                    place += 1
                written = first - 1 if tokens > begun else first
                continue
            negated = _is_negated(text, place, end, clean[written - 1])
            if negated:
                place += 2
                written -= 1
            else:
                place += _clitic(text, place, end)
            if written > first:
                words[tokens] = hash_bytes(clean, first, written, FIRST_HASH)
                stems[tokens] = words[tokens] if has_digit or kind == 2 else _stem(clean, first, written)
                is_name = mentioned or (capital and tokens > begun)
                capitals += is_name
                marks[tokens] = (NUMBER if has_digit else 0) | (NAME if is_name else 0)
                firsts[tokens], lasts[tokens] = first, written
                tokens += 1
            if negated and tokens - begun < most:
                if written > first:
                    clean[written] = 32
                    written += 1
                clean[written], clean[written + 1], clean[written + 2] = 110, 111, 116
                words[tokens] = hash_bytes(clean, written, written + 3, FIRST_HASH)
                stems[tokens], marks[tokens] = words[tokens], 0
                firsts[tokens], lasts[tokens] = written, written + 3
                written, tokens = written + 3, tokens + 1
            elif written == first and tokens > begun:
                written = first - 1  # nothing came of it: its space goes too
        if 2 * capitals > tokens - begun:  # a headline: its capitals name nothing
            for token in range(begun, tokens):
                marks[token] &= NUMBER
    clean_bounds[texts], token_bounds[texts] = written, tokens
    return (
        clean[:written],
        clean_bounds,
        words[:tokens],
        stems[:tokens],
        marks[:tokens],
        firsts[:tokens],
        lasts[:tokens],
        token_bounds,
    )
