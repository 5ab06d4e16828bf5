"""A small file in, what it adds to a language model's matrices out: two thin matrices for each (Hu et al., 2022, LoRA).

Stored in 8 bits, both with the rank as their rows, so that a scale is kept for each of a few rows only.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from paraloom.errors import InputError
from paraloom.models.int8 import Int8File, write_int8
from paraloom.models.language_models.gguf import Floats

LEFT, RIGHT = ".left", ".right"

Update = Mapping[str, tuple[Floats, Floats]]
"""For a matrix's name the two that are multiplied and added to it: rows × rank, rank × columns."""


def write_adapter(update: Update, file: Path) -> None:
    """In 8 bits."""
    tensors = {}
    for name, (left, right) in update.items():
        if left.shape[1] != right.shape[0]:
            raise ValueError(f"{name} is changed by {left.shape} and {right.shape}, which cannot be multiplied.")
        tensors[name + LEFT] = np.ascontiguousarray(left.T, np.float32)
        tensors[name + RIGHT] = np.ascontiguousarray(right, np.float32)
    write_int8(tensors, file)


def read_adapter(file: Path) -> dict[str, tuple[Floats, Floats]]:
    """Back in 32 bits."""
    stored = Int8File(file)
    names = sorted({name.removesuffix(LEFT).removesuffix(RIGHT) for name in stored})
    if missing := next((name for name in names if name + LEFT not in stored or name + RIGHT not in stored), None):
        raise InputError(f"{file} has one of two matrices for {missing}. Install Paraloom again, or train it anew.")
    update = {name: (stored[name + LEFT].T, stored[name + RIGHT]) for name in names}
    for name, (left, right) in update.items():
        if left.ndim != 2 or right.ndim != 2 or left.shape[1] != right.shape[0]:
            raise InputError(
                f"{file} changes {name} by {left.shape} times {right.shape}, which are no two matrices that can be "
                "multiplied. Install Paraloom again, or train it anew."
            )
    return update
