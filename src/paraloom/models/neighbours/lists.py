"""Centroids and where cells begin: how an index divides the space. Read and written; rows are laid into lists by it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import unfinished_name
from paraloom.errors import EngineError

CENTROIDS = "centroids.npy"
STARTS = "starts.npy"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Lists:
    """One list of sentences around every centroid. Neighbouring lists have neighbouring numbers; a cell is a range."""

    centroids: NDArray[np.int8]
    """A row a list."""
    starts: NDArray[np.int64]
    """The first list of every cell, and behind the last cell the number of lists."""

    def __len__(self) -> int:
        return len(self.centroids)

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return len(self.starts) - 1

    def lists_of(self, cell: int) -> range:
        """The lists of a cell."""
        return range(int(self.starts[cell]), int(self.starts[cell + 1]))

    def cells_of(self, lists: NDArray[Any]) -> NDArray[np.int64]:
        """The cell that each of these lists is in."""
        return np.searchsorted(self.starts, lists, side="right").astype(np.int64) - 1


def write_array(target: Path, array: NDArray[Any]) -> None:
    """A NumPy file, whole or absent."""
    unfinished = unfinished_name(target)
    with unfinished.open("wb") as file:
        np.save(file, array, allow_pickle=False)
    unfinished.replace(target)


def read_array(file: Path, *, in_memory: bool = True) -> NDArray[Any]:
    """A NumPy file; an error that names it where it is torn."""
    try:
        array: NDArray[Any] = np.load(file, mmap_mode=None if in_memory else "r", allow_pickle=False)
    except OSError:  # it is not there, or there are too many open files, or the disk fails: it says so itself
        raise
    except (ValueError, EOFError) as torn:
        raise EngineError(f"{file} is damaged or not whole ({torn}). Delete it and make it again.") from torn
    return array


def write_lists(folder: Path, lists: Lists) -> None:
    """Write how an index divides the space into its folder."""
    write_array(folder / STARTS, lists.starts)
    write_array(folder / CENTROIDS, lists.centroids)


def read_lists(folder: Path) -> Lists:
    """How the index in a folder divides the space."""
    return Lists(centroids=read_array(folder / CENTROIDS), starts=read_array(folder / STARTS))
