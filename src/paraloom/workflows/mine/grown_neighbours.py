"""The neighbours that an earlier run has found in, what a grown run's search starts from out.

They are a start where they were found in the same lists, or by comparing all with all: then nothing but what is new can
be nearer than they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.folders import ASIDE, Round
from paraloom.engine.store import made_by_file, read_made_by
from paraloom.models.neighbours.choice import FINDING
from paraloom.models.neighbours.grown_search import Growth
from paraloom.models.neighbours.lists import read_array
from paraloom.models.neighbours.nearest import NOBODY, nobody
from paraloom.models.neighbours.search import Found
from paraloom.workflows.mine.earlier_runs import Earlier, why_no_lists
from paraloom.workflows.mine.index_step import read_choice, read_probes
from paraloom.workflows.mine.nearest_files import Nearest, neighbour_files, read_rows, rows_in
from paraloom.workflows.mine.numbers import Numbers, begin_array
from paraloom.workflows.mine.vectors_step import Vectors

if TYPE_CHECKING:
    from paraloom.models.neighbours.choice import Choice

Keys = NDArray[np.uint64]
RENUMBERED, IS_NEW = "renumbered.npy", "is_new.npy"
NUMBERS_AT_ONCE = 1 << 20
ROWS_AT_ONCE = 65_536
"""New sentences that are met together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A run whose neighbours a search starts from."""

    before: Path
    signature: str
    """That of its neighbours."""
    is_exact: bool
    """Whether it has compared all with all."""


def start_of(earlier: Earlier, choice: Choice, neighbours: int) -> Start | str:
    """What a search for so many neighbours starts from; or why it starts from nothing."""
    before = earlier.first
    if before is None:
        return "no run has vectors that are used again"
    if not made_by_file(before, "neighbours").is_file():
        return "it has none"
    made_by = read_made_by(before, "neighbours")
    if (found := int(made_by["options"]["neighbours"])) < neighbours:
        return f"it looked for {found} and not for {neighbours}"
    is_exact = read_choice(before).kind == "exact"
    if not is_exact and (why := why_no_lists(earlier, choice)):
        return why
    return Start(before=before, signature=str(made_by["signature"]), is_exact=is_exact)


def renumber_round(run: Path, start: Start | None) -> Round:
    """What number each sentence of the earlier run has now, and which sentences are new."""
    files = (RENUMBERED, IS_NEW) if start is not None else ()
    work = partial(partial, _renumber, run, start.before if start is not None else run)
    return Round(name="renumbered", files=files, work=work, is_kept=False, is_small=True)


def _renumber(run: Path, before: Path, number: int, target: Path) -> None:
    now, then = Numbers.of(run / "vectors"), Numbers.of(before / "vectors")
    if number == 0:
        _write(target, np.int64, then, now.find)
    else:
        _write(target, np.bool_, now, lambda keys: then.find(keys) < 0)


def _write(target: Path, kind: type[np.generic], numbers: Numbers, of: Callable[[Keys], NDArray[Any]]) -> None:
    """An array with something of every sentence of a run; memory holds some at a time."""
    with target.open("wb") as file:
        begin_array(file, kind, (len(numbers),))
        for start in range(0, len(numbers), NUMBERS_AT_ONCE):
            keys = np.asarray(numbers.keys[:, start : start + NUMBERS_AT_ONCE])
            file.write(of(keys).astype(kind).data)


class KnownNeighbours:
    """What is known of the sentences that are not new."""

    def __init__(self, run: Path, start: Start, folder: Path, k: int) -> None:
        self.start, self.k = start, k
        self.files = neighbour_files(start.before / "neighbours")
        self.now, self.then = Numbers.of(run / "vectors"), Numbers.of(start.before / "vectors")
        self.vectors = Vectors(run / "vectors", self.now.starts)
        self.renumbered = read_array(folder / ASIDE / RENUMBERED, in_memory=False)
        self.is_new: NDArray[np.bool_] = read_array(folder / ASIDE / IS_NEW, in_memory=False)

    def growth(self, lists: int) -> Growth:
        """What has changed in an index of so many lists."""
        is_few = meets_all(int(np.count_nonzero(self.is_new)), lists)
        met = sys.maxsize if self.start.is_exact else int(read_probes(self.start.before)["probes"])
        return Growth(is_new=self.is_new, probes=met, new_rows=self.new_rows if is_few else None)

    def of_cell(self, cell: int, numbers: NDArray[np.int64]) -> Found:
        """The sentences of a cell that were there, in its order, as they are numbered now, and their neighbours."""
        return self.of(numbers) if self.start.is_exact else self._renamed(Nearest.read(self.files[cell]))

    def of(self, numbers: NDArray[np.int64]) -> Found:
        """The same for sentences by number, of a run that has compared all with all, block by block."""
        old = self.then.find(np.asarray(self.now.keys[:, numbers]))
        old = old[old >= 0]
        known = int(read_made_by(self.start.before, "neighbours")["options"]["neighbours"])
        found = Nearest(old, np.empty((len(old), known), np.int64), np.empty((len(old), known), np.int32))
        size = rows_in(self.files[0]) if self.files else 1
        for block in np.unique(old // size).tolist():
            here = np.flatnonzero(old // size == block)
            read = read_rows(self.files[block], old[here] - block * size)
            found.neighbours[here], found.dots[here] = read.neighbours, read.dots
        return self._renamed(found)

    def _renamed(self, found: Nearest) -> Found:
        """By the numbers of now; without what is no sentence by the rules of now."""
        numbers = np.asarray(self.renumbered[found.numbers])
        neighbours = np.where(found.is_there, self.renumbered[np.maximum(found.neighbours, 0)], NOBODY)
        is_there = numbers >= 0
        room = nobody(int(is_there.sum()), self.k)
        known = min(self.k, neighbours.shape[1])
        room.dots[:, :known], room.numbers[:, :known] = found.dots[is_there, :known], neighbours[is_there, :known]
        return Found(numbers[is_there], room)

    def new_rows(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int8]]]:
        """Numbers and codes of all that are new."""
        for start in range(0, len(self.is_new), NUMBERS_AT_ONCE):
            numbers = start + np.flatnonzero(self.is_new[start : start + NUMBERS_AT_ONCE])
            for first in range(0, len(numbers), ROWS_AT_ONCE):
                some = numbers[first : first + ROWS_AT_ONCE]
                yield some, self.vectors.take(some)


def meets_all(new: int, lists: int) -> bool:
    """Whether meeting all that are new costs less than looking for the nearest lists, to meet those in them.

    >>> meets_all(1000, 1024), meets_all(1_000_000, 1024)
    (True, False)
    """
    return new <= FINDING * lists
