"""Dot products in, the best of every row out: plain loops over numbers, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

TOGETHER = 64
"""Products looked at together: where none of them is good enough, which is nearly always, none is looked at alone."""
HEIGHTS = 1024
"""Heights that products are counted by."""
FEW_TOGETHER = 16
"""The same where one of them may well be good enough."""
ONE_IN = 8
"""One product in so many tells how high the highest are …"""
MANY = 4 * ONE_IN
"""… where at least so many are wanted."""
PLACE_BITS = np.int64(32)
LAST_PLACE = np.int64((1 << 32) - 1)
"""A product and its place in one number: of two equal products the one at the lower place is higher."""


@compiled
def _insert(dots: NDArray[np.int32], numbers: NDArray[np.int64], row: int, dot: Any, number: Any) -> None:
    """Put a neighbour in its place among a row's best: by product, then by number; the last one falls out."""
    place = dots.shape[1] - 1
    while place > 0 and (
        dots[row, place - 1] < dot or (dots[row, place - 1] == dot and numbers[row, place - 1] > number)
    ):
        dots[row, place] = dots[row, place - 1]
        numbers[row, place] = numbers[row, place - 1]
        place -= 1
    dots[row, place] = dot
    numbers[row, place] = number


@compiled
def take_nearest(
    products: NDArray[Any],
    candidates: NDArray[np.int64],
    rows: NDArray[np.int64],
    own: NDArray[np.int64],
    best_dots: NDArray[np.int32],
    best_numbers: NDArray[np.int64],
) -> None:
    """Take the better of these products into the best of the rows they belong to; a row's own number is skipped."""
    count = products.shape[1]
    last = best_dots.shape[1] - 1
    good = np.empty(TOGETHER + 1, np.int64)
    for line in range(products.shape[0]):
        row = rows[line]
        worst = products.dtype.type(best_dots[row, last])
        for start in range(0, count, TOGETHER):
            stop = min(start + TOGETHER, count)
            together = products[line, start:stop]
            if stop - start == TOGETHER:  # a length known when it is compiled becomes a few wide instructions
                is_good = np.int32(0)
                for place in range(TOGETHER):
                    is_good |= np.int32(together[place] >= worst)
                if is_good == 0:
                    continue
            count_good = 0
            for place in range(stop - start):  # without a branch that a processor would guess wrong
                good[count_good] = place
                count_good += together[place] >= worst
            for taken in range(count_good):
                place = good[taken]
                dot = together[place]
                number = candidates[start + place]
                if dot < worst or number == own[row] or (dot == worst and number >= best_numbers[row, last]):
                    continue
                _insert(best_dots, best_numbers, row, np.int32(dot), number)
                worst = products.dtype.type(best_dots[row, last])


@compiled
def _collect(row: NDArray[Any], least: Any, keys: NDArray[np.int64]) -> int:
    """Write products of at least `least`, each with its place in one number, into `keys`; gives how many."""
    count, high = row.shape[0], 0
    worst = row.dtype.type(least)
    for start in range(0, count, FEW_TOGETHER):
        stop = min(start + FEW_TOGETHER, count)
        together = row[start:stop]
        if stop - start == FEW_TOGETHER:
            is_high = np.int32(0)
            for place in range(FEW_TOGETHER):
                is_high |= np.int32(together[place] >= worst)
            if is_high == 0:
                continue
        for place in range(stop - start):  # without a branch that a processor would guess wrong
            keys[high] = (np.int64(together[place]) << PLACE_BITS) | (LAST_PLACE - start - place)
            high += int(together[place] >= worst)
    return high


@compiled
def _least_of_highest(row: NDArray[Any], wanted: int, heights: NDArray[np.int64]) -> Any:
    """A product that so many reach, and few more: they are counted by height."""
    lowest = highest = np.int64(row[0])
    for place in range(row.shape[0]):
        product = np.int64(row[place])
        lowest = min(lowest, product)
        highest = max(highest, product)
    shift = 0
    while (highest - lowest) >> shift >= HEIGHTS:
        shift += 1
    heights[:] = 0
    for place in range(row.shape[0]):
        heights[(np.int64(row[place]) - lowest) >> shift] += 1
    height, found = HEIGHTS, np.int64(0)
    while found < wanted:
        height -= 1
        found += heights[height]
    return lowest + (np.int64(height) << shift)


