"""Adapters: written in 8 bits, read back as they were, refused where half of one is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.int8 import write_int8
from paraloom.models.language_models.adapter import read_adapter, write_adapter

RNG = np.random.default_rng(1)


def matrix(rows: int, columns: int) -> np.ndarray:
    return RNG.standard_normal((rows, columns)).astype(np.float32)


def test_what_is_written_comes_back_to_within_8_bits(tmp_path: Path) -> None:
    update = {f"blk.{layer}.attn_q": (matrix(64, 4), matrix(4, 96)) for layer in range(2)}
    write_adapter(update, tmp_path / "adapter.safetensors")
    read = read_adapter(tmp_path / "adapter.safetensors")
    assert read.keys() == update.keys()
    for name, (left, right) in update.items():
        assert np.abs(read[name][0] - left).max() <= np.abs(left).max() / 254 * 1.001
        assert np.abs(read[name][1] - right).max() <= np.abs(right).max() / 254 * 1.001
        assert np.corrcoef((read[name][0] @ read[name][1]).ravel(), (left @ right).ravel())[0, 1] > 0.999


def test_matrices_that_cannot_be_multiplied_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be multiplied"):
        write_adapter({"blk.0.attn_q": (matrix(64, 4), matrix(5, 96))}, tmp_path / "adapter.safetensors")


def test_half_an_adapter_and_no_adapter_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "adapter.safetensors"
    with pytest.raises(InputError, match="no weights"):
        read_adapter(file)
    write_int8({"blk.0.attn_q.left": matrix(4, 64)}, file)
    with pytest.raises(InputError, match=r"one of two matrices for blk.0.attn_q"):
        read_adapter(file)
    file.write_bytes(b"no adapter")
    with pytest.raises(InputError, match="cannot be read"):
        read_adapter(file)


@pytest.mark.parametrize("left", [np.ones(64), np.ones((1, 1, 64)), np.ones((2, 64))])
def test_what_is_no_two_matrices_that_can_be_multiplied_is_an_error(tmp_path: Path, left: np.ndarray) -> None:
    file = tmp_path / "adapter.safetensors"
    write_int8({"blk.0.attn_q.left": left.astype(np.float32), "blk.0.attn_q.right": matrix(1, 64)}, file)
    with pytest.raises(InputError, match=r"changes blk.0.attn_q by .* multiplied.*train it anew"):
        read_adapter(file)
