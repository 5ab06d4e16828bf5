"""Tensors in, the same in a quarter of the space out, and back: 8-bit weights with one scale a row.

Read back into 32 bits, or taken as they are by a graph that multiplies in 8 (`encoders/int8_graph.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

SMALLEST = 1e-30
"""A row below it is zeros: 32 bits cannot hold its scale."""

SCALE = ".scale"
"""Ends the name of the tensor that holds another's scales."""


def quantise(tensor: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix as 8-bit numbers from -127 to 127, and the scale of each row.

    >>> numbers, scale = quantise(np.array([[0.5, -1.0], [0.0, 0.0]], np.float32))
    >>> numbers.tolist(), (numbers * scale).round(2).tolist()[1]
    ([[64, -127], [0, 0]], [0.0, 0.0])
    """
    largest = np.abs(tensor).max(axis=-1, keepdims=True)
    scale = np.where(largest > SMALLEST, largest / 127, 1).astype(np.float32)
    return np.rint(tensor / scale).astype(np.int8), scale


def write_int8(tensors: Mapping[str, NDArray[np.float32]], file: Path) -> None:
    """Matrices in 8 bits, vectors (norms, biases: a hundredth of the size) in 32."""
    from safetensors.numpy import save_file

    stored: dict[str, NDArray[np.generic]] = {}
    for name, tensor in sorted(tensors.items()):
        if tensor.ndim == 2:
            stored[name], stored[name + SCALE] = quantise(tensor)
        else:
            stored[name] = np.ascontiguousarray(tensor, np.float32)
    save_file(stored, file)


class Int8File(Mapping[str, NDArray[np.float32]]):
    """The tensors of a file by name, each read and brought to 32 bits when it is asked for."""

    def __init__(self, file: Path) -> None:
        from safetensors import SafetensorError, safe_open

        if not file.is_file():
            raise InputError(f"There are no weights {file}. Install Paraloom again, or save the model anew.")
        try:
            opened: Any = safe_open(file, framework="numpy")
            everything: list[str] = list(opened.keys())
        except SafetensorError as error:
            raise InputError(
                f"{file} cannot be read: {error}. Install Paraloom again, or save the model anew."
            ) from error
        self._file = opened
        self._names = [name for name in everything if not name.endswith(SCALE)]
        self._scaled = {name + SCALE for name in self._names} & set(everything)

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        if name + SCALE in self._scaled:
            numbers, scale = self.whole_numbers(name)
            return numbers * scale
        if name not in self._names:
            raise KeyError(name)
        return np.asarray(self._file.get_tensor(name), np.float32)

    def whole_numbers(self, name: str) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
        """A matrix as it is stored, and the scale of each row."""
        if name + SCALE not in self._scaled:
            raise InputError(f"The model has no tensor {name} in 8 bits. Save the model anew.")
        return self._file.get_tensor(name), self._file.get_tensor(name + SCALE)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def numbers(self) -> int:
        """How many numbers all tensors hold together, their scales left out."""
        shapes: list[list[int]] = [self._file.get_slice(name).get_shape() for name in self._names]
        return sum(math.prod(shape) for shape in shapes)


def read_int8(file: Path) -> dict[str, NDArray[np.float32]]:
    """The tensors in 32 bits."""
    return dict(Int8File(file))
