"""Words of pairs of texts in, how much of them both have out: loops over numbers, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]
Letters = NDArray[np.uint32]

LONGEST = 4
"""Longest n-grams that PINC counts."""


@compiled
def _words(letters: Letters, begin: Any, end: Any, words: NDArray[np.uint64]) -> int:
    """Hashes of the words between blanks; gives how many there are."""
    count = 0
    place = begin
    while place < end:
        if letters[place] == 32:
            place += 1
            continue
        word = np.uint64(14695981039346656037)
        while place < end and letters[place] != 32:
            word = (word ^ np.uint64(letters[place])) * np.uint64(1099511628211)
            place += 1
        words[count] = word ^ (word >> np.uint64(31))
        count += 1
    return count


@compiled
def _distinct_grams(words: NDArray[np.uint64], count: int, length: int, grams: NDArray[np.uint64]) -> int:
    """The different n-grams of one length, sorted; gives how many there are."""
    found = count - length + 1
    for place in range(found):
        gram = words[place]
        for step in range(1, length):
            gram = (gram ^ (gram >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15) + words[place + step]
        grams[place] = gram
    grams[:found].sort()
    kept = 0
    for place in range(found):
        if place == 0 or grams[place] != grams[place - 1]:
            grams[kept] = grams[place]
            kept += 1
    return kept


@compiled
def _shared(left: NDArray[np.uint64], left_count: int, right: NDArray[np.uint64], right_count: int) -> int:
    one, other, both = 0, 0, 0
    while one < left_count and other < right_count:
        if left[one] == right[other]:
            both += 1
            one += 1
            other += 1
        elif left[one] < right[other]:
            one += 1
        else:
            other += 1
    return both


@compiled
def word_overlaps(
    left: Letters, left_ends: Integers, right: Letters, right_ends: Integers
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """PINC of every right text against its left one, and the Jaccard similarity of their words.

    Letters are code points of all texts behind one another, words of which a blank parts; `ends` is where each ends.
    """
    pairs = len(left_ends)
    pinc, jaccard = np.zeros(pairs), np.zeros(pairs)
    most = 1
    for pair in range(pairs):
        most = max(most, left_ends[pair] - (left_ends[pair - 1] if pair else 0))
        most = max(most, right_ends[pair] - (right_ends[pair - 1] if pair else 0))
    ours, theirs = np.empty(most, np.uint64), np.empty(most, np.uint64)
    our_grams, their_grams = np.empty(most, np.uint64), np.empty(most, np.uint64)
    for pair in range(pairs):
        our_count = _words(left, left_ends[pair - 1] if pair else 0, left_ends[pair], ours)
        their_count = _words(right, right_ends[pair - 1] if pair else 0, right_ends[pair], theirs)
        jaccard[pair] = 1.0  # two texts without words are the same text
        total = 0.0
        for length in range(1, min(LONGEST, their_count) + 1):
            of_ours = _distinct_grams(ours, our_count, length, our_grams) if our_count >= length else 0
            of_theirs = _distinct_grams(theirs, their_count, length, their_grams)
            both = _shared(our_grams, of_ours, their_grams, of_theirs)
            total += 1 - both / of_theirs
            if length == 1:
                jaccard[pair] = both / (of_ours + of_theirs - both)
        if their_count:
            pinc[pair] = total / min(LONGEST, their_count)
        elif our_count:
            jaccard[pair] = 0.0
    return pinc, jaccard
