"""Links of many sentence pairs in, all phrase pairs that agree with them out: loops over numbers, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

Integers = NDArray[np.int64]

STRIDE = 7
"""Bit `STRIDE · i + j` of a phrase pair's links is the link between its words `i` and `j`, counted from 0."""
_FAR = 1 << 30


@compiled
def consistent_spans(
    left_ends: Integers, right_ends: Integers, link_ends: Integers, links: Integers, most: Any, extended: Any
) -> tuple[Integers, Integers]:
    """Pair, start and end of the left phrase, start and end of the right phrase; and the links inside, as bits.

    `ends` are the ends of each pair's tokens and links where those of all pairs stand behind one another; `links` has
    two columns. Links are taken to lie inside their pair.
    """
    found = np.empty((1024, 5), np.int64)
    inside = np.empty(1024, np.int64)
    count = 0
    for pair in range(len(left_ends)):
        lefts = left_ends[pair] - (left_ends[pair - 1] if pair else 0)
        rights = right_ends[pair] - (right_ends[pair - 1] if pair else 0)
        first_link = link_ends[pair - 1] if pair else 0
        low_right, high_right = np.full(lefts, _FAR), np.full(lefts, -1)
        low_left, high_left = np.full(rights, _FAR), np.full(rights, -1)
        for link in range(first_link, link_ends[pair]):
            i, j = links[link, 0], links[link, 1]
            low_right[i], high_right[i] = min(low_right[i], j), max(high_right[i], j)
            low_left[j], high_left[j] = min(low_left[j], i), max(high_left[j], i)
        for start in range(lefts):
            if high_right[start] < 0 and not extended:
                continue
            low, high = _FAR, -1
            for last in range(start, min(start + most, lefts)):
                if high_right[last] >= 0:
                    low, high = min(low, low_right[last]), max(high, high_right[last])
                    if high - low >= most:
                        break  # a longer left phrase is linked to no fewer words
                elif not extended:
                    continue
                if high < 0:
                    continue
                fits = True
                for place in range(low, high + 1):
                    if high_left[place] >= 0 and (low_left[place] < start or high_left[place] > last):
                        fits = False
                        break
                if not fits:
                    continue
                first_right = low
                while True:
                    last_right = high
                    while True:
                        if count == len(inside):
                            more, more_inside = np.empty((2 * count, 5), np.int64), np.empty(2 * count, np.int64)
                            more[:count], more_inside[:count] = found, inside
                            found, inside = more, more_inside
                        found[count, 0], found[count, 1], found[count, 2] = pair, start, last + 1
                        found[count, 3], found[count, 4] = first_right, last_right + 1
                        bits = 0
                        for link in range(first_link, link_ends[pair]):
                            i, j = links[link, 0], links[link, 1]
                            if start <= i <= last:
                                bits |= 1 << (STRIDE * (i - start) + j - first_right)
                        inside[count] = bits
                        count += 1
                        last_right += 1
                        if not extended or last_right >= rights or last_right - first_right >= most:
                            break
                        if high_left[last_right] >= 0:
                            break
                    first_right -= 1
                    if not extended or first_right < 0 or high - first_right >= most or high_left[first_right] >= 0:
                        break
    return found[:count], inside[:count]


@compiled
def mirrored(inside: Integers) -> Integers:
    """The same links with left and right exchanged."""
    other = np.zeros(len(inside), np.int64)
    for row in range(len(inside)):
        for i in range(STRIDE):
            for j in range(STRIDE):
                if inside[row] >> (STRIDE * i + j) & 1:
                    other[row] |= 1 << (STRIDE * j + i)
    return other


@compiled
def read_links(written: NDArray[np.uint8], bounds: NDArray[np.int32]) -> tuple[Integers, Integers]:
    """Links that are written as `0-0 1-2`, of all pairs behind one another, and where each pair's end.

    What is read here has been checked before; `bounds` are Arrow's.
    """
    links = np.zeros((len(written), 2), np.int64)
    ends = np.zeros(len(bounds) - 1, np.int64)
    count = 0
    for pair in range(len(bounds) - 1):
        side = 0
        for place in range(bounds[pair], bounds[pair + 1]):
            sign = written[place]
            if sign == 45:
                side = 1
            elif sign == 32:
                side = 0
                count += 1
            else:
                links[count, side] = 10 * links[count, side] + sign - 48
        if bounds[pair + 1] > bounds[pair]:
            count += 1
        ends[pair] = count
    return links[:count], ends


@compiled
def first_of_each(is_new: NDArray[np.bool_], bounds: Integers, keys: Integers, most: Any) -> tuple[Integers, Integers]:
    """Of the keys that the rows of a run have, the places of the smallest ones that differ, and how many each run has.

    A run begins where `is_new`; the list of row `n` lies from `bounds[n]` to `bounds[n + 1]`. Keys differ where their
    upper bits do; among those that do not, the smallest is taken.
    """
    chosen = np.empty(len(keys), np.int64)
    counts = np.zeros(is_new.sum(), np.int64)
    best = np.empty(most + 1, np.int64)
    total, run, held = 0, -1, 0
    for row in range(len(is_new)):
        if is_new[row]:
            chosen[total : total + held] = best[:held]
            total += held
            if run >= 0:
                counts[run] = held
            run, held = run + 1, 0
        for place in range(bounds[row], bounds[row + 1]):
            key = keys[place]
            known = False
            for slot in range(held):
                if keys[best[slot]] >> 24 == key >> 24:
                    known = True
                    if key < keys[best[slot]]:
                        best[slot] = place
            if known:
                continue
            slot = held
            while slot > 0 and keys[best[slot - 1]] > key:
                best[slot] = best[slot - 1]
                slot -= 1
            best[slot] = place
            held = min(held + 1, most)
    chosen[total : total + held] = best[:held]
    if run >= 0:
        counts[run] = held
    return chosen[: total + held], counts
