"""Rows by list in, a file out; lists of it back. A cell is a file that holds neighbouring lists.

    8 bytes     what it is
    4 × int64   first list, number of lists, rows, bytes a row
    int64       where every list begins, and the number of rows
    16 bytes    hash of all that
    int64       the numbers of the rows: list by list, in rising order
    bytes       the rows

A file is whole or absent. It is read by list, so that memory holds what is looked at and no more.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import unfinished_name
from paraloom.errors import EngineError
from paraloom.models.neighbours.codes import Codes
from paraloom.models.neighbours.copies import first_copies
from paraloom.models.neighbours.lists import Lists

MAGIC = b"PLCELL1\n"
FIXED = len(MAGIC) + 4 * 8
HASH_BYTES = 16
ROWS_AT_ONCE = 65_536
"""A longer list is read in pieces."""
LONG = 16_384
"""Rows of a list from which on it is looked whether many of them are equal."""


class Rows(NamedTuple):
    """Rows as they are kept, and their numbers."""

    numbers: NDArray[np.int64]
    kept: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """An open cell: where its lists lie in the file, all of them or those that were asked for."""

    file: Path
    first: int
    offsets: NDArray[np.int64]
    width: int
    rows: int
    """How many rows the file holds."""
    body: int
    """Where in the file they begin."""

    @property
    def lists(self) -> range:
        """The lists that are known."""
        return range(self.first, self.first + len(self.offsets) - 1)

    def bounds(self, number: int) -> tuple[int, int]:
        """Where the rows of a list begin and end."""
        place = number - self.first
        return int(self.offsets[place]), int(self.offsets[place + 1])

    def read(self, start: int, stop: int) -> Rows:
        """The rows from one place to another."""
        with self.file.open("rb") as opened:
            numbers = _pread(opened, (stop - start) * 8, self.body + start * 8)
            kept = _pread(opened, (stop - start) * self.width, self.body + self.rows * 8 + start * self.width)
        return Rows(np.frombuffer(numbers, "<i8"), np.frombuffer(kept, np.uint8).reshape(stop - start, self.width))

    def read_numbers(self, start: int, stop: int) -> NDArray[np.int64]:
        """The numbers of the rows from one place to another."""
        with self.file.open("rb") as opened:
            return np.frombuffer(_pread(opened, (stop - start) * 8, self.body + start * 8), "<i8")

    def take(self, rows: NDArray[np.int64], into: Rows) -> None:
        """Lay these rows where they are wanted; of the file no more is read than the pages they lie on."""
        numbers = np.memmap(self.file, "<i8", "r", self.body, (self.rows,))
        kept = np.memmap(self.file, np.uint8, "r", self.body + self.rows * 8, (self.rows, self.width))
        # Rows are none but the cell's: told so, NumPy copies each once, and not all of them a second time.
        np.take(numbers, rows, out=into.numbers, mode="clip")
        np.take(kept, rows, axis=0, out=into.kept, mode="clip")

    def pieces(self, start: int, stop: int, most: int = ROWS_AT_ONCE) -> Iterator[Rows]:
        """The rows from one place to another, at most so many at once."""
        for piece in range(start, stop, most):
            yield self.read(piece, min(piece + most, stop))

    def list_of_places(self, start: int, stop: int) -> NDArray[np.int64]:
        """The list of every row from one place to another."""
        return np.searchsorted(self.offsets, np.arange(start, stop), side="right").astype(np.int64) - 1 + self.first


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file to take rows from, and the numbers they get."""

    file: Path
    renumber: NDArray[np.int64] | None = None
    """The new number of every old one, below zero for rows to leave out; None: they keep theirs."""


def write_cell(
    target: Path, lists: range, of: NDArray[np.int64], numbers: NDArray[np.int64], kept: NDArray[Any]
) -> None:
    """Lay rows by list, then number, into one file, whole or absent. `of` is the list of every row."""
    if len(of) and not (int(of.min()) in lists and int(of.max()) in lists):
        raise EngineError(f"{target} is for lists {lists.start} to {lists.stop - 1}, but has rows of others.")
    order = np.lexsort((numbers, of))
    counts = np.bincount(of - lists.start, minlength=len(lists))
    width = kept.shape[1]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype("<i8")
    head = MAGIC + np.array([lists.start, len(lists), len(numbers), width], "<i8").tobytes() + offsets.tobytes()
    unfinished = unfinished_name(target)
    with unfinished.open("wb") as file:
        file.write(head + _hash(head))
        pieces = [slice(start, start + ROWS_AT_ONCE) for start in range(0, len(order), ROWS_AT_ONCE)]
        for piece in pieces:
            file.write(numbers[order[piece]].astype("<i8").data)
        for piece in pieces:
            file.write(np.ascontiguousarray(kept[order[piece]]).data)
    unfinished.replace(target)


