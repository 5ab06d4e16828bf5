"""Tensors in, the same in a quarter of the space out, and back: 8-bit weights with one scale a row.

Only what is stored is rounded; a model computes in 32 bits with the weights read back. On most processors that is as
fast as 8-bit arithmetic, and the answers differ from the unrounded model's in the third decimal.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

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


def read_int8(file: Path) -> dict[str, NDArray[np.float32]]:
    """The tensors in 32 bits."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    if not file.is_file():
        raise InputError(f"There are no weights {file}. Install Paraloom again, or save the model anew.")
    try:
        stored = load_file(file)
    except SafetensorError as error:
        raise InputError(f"{file} cannot be read: {error}. Install Paraloom again, or save the model anew.") from error
    return {
        name: (tensor * stored[name + SCALE] if name + SCALE in stored else tensor).astype(np.float32, copy=False)
        for name, tensor in stored.items()
        if not name.endswith(SCALE)
    }
