"""Tokens of outputs and references in, out comes how many edits turn an output into its reference: TER's numerator.

An edit is a word inserted, deleted or replaced, or a run of words moved elsewhere (Snover et al., 2006). Which moves
are tried, in what order and within what limits is Tercom's custom as sacrebleu has it, and decides the result: the
search is greedy. Here are the same choices over numbers, without sacrebleu's cache of rows, which only saves time.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.overlap.compiled import compiled

LONGEST_SHIFT = 10
FARTHEST_SHIFT = 50
MOST_CANDIDATES = 1000
"""After so many moves tried for one sentence the search stops, and the last move found is not made."""
BEAM = 25
"""How far from the diagonal an alignment may go."""
FAR = np.int32(1 << 29)
"""The distance of cells beyond the beam."""
INSERT, DELETE, KEEP, REPLACE = range(4)
MOST_BITS = 63


@compiled
def count_edits(
    output_ids: NDArray[np.int32],
    output_bounds: NDArray[np.int64],
    output_of: NDArray[np.int64],
    reference_ids: NDArray[np.int32],
    reference_bounds: NDArray[np.int64],
    first_reference: int,
    edits: NDArray[np.int64],
) -> None:
    """Write row by row how many edits turn output `output_of[n]` into reference `first_reference + n`."""
    for row in range(len(output_of)):
        output = output_of[row]
        reference = first_reference + row
        edits[row] = _edits(
            output_ids[output_bounds[output] : output_bounds[output + 1]],
            reference_ids[reference_bounds[reference] : reference_bounds[reference + 1]],
        )


class Rows(NamedTuple):
    """The edit distances between an output, in the order of its words now, and its reference; a row an output word."""

    first: NDArray[np.int64]
    """For each row the first cell within the beam."""
    last: NDArray[np.int64]
    """For each row the first cell beyond the beam."""
    before_any: NDArray[np.int32]
    """Row 0, which the beam does not narrow."""
    costs: NDArray[np.int32]
    """Row n, from its first cell within the beam on."""
    ways: NDArray[np.uint8]
    """How the cost of each cell came about: INSERT, DELETE, KEEP or REPLACE."""
    spare_costs: NDArray[np.int32]
    spare_ways: NDArray[np.uint8]


class Alignment(NamedTuple):
    """Which words are right, by the cheapest way through the rows."""

    place: NDArray[np.int64]
    """For each reference word its place in the output, or the place after which it is missing."""
    wrong: NDArray[np.int64]
    """How many of the output's first n words are wrong."""
    wrong_in_reference: NDArray[np.int64]
    """How many of the reference's first n words are wrong."""


class BitRows(NamedTuple):
    """The same distances where the beam leaves out no cell and a row fits one number."""

    in_use: bool
    found: NDArray[np.uint64]
    """For each word of the output, where it stands in the reference."""
    rises: NDArray[np.uint64]
    """For each row, where the distance is one more than in the cell before."""
    falls: NDArray[np.uint64]
    """For each row, where it is one less."""
    ends: NDArray[np.int64]
    """For each row, the distance in its last cell."""


@compiled
def _edits(output: NDArray[np.int32], reference: NDArray[np.int32]) -> int:
    """Move runs of words, each time the best, until no move helps; then count the moves and the edits left."""
    length, reference_length = len(output), len(reference)
    if length == 0 or reference_length == 0:
        return length + reference_length
    rows = _rows(length, reference_length)
    alignment = Alignment(
        np.empty(reference_length, dtype=np.int64),
        np.zeros(length + 1, dtype=np.int64),
        np.zeros(reference_length + 1, dtype=np.int64),
    )
    bits = _bit_rows(output, reference, rows)
    order = np.arange(length)  # the output's words in their order after the moves so far
    moved = np.empty_like(order)
    moves, tried = 0, 0
    while True:
        distance = _fill(output, order, reference, rows)
        _align(length, reference_length, rows, alignment)
        _fill_bits(order, reference_length, bits)
        tried, gain, run, start, target = _best_move(
            output, order, reference, distance, tried, rows, alignment, bits, moved
        )
        if tried >= MOST_CANDIDATES or gain <= 0:
            return moves + distance
        _move(order, start, run, target, moved)
        order, moved = moved, order
        moves += 1