def open_cell(file: Path) -> Cell:
    """The cell in a file; an error that names it where it is not whole."""
    with _opened(file) as opened:
        first, lists, rows, width = _read_sizes(opened)
        head = _pread(opened, FIXED + (lists + 1) * 8, 0)
        if _pread(opened, HASH_BYTES, len(head)) != _hash(head):
            raise _torn(file)
    return Cell(file, first, np.frombuffer(head, "<i8", offset=FIXED), width, rows, _head_bytes(lists))


def open_lists(file: Path, lists: range) -> Cell | None:
    """The cell in a file, of which only these lists are known; None where it holds none of them.

    Of the head nothing else is read. So its hash cannot be checked, but its size is, and that the rows of these lists
    follow each other.
    """
    with _opened(file) as opened:
        first, count, rows, width = _read_sizes(opened)
        start, stop = max(lists.start, first), min(lists.stop, first + count)
        if stop <= start:
            return None
        offsets = np.frombuffer(_pread(opened, (stop - start + 1) * 8, FIXED + (start - first) * 8), "<i8")
    is_whole = offsets[0] >= 0 and offsets[-1] <= rows and bool((np.diff(offsets) >= 0).all())
    is_first_right = start > first or offsets[0] == 0
    is_last_right = stop < first + count or offsets[-1] == rows
    if not (is_whole and is_first_right and is_last_right):
        raise _torn(file)
    return Cell(file, start, offsets, width, rows, _head_bytes(count))


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    try:
        with file.open("rb") as opened:
            yield opened
    except FileNotFoundError as absent:
        raise EngineError(f"{file} is absent: the index it belongs to is not whole. Make the index again.") from absent


def _read_sizes(opened: BinaryIO) -> tuple[int, int, int, int]:
    """The first list of a file, how many lists and rows it has, and the bytes of a row."""
    fixed = os.pread(opened.fileno(), FIXED, 0)
    if len(fixed) < FIXED or not fixed.startswith(MAGIC):
        raise _torn(Path(opened.name))
    first, lists, rows, width = np.frombuffer(fixed, "<i8", offset=len(MAGIC)).tolist()
    size = os.fstat(opened.fileno()).st_size
    if min(first, lists, rows, width) < 0 or size != _head_bytes(lists) + rows * (8 + width):
        raise _torn(Path(opened.name))
    return first, lists, rows, width


def _pread(opened: BinaryIO, size: int, offset: int) -> bytes:
    read = os.pread(opened.fileno(), size, offset)
    while len(read) < size:  # one call gives at most 2 GB
        more = os.pread(opened.fileno(), size - len(read), offset + len(read))
        if not more:
            raise _torn(Path(opened.name))
        read += more
    return read


def _head_bytes(lists: int) -> int:
    return FIXED + (lists + 1) * 8 + HASH_BYTES


def _hash(head: bytes) -> bytes:
    return hashlib.blake2b(head, digest_size=HASH_BYTES).digest()


def _torn(file: Path) -> EngineError:
    return EngineError(f"{file} is damaged or not whole. Delete it and give the same command again: it is made anew.")


def gather_cell(target: Path, lists: range, sources: Sequence[Source]) -> int:
    """The rows that several files hold of these lists, in one file; gives their number.

    Memory holds the rows of the cell once, beside their numbers and their order.
    """
    stretches = [each for source in sources if (each := _stretch_of(source, lists)) is not None]
    if not stretches:
        raise EngineError(f"{target}: none of its {len(sources)} sources has lists {lists.start} to {lists.stop - 1}.")
    count = sum(len(each.numbers) for each in stretches)
    widths = {each.cell.width for each in stretches if len(each.numbers)} or {stretches[0].cell.width}
    if len(widths) > 1:
        raise EngineError(f"{target}: its sources keep rows of {sorted(widths)} bytes. Make the index again.")
    kept = np.empty((count, widths.pop()), np.uint8)
    filled = 0
    for each in stretches:
        for rows in each.kept_rows():
            kept[filled : filled + len(rows)] = rows
            filled += len(rows)
    of = np.concatenate([each.of for each in stretches])
    numbers = np.concatenate([each.numbers for each in stretches])
    stretches.clear()
    write_cell(target, lists, of, numbers, kept)
    return count


