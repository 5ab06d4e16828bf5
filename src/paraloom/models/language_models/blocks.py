"""A matrix of a GGUF file in, the same as 8-bit numbers out, with a scale for every 32 of a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.language_models.gguf import BLOCK, Floats, GgufFile

MIDDLE = 128
"""What stands for zero where 8-bit numbers are stored without a sign."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Blocks:
    """A matrix as 8-bit numbers, with a scale for every 32 of a row."""

    numbers: NDArray[np.uint8]
    """Rows × blocks × 32; 128 is zero."""
    scales: Floats
    """Rows × blocks."""

    @classmethod
    def of(cls, matrix: Floats) -> Blocks:
        """The matrix to the nearest of 255 values in each block.

        >>> blocks = Blocks.of(np.linspace(-1, 1, 64, dtype=np.float32).reshape(2, 32))
        >>> bool(np.abs(blocks.rows(np.array([0, 1])) - np.linspace(-1, 1, 64).reshape(2, 32)).max() < 0.005)
        True
        """
        return cls._of_columns(np.ascontiguousarray(matrix.reshape(-1, BLOCK).T, np.float32), len(matrix))

    @classmethod
    def _of_columns(cls, columns: Floats, rows: int) -> Blocks:
        """Of a matrix whose blocks are columns, which is written over."""
        largest = np.maximum(columns.max(axis=0), -columns.min(axis=0))
        if not np.isfinite(largest).all():
            raise InputError("A matrix of the model holds what is no number. Download the model again.")
        scales = np.where(largest > 0, largest / np.float32(127), np.float32(1))
        scales[scales == 0] = 1  # too small for 32 bits
        columns /= scales
        np.rint(columns, out=columns)
        columns += MIDDLE
        numbers = np.ascontiguousarray(columns.astype(np.uint8).T)
        return cls(numbers=numbers.reshape(rows, -1, BLOCK), scales=scales.reshape(rows, -1))

    def rows(self, chosen: NDArray[np.int64]) -> Floats:
        """Some rows in 32 bits."""
        numbers = self.numbers[chosen].astype(np.float32) - MIDDLE
        return (numbers * self.scales[chosen][..., None]).reshape(*chosen.shape, -1)


def read_blocks(file: GgufFile, name: str, change: tuple[Floats, Floats] | None = None) -> Blocks:
    """A file's matrix, with the product of two thin ones (rows × rank, rank × columns) added where they are given.

    What is stored in 8-bit blocks and stays as it is is taken over to the bit.
    """
    layout, stored = file.stored(name)
    rows = file.shape(name)[0]
    if layout.name == "Q8_0" and change is None:
        numbers = (stored[:, 2:] ^ np.uint8(MIDDLE)).reshape(rows, -1, BLOCK)
        scales = np.ascontiguousarray(stored[:, :2]).view(np.float16).astype(np.float32).reshape(rows, -1)
        if not np.isfinite(scales).all():
            raise InputError(f"{name} of {file.path} holds what is no number. Download the model again.")
        return Blocks(numbers=numbers, scales=scales)
    columns = file.columns(name)
    if change is not None:
        left, right = change
        by_place = np.ascontiguousarray(right.reshape(len(right), -1, BLOCK).transpose(2, 0, 1))
        columns += (np.ascontiguousarray(left) @ by_place).reshape(BLOCK, -1)
    return Blocks._of_columns(columns, rows)