@compiled
def _best_move(
    output: NDArray[np.int32],
    order: NDArray[np.int64],
    reference: NDArray[np.int32],
    distance: int,
    tried: int,
    rows: Rows,
    alignment: Alignment,
    bits: BitRows,
    moved: NDArray[np.int64],
) -> tuple[int, int, int, int, int]:
    """Try runs that stand elsewhere in the reference: how many were tried by now, and the best one's gain and place."""
    place_of, wrong, wrong_in_reference = alignment
    best_gain, best_run, best_start, best_target = 0, 0, 0, 0
    for start in range(len(order)):
        if tried >= MOST_CANDIDATES or wrong[min(start + LONGEST_SHIFT, len(order))] == wrong[start]:
            continue  # enough was tried, or all words that could move from here are right where they are
        for place in range(max(0, start - FARTHEST_SHIFT), min(len(reference), start + FARTHEST_SHIFT + 1)):
            run = 0
            while (
                run < min(LONGEST_SHIFT, len(order) - start, len(reference) - place)
                and output[order[start + run]] == reference[place + run]
                and tried < MOST_CANDIDATES
            ):
                run += 1
                if wrong[start + run] == wrong[start] or start <= place_of[place] < start + run:
                    continue  # it is right where it is, or would move into itself
                if wrong_in_reference[place + run] == wrong_in_reference[place]:
                    continue  # the reference has these words there already
                target = -1
                for offset in range(-1, run):
                    target_before = target
                    target = 0 if place + offset < 0 else place_of[place + offset] + 1
                    if target == target_before:
                        continue
                    tried += 1
                    same = _move(order, start, run, target, moved)
                    if bits.in_use:
                        gain = distance - _distance_in_bits(moved, same, len(reference), bits)
                    else:
                        gain = distance - _distance_in_beam(output, moved, same, reference, rows)
                    better = best_run == 0 or gain > best_gain
                    if best_run > 0 and gain == best_gain:
                        # The longer run goes first, then the earlier, then the one with the earlier target.
                        if run != best_run:
                            better = run > best_run
                        elif start != best_start:
                            better = start < best_start
                        else:
                            better = target < best_target
                    if better:
                        best_gain, best_run, best_start, best_target = gain, run, start, target
    return tried, best_gain, best_run, best_start, best_target


@compiled
def _move(order: NDArray[np.int64], start: int, run: int, target: int, moved: NDArray[np.int64]) -> int:
    """Write the order with a run moved to before `target`; returns how many places at the start are as they were."""
    if target < start:
        passed, passed_end = target, start
    elif target > start + run:
        passed, passed_end = start + run, target
    else:
        # A target within the run is taken to be as many words behind it.
        passed, passed_end = start + run, min(target + run, len(order))
    same = min(start, target)
    for before in range(same):
        moved[before] = order[before]
    if target < start:
        for step in range(run):
            moved[same + step] = order[start + step]
        for step in range(passed_end - passed):
            moved[same + run + step] = order[passed + step]
    else:
        for step in range(passed_end - passed):
            moved[same + step] = order[passed + step]
        for step in range(run):
            moved[same + passed_end - passed + step] = order[start + step]
    for after in range(same + run + passed_end - passed, len(order)):
        moved[after] = order[after]
    return same


@compiled
def _rows(length: int, reference_length: int) -> Rows:
    ratio = reference_length / length
    # Where the lengths differ very much, the bands of two rows would not touch.
    beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    first = np.zeros(length + 1, dtype=np.int64)
    last = np.full(length + 1, reference_length + 1, dtype=np.int64)
    width = 0
    for row in range(1, length + 1):
        diagonal = math.floor(row * ratio)
        first[row] = max(0, diagonal - beam)
        if row < length:
            last[row] = min(reference_length + 1, diagonal + beam)
        width = max(width, last[row] - first[row])
    return Rows(
        first,
        last,
        np.arange(reference_length + 1).astype(np.int32),
        np.empty((length + 1, width), dtype=np.int32),
        np.empty((length + 1, width), dtype=np.uint8),
        np.empty((2, width), dtype=np.int32),
        np.empty(width, dtype=np.uint8),
    )


@compiled
def _fill_row(
    word: int,
    reference: NDArray[np.int32],
    row: int,
    rows: Rows,
    above: NDArray[np.int32],
    costs: NDArray[np.int32],
    ways: NDArray[np.uint8],
) -> None:
    """The row after one more word. Of ways that cost the same keeping or replacing is taken, then deleting."""
    above_first, above_last = rows.first[row - 1], rows.last[row - 1]
    first = rows.first[row]
    left = FAR
    for column in range(first, rows.last[row]):
        cost, way = FAR, INSERT
        if column == 0:
            cost, way = above[0] + 1, DELETE
        else:
            if above_first < column <= above_last:
                diagonal = above[column - 1 - above_first]
                if word == reference[column - 1]:
                    cost, way = diagonal, KEEP
                else:
                    cost, way = diagonal + 1, REPLACE
            if above_first <= column < above_last and above[column - above_first] + 1 < cost:
                cost, way = above[column - above_first] + 1, DELETE
            if left + 1 < cost:
                cost, way = left + 1, INSERT
        costs[column - first] = cost
        ways[column - first] = way
        left = cost


