"""What a search has found, on disk: the neighbours of some sentences in a file, by number."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from os import SEEK_CUR
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.codes import similarities
from paraloom.models.neighbours.nearest import NOBODY

NAME_AND_MORE = 26
"""Where in the head of a file within a ZIP file the lengths of its name and of what follows it stand."""


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """The neighbours of some sentences: a row a sentence, its number, those of its neighbours, and the products."""

    numbers: NDArray[np.int64]
    neighbours: NDArray[np.int64]
    dots: NDArray[np.int32]

    @property
    def is_there(self) -> NDArray[np.bool_]:
        """Where there is a neighbour."""
        return np.asarray(self.neighbours != NOBODY)

    def similarities(self, norms: NDArray[np.int32]) -> NDArray[np.float64]:
        """The cosine with each neighbour; of one that there is not, it says nothing."""
        return similarities(self.dots, norms[self.numbers][:, None], norms[np.maximum(self.neighbours, 0)])

    def write(self, target: Path) -> None:
        """One file; numbers take four bytes where that is enough."""
        largest = max(self.numbers.max(initial=0), self.neighbours.max(initial=0))
        kind = np.int32 if largest <= np.iinfo(np.int32).max else np.int64
        numbers, neighbours = self.numbers.astype(kind), self.neighbours.astype(kind)
        with target.open("wb") as file:
            np.savez(file, numbers=numbers, neighbours=neighbours, dots=self.dots)

    @classmethod
    def read(cls, file: Path) -> Nearest:
        """What was written."""
        with np.load(file, allow_pickle=False) as arrays:
            numbers, neighbours = (arrays[name].astype(np.int64) for name in ("numbers", "neighbours"))
            return cls(numbers, neighbours, arrays["dots"])


def read_rows(file: Path, rows: NDArray[np.int64]) -> Nearest:
    """Some rows of a file; of it no more is read than the pages they lie on."""
    numbers, neighbours, dots = (_on_disk(file, name)[rows] for name in ("numbers", "neighbours", "dots"))
    return Nearest(numbers.astype(np.int64), neighbours.astype(np.int64), dots)


def rows_in(file: Path) -> int:
    """How many sentences a file has; no more of it is read than what says so."""
    return len(_on_disk(file, "numbers"))


def _on_disk(file: Path, name: str) -> NDArray[Any]:
    """An array of a file, where it lies."""
    with ZipFile(file) as packed, file.open("rb") as opened:
        part = packed.getinfo(f"{name}.npy")
        assert part.compress_type == ZIP_STORED, "it was written so"
        opened.seek(part.header_offset + NAME_AND_MORE)
        opened.seek(sum(struct.unpack("<HH", opened.read(4))), SEEK_CUR)
        np.lib.format.read_magic(opened)
        shape, _, kind = np.lib.format.read_array_header_1_0(opened)
        start = opened.tell()
    return np.memmap(file, kind, "r", start, shape) if math.prod(shape) else np.empty(shape, kind)


def neighbour_files(folder: Path) -> list[Path]:
    """The files of a folder of neighbours, in order."""
    return sorted(folder.glob("*.npz"))
