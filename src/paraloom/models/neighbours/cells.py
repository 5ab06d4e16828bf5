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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import unfinished_name
from paraloom.errors import EngineError
from paraloom.models.neighbours.codes import Codes
from paraloom.models.neighbours.lists import Lists

MAGIC = b"PLCELL1\n"
HASH_BYTES = 16
ROWS_AT_ONCE = 65_536
"""A longer list is read in pieces."""


class Rows(NamedTuple):
    """Rows as they are kept, and their numbers."""

    numbers: NDArray[np.int64]
    kept: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """An open cell: where each list lies in the file."""

    file: Path
    first: int
    offsets: NDArray[np.int64]
    width: int

    @property
    def lists(self) -> range:
        """The lists it holds."""
        return range(self.first, self.first + len(self.offsets) - 1)

    @property
    def rows(self) -> int:
        """How many rows it holds."""
        return int(self.offsets[-1])

    def bounds(self, number: int) -> tuple[int, int]:
        """Where the rows of a list begin and end."""
        place = number - self.first
        return int(self.offsets[place]), int(self.offsets[place + 1])

    def read(self, start: int, stop: int) -> Rows:
        """The rows from one place to another."""
        body = _head_bytes(len(self.offsets) - 1)
        with self.file.open("rb") as file:
            descriptor = file.fileno()
            numbers = self._pread(descriptor, (stop - start) * 8, body + start * 8)
            kept = self._pread(descriptor, (stop - start) * self.width, body + self.rows * 8 + start * self.width)
        return Rows(np.frombuffer(numbers, "<i8"), np.frombuffer(kept, np.uint8).reshape(stop - start, self.width))

    def _pread(self, descriptor: int, size: int, offset: int) -> bytes:
        read = os.pread(descriptor, size, offset)
        while len(read) < size:  # one call gives at most 2 GB
            more = os.pread(descriptor, size - len(read), offset + len(read))
            if not more:
                raise _torn(self.file)
            read += more
        return read

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
        file.write(numbers[order].astype("<i8").tobytes())
        for start in range(0, len(order), ROWS_AT_ONCE):
            file.write(kept[order[start : start + ROWS_AT_ONCE]].tobytes())
    unfinished.replace(target)


def open_cell(file: Path) -> Cell:
    """The cell in a file; an error that names it where it is not whole."""
    fixed = len(MAGIC) + 4 * 8
    try:
        with file.open("rb") as opened:
            head = opened.read(fixed)
            if len(head) < fixed or not head.startswith(MAGIC):
                raise _torn(file)
            first, lists, rows, width = np.frombuffer(head, "<i8", offset=len(MAGIC)).tolist()
            size = os.fstat(opened.fileno()).st_size
            if min(first, lists, rows, width) < 0 or size != _head_bytes(lists) + rows * (8 + width):
                raise _torn(file)
            head += opened.read((lists + 1) * 8)
            if opened.read(HASH_BYTES) != _hash(head):
                raise _torn(file)
    except FileNotFoundError as absent:
        raise EngineError(f"{file} is absent: the index it belongs to is not whole. Make the index again.") from absent
    return Cell(file, first, np.frombuffer(head, "<i8", offset=fixed), width)


def _head_bytes(lists: int) -> int:
    return len(MAGIC) + 4 * 8 + (lists + 1) * 8 + HASH_BYTES


def _hash(head: bytes) -> bytes:
    return hashlib.blake2b(head, digest_size=HASH_BYTES).digest()


def _torn(file: Path) -> EngineError:
    return EngineError(f"{file} is damaged or not whole. Delete it and give the same command again: it is made anew.")


def gather_cell(target: Path, lists: range, sources: Sequence[Source]) -> int:
    """The rows that several files hold of these lists, in one file; gives their number."""
    taken: list[Rows] = []
    of: list[NDArray[np.int64]] = []
    for source in sources:
        cell = open_cell(source.file)
        inside = range(max(lists.start, cell.lists.start), min(lists.stop, cell.lists.stop))
        if not inside:
            continue
        start, stop = cell.bounds(inside.start)[0], cell.bounds(inside.stop - 1)[1]
        rows = cell.read(start, stop)
        own = cell.list_of_places(start, stop)
        if source.renumber is not None:
            numbers = np.asarray(source.renumber[rows.numbers], np.int64)
            kept = numbers >= 0
            rows, own = Rows(numbers[kept], rows.kept[kept]), own[kept]
        taken.append(rows)
        of.append(own)
    if not taken:
        raise EngineError(f"{target}: none of its {len(sources)} sources has lists {lists.start} to {lists.stop - 1}.")
    numbers = np.concatenate([rows.numbers for rows in taken])
    write_cell(target, lists, np.concatenate(of), numbers, np.concatenate([rows.kept for rows in taken]))
    return len(numbers)


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

    def __getitem__(self, number: int) -> Cell:
        if number not in self.opened:
            cell = open_cell(self.folder / cell_name(number))
            if cell.lists != self.lists.lists_of(number) or (cell.rows and cell.width != self.codes.width):
                raise EngineError(f"{cell.file} was made for another index. Delete it and make the index again.")
            self.opened[number] = cell
        return self.opened[number]

    def of_list(self, number: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int8]]]:
        """Numbers and int8 rows of a list, in pieces."""
        cell = self[int(self.lists.cells_of(np.array([number]))[0])]
        for rows in cell.pieces(*cell.bounds(number)):
            yield rows.numbers, self.codes.decode(rows.kept)