@compiled
def _fill(output: NDArray[np.int32], order: NDArray[np.int64], reference: NDArray[np.int32], rows: Rows) -> int:
    """The edit distance within the beam, with every row on the way to it."""
    above = rows.before_any
    for row in range(1, len(order) + 1):
        _fill_row(output[order[row - 1]], reference, row, rows, above, rows.costs[row], rows.ways[row])
        above = rows.costs[row]
    return int(above[len(reference) - rows.first[len(order)]])


@compiled
def _distance_in_beam(
    output: NDArray[np.int32], order: NDArray[np.int64], same: int, reference: NDArray[np.int32], rows: Rows
) -> int:
    """The edit distance alone, for an order that begins with `same` words as the one whose rows are known."""
    above = rows.costs[same] if same > 0 else rows.before_any
    for row in range(same + 1, len(order) + 1):
        costs = rows.spare_costs[row & 1]
        _fill_row(output[order[row - 1]], reference, row, rows, above, costs, rows.spare_ways)
        above = costs
    return int(above[len(reference) - rows.first[len(order)]])


@compiled
def _align(length: int, reference_length: int, rows: Rows, alignment: Alignment) -> None:
    place, wrong, wrong_in_reference = alignment
    row, column = length, reference_length
    while row > 0 or column > 0:
        way = rows.ways[row, column - rows.first[row]] if row > 0 else INSERT
        if way != DELETE:
            column -= 1
            place[column] = row - 1
            wrong_in_reference[column + 1] = 0 if way == KEEP else 1
        if way != INSERT:
            row -= 1
            wrong[row + 1] = 0 if way == KEEP else 1
    for row in range(length):
        wrong[row + 1] += wrong[row]
    for column in range(reference_length):
        wrong_in_reference[column + 1] += wrong_in_reference[column]


@compiled
def _bit_rows(output: NDArray[np.int32], reference: NDArray[np.int32], rows: Rows) -> BitRows:
    whole = rows.first[len(output)] == 0 and rows.last[1] == len(reference) + 1
    in_use = whole and len(reference) <= MOST_BITS
    room = len(output) + 1 if in_use else 1
    found = np.zeros(room, dtype=np.uint64)
    if in_use:
        for row in range(len(output)):
            for column in range(len(reference)):
                if output[row] == reference[column]:
                    found[row] |= np.uint64(1) << np.uint64(column)
    rises, falls = np.empty(room, dtype=np.uint64), np.empty(room, dtype=np.uint64)
    return BitRows(in_use, found, rises, falls, np.empty(room, dtype=np.int64))


@compiled
def _step(found: np.uint64, rise: np.uint64, fall: np.uint64, end: np.uint64) -> tuple[np.uint64, np.uint64, int]:
    """One more word, for all cells of a row at once (Myers, 1999; Hyyrö, 2003); and how much the end cell grows."""
    one = np.uint64(1)
    diagonal = (((found & rise) + rise) ^ rise) | found | fall
    grows = fall | ~(diagonal | rise)
    shrinks = diagonal & rise
    change = 0
    if grows & end:
        change = 1
    elif shrinks & end:
        change = -1
    grows = (grows << one) | one
    shrinks = shrinks << one
    return shrinks | ~(diagonal | grows), grows & diagonal, change


@compiled
def _fill_bits(order: NDArray[np.int64], reference_length: int, bits: BitRows) -> None:
    if not bits.in_use:
        return
    end = np.uint64(1) << np.uint64(reference_length - 1)
    bits.rises[0] = ~np.uint64(0)
    bits.falls[0] = np.uint64(0)
    bits.ends[0] = reference_length
    for row in range(len(order)):
        rise, fall, change = _step(bits.found[order[row]], bits.rises[row], bits.falls[row], end)
        bits.rises[row + 1] = rise
        bits.falls[row + 1] = fall
        bits.ends[row + 1] = bits.ends[row] + change


@compiled
def _distance_in_bits(order: NDArray[np.int64], same: int, reference_length: int, bits: BitRows) -> int:
    """As `_distance_in_beam`."""
    end = np.uint64(1) << np.uint64(reference_length - 1)
    rise, fall, distance = bits.rises[same], bits.falls[same], bits.ends[same]
    for row in range(same, len(order)):
        rise, fall, change = _step(bits.found[order[row]], rise, fall, end)
        distance += change
    return int(distance)