@compiled
def take_highest(products: NDArray[Any], taken: NDArray[np.int64]) -> None:
    """The places of every row's highest products, as many as `taken` has room for: highest first, then lower place.

    How high these are is told by one product in eight, and by all of them where that leads to too few.
    """
    count, wanted = products.shape[1], taken.shape[1]
    heights = np.empty(HEIGHTS, np.int64)
    keys = np.empty(count + 1, np.int64)
    among_some = wanted // ONE_IN
    among_some += 2 * int(np.sqrt(among_some)) + 1  # by lot there are fewer than `wanted` once in fifty times
    for line in range(products.shape[0]):
        row = products[line]
        high = 0
        if wanted >= MANY and among_some * ONE_IN <= count:
            high = _collect(row, _least_of_highest(row[::ONE_IN], among_some, heights), keys)
        if high < wanted:
            high = _collect(row, _least_of_highest(row, wanted, heights), keys)
        best = np.sort(keys[:high])
        for rank in range(wanted):
            taken[line, rank] = LAST_PLACE - (best[high - 1 - rank] & LAST_PLACE)


@compiled
def merge_into(
    dots: NDArray[np.int32], numbers: NDArray[np.int64], best_dots: NDArray[np.int32], best_numbers: NDArray[np.int64]
) -> None:
    """Take the better of other neighbours of the same rows into their best; one found twice is taken once."""
    last = best_dots.shape[1] - 1
    for row in range(dots.shape[0]):
        for place in range(dots.shape[1]):
            dot, number = dots[row, place], numbers[row, place]
            if number < 0 or dot < best_dots[row, last]:
                continue
            if dot == best_dots[row, last] and number >= best_numbers[row, last]:
                continue
            is_there = False
            for other in range(last + 1):
                if best_numbers[row, other] == number:
                    is_there = True
            if not is_there:
                _insert(best_dots, best_numbers, row, dot, number)


@compiled
def gathered(codes: NDArray[np.int8], rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """These rows of codes as float32."""
    taken = np.empty((rows.shape[0], codes.shape[1]), np.float32)
    for line in range(rows.shape[0]):
        row = rows[line]
        for place in range(codes.shape[1]):
            taken[line, place] = codes[row, place]
    return taken


@compiled
def gathered_bytes(codes: NDArray[np.int8], rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    """These rows of codes, 128 added to every number."""
    taken = np.empty((rows.shape[0], codes.shape[1]), np.uint8)
    for line in range(rows.shape[0]):
        row = rows[line]
        for place in range(codes.shape[1]):
            taken[line, place] = np.uint8(np.int16(codes[row, place]) + np.int16(128))
    return taken


@compiled
def sum_rows(codes: NDArray[np.int8], of: NDArray[np.int64], sums: NDArray[np.int64]) -> None:
    """Add every row of codes to the sum of the group that it is of."""
    for row in range(codes.shape[0]):
        group = of[row]
        for place in range(codes.shape[1]):
            sums[group, place] += codes[row, place]


@compiled
def rows_by_list(
    probed: NDArray[np.int32], first: int, last: int, lists: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows that probe each list by their probes from one place to another: where each list's rows begin, and the
    rows, rising within a list."""
    starts = np.zeros(lists + 1, np.int64)
    for row in range(probed.shape[0]):
        for place in range(first, last):
            starts[probed[row, place] + 1] += 1
    for number in range(lists):
        starts[number + 1] += starts[number]
    following = starts[:-1].copy()
    rows = np.empty(probed.shape[0] * max(last - first, 0), np.int64)
    for row in range(probed.shape[0]):
        for place in range(first, last):
            number = probed[row, place]
            rows[following[number]] = row
            following[number] += 1
    return starts, rows


@compiled
def take_through(
    codes: NDArray[np.int8],
    numbers: NDArray[np.int64],
    own: NDArray[np.int32],
    neighbours: NDArray[np.int32],
    theirs: NDArray[np.int32],
    best_dots: NDArray[np.int32],
    best_numbers: NDArray[np.int64],
) -> None:
    """Take the better of neighbours' neighbours into the best of rows.

    `own` are the places of the rows in `codes` and `numbers`, `neighbours` the places of their neighbours in `theirs`,
    and `theirs` the places of those ones' neighbours in `codes`; below zero where there is nobody.
    """
    last = best_dots.shape[1] - 1
    seen = np.full(codes.shape[0], -1, np.int64)
    for row in range(own.shape[0]):
        seen[own[row]] = row
        mine = codes[own[row]]
        for through in neighbours[row]:
            if through < 0:
                continue
            for place in theirs[through]:
                if place < 0 or seen[place] == row:
                    continue
                seen[place] = row
                other = codes[place]
                dot = np.int32(0)
                for number in range(codes.shape[1]):  # kept at 32 bits, twice as many go into an instruction
                    dot = np.int32(dot + np.int32(mine[number]) * np.int32(other[number]))
                if dot < best_dots[row, last] or (
                    dot == best_dots[row, last] and numbers[place] >= best_numbers[row, last]
                ):
                    continue
                is_there = False
                for known in range(last + 1):
                    if best_numbers[row, known] == numbers[place]:
                        is_there = True
                if not is_there:
                    _insert(best_dots, best_numbers, row, dot, numbers[place])
