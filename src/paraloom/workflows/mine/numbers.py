"""A run's vectors in, who is who out: sentences by number, numbers by sentence, lengths of vectors.

A sentence's number is its place among all kept sentences in the order of their ids, so nothing that is counted in
numbers depends on the order of files or on who did the work. The arrays lie on disk and are read where they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.lists import read_array
from paraloom.tables import ID_BYTES

if TYPE_CHECKING:
    import pyarrow as pa

FOLDER = "numbers"
STARTS, NORMS, KEYS = "starts.npy", "norms.npy", "keys.npy"
IDS_AT_ONCE = 1 << 16
"""So many ids are looked for at a time: they may be those of a whole run."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Numbers:
    """The numbers of a run's kept sentences."""

    starts: NDArray[np.int64]
    """The number that every part begins with, and behind the last part how many sentences there are."""
    norms: NDArray[np.int32]
    """The squared length of every sentence's code."""
    keys: NDArray[np.uint64]
    """Both halves of every sentence's id, in order."""

    @classmethod
    def of(cls, vectors: Path) -> Numbers:
        """Those of a folder of vectors; what is long stays on disk."""
        folder = vectors / FOLDER
        return cls(
            starts=read_array(folder / STARTS),
            norms=read_array(folder / NORMS, in_memory=False),
            keys=read_array(folder / KEYS, in_memory=False),
        )

    def __len__(self) -> int:
        return int(self.starts[-1])

    def parts_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The part that each of these sentences is in."""
        return np.searchsorted(self.starts, numbers, side="right").astype(np.int64) - 1

    def find(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The number of each of these ids; -1 where it is no sentence of the run."""
        found = np.full(keys.shape[1], -1, np.int64)
        if len(self):
            for start in range(0, len(found), IDS_AT_ONCE):
                found[start : start + IDS_AT_ONCE] = self._find(keys[:, start : start + IDS_AT_ONCE])
        return found

    def _find(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        high, low = self.keys
        last = len(high) - 1
        places = np.minimum(np.searchsorted(high, keys[0]), last)
        while (is_before := (high[places] == keys[0]) & (low[places] < keys[1]) & (places < last)).any():
            places[is_before] += 1  # ids whose first halves are the same: hardly ever there
        is_there = (high[places] == keys[0]) & (low[places] == keys[1])
        return np.where(is_there, places, -1).astype(np.int64)

    def ids(self, numbers: NDArray[np.int64]) -> list[str]:
        """The ids of these sentences."""
        halves = np.ascontiguousarray(self.keys[:, numbers].T).astype(">u8")
        digits = halves.tobytes().hex()
        return [digits[start : start + 2 * ID_BYTES] for start in range(0, len(digits), 2 * ID_BYTES)]


def keys_of(ids: pa.ChunkedArray | pa.Array | Sequence[str]) -> NDArray[np.uint64]:
    """Ids as two rows of numbers that are ordered as the ids are.

    >>> keys_of(["0000000000000001000000000000000f"]).tolist()
    [[1], [15]]
    """
    texts = ids if isinstance(ids, list | tuple) else ids.to_pylist()  # type: ignore[union-attr]
    halves = np.frombuffer(bytes.fromhex("".join(texts)), ">u8").reshape(-1, 2)
    return np.ascontiguousarray(halves.T).astype(np.uint64)


def write_numbers(
    target: Path, starts: Sequence[int], parts: Iterable[tuple[NDArray[np.int32], NDArray[np.uint64]]]
) -> None:
    """The folder that `Numbers.of` reads, from every part's lengths and keys; memory holds a part at a time."""
    target.mkdir()
    np.save(target / STARTS, np.asarray(starts, np.int64))
    count = starts[-1]
    with (target / NORMS).open("wb") as norms_file, (target / KEYS).open("wb") as keys_file:
        begin_array(norms_file, np.int32, (count,))
        first = begin_array(keys_file, np.uint64, (2, count))
        for start, (norms, keys) in zip(starts[:-1], parts, strict=True):
            norms_file.write(np.ascontiguousarray(norms, np.int32).data)
            for half, values in enumerate(keys):
                keys_file.seek(first + (half * count + start) * values.itemsize)
                keys_file.write(np.ascontiguousarray(values, np.uint64).data)


def begin_array(file: BinaryIO, kind: type[np.generic], shape: tuple[int, ...]) -> int:
    """Write what a NumPy file begins with, and give where its numbers follow."""
    described = np.lib.format.dtype_to_descr(np.dtype(kind))
    np.lib.format.write_array_header_1_0(file, {"descr": described, "fortran_order": False, "shape": shape})
    return file.tell()