class Stretch(NamedTuple):
    """What a cell takes of a source: the rows that follow each other in it, but for those to leave out."""

    cell: Cell
    start: int
    stop: int
    of: NDArray[np.int64]
    """The list of every row that is taken."""
    numbers: NDArray[np.int64]
    """The number that it gets."""
    is_taken: NDArray[np.bool_] | None
    """Whether each row is taken; None: all are."""

    def kept_rows(self) -> Iterator[NDArray[np.uint8]]:
        """The rows that are taken, in pieces."""
        if not len(self.numbers):
            return
        at = 0
        for rows in self.cell.pieces(self.start, self.stop, ROWS_AT_ONCE):
            taken = slice(None) if self.is_taken is None else self.is_taken[at : at + len(rows.kept)]
            yield rows.kept[taken]
            at += len(rows.kept)


def _stretch_of(source: Source, lists: range) -> Stretch | None:
    cell = open_lists(source.file, lists)
    if cell is None:
        return None
    start, stop = int(cell.offsets[0]), int(cell.offsets[-1])
    of, numbers = cell.list_of_places(start, stop), cell.read_numbers(start, stop)
    if source.renumber is None:
        return Stretch(cell, start, stop, of, numbers, None)
    numbers = np.asarray(source.renumber[numbers], np.int64)
    is_taken = numbers >= 0
    return Stretch(cell, start, stop, of[is_taken], numbers[is_taken], is_taken)


def cell_name(number: int) -> str:
    """The file of a cell in the index's folder."""
    return f"cell-{number:05d}.rows"


class Cells:
    """The cells of an index, opened when they are first asked for."""

    def __init__(self, folder: Path, lists: Lists, codes: Codes) -> None:
        self.folder = folder
        self.lists = lists
        self.codes = codes
        self.opened: dict[int, Cell] = {}
        self.first_copies: dict[tuple[int, int], NDArray[np.int64]] = {}
        """Of long lists, by number and how many equal rows can be neighbours: the places of those that can."""

    def __getitem__(self, number: int) -> Cell:
        if number not in self.opened:
            cell = open_cell(self.folder / cell_name(number))
            if cell.lists != self.lists.lists_of(number) or (cell.rows and cell.width != self.codes.width):
                raise EngineError(f"{cell.file} was made for another index. Delete it and make the index again.")
            self.opened[number] = cell
        return self.opened[number]

    def of_list(
        self, number: int, among: NDArray[np.bool_] | None = None, *, most_copies: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int8]]]:
        """Numbers and int8 rows of a list, in pieces; only of those that `among` holds true, where it is given.

        Of a long list's equal rows there are no more than `most_copies`, those with the lowest numbers.
        """
        for rows in self._rows_of(number, most_copies):
            if among is not None:
                rows = _among(rows, among)
            if len(rows.numbers):
                yield rows.numbers, self.codes.decode(rows.kept)

    def _rows_of(self, number: int, most_copies: int) -> Iterator[Rows]:
        cell = self[int(self.lists.cells_of(np.array([number]))[0])]
        start, stop = cell.bounds(number)
        if stop - start < LONG:
            return cell.pieces(start, stop)
        asked = (number, most_copies)
        if asked not in self.first_copies:
            kept = (rows.kept for rows in cell.pieces(start, stop))
            self.first_copies[asked] = start + first_copies(kept, most_copies)
        return _pieces_at(cell, self.first_copies[asked])


def _pieces_at(cell: Cell, places: NDArray[np.int64]) -> Iterator[Rows]:
    """The rows of a cell at places that rise, in pieces."""
    for first in range(0, len(places), ROWS_AT_ONCE):
        some = places[first : first + ROWS_AT_ONCE]
        rows = Rows(np.empty(len(some), np.int64), np.empty((len(some), cell.width), np.uint8))
        cell.take(some, rows)
        yield rows


def _among(rows: Rows, among: NDArray[np.bool_]) -> Rows:
    is_one = among[rows.numbers]
    return Rows(rows.numbers[is_one], rows.kept[is_one])
