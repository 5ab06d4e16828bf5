"""Weights in 8 bits come back nearly as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from paraloom.errors import InputError
from paraloom.models.int8 import quantise, read_int8, write_int8

MATRICES = arrays(np.float32, array_shapes(min_dims=2, max_dims=2), elements=st.floats(-100, 100, width=32))


@given(MATRICES)
def test_no_number_moves_by_more_than_half_a_step_of_its_row(matrix: np.ndarray) -> None:
    numbers, scale = quantise(matrix)
    assert numbers.dtype == np.int8
    assert (np.abs(numbers * scale - matrix) <= scale * (0.5 + 1e-3)).all()


def test_a_file_keeps_vectors_whole_and_matrices_in_a_quarter(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    tensors = {
        "table": rng.normal(size=(300, 64)).astype(np.float32),
        "bias": rng.normal(size=64).astype(np.float32),
    }
    write_int8(tensors, tmp_path / "w.safetensors")
    back = read_int8(tmp_path / "w.safetensors")
    assert set(back) == {"table", "bias"}
    assert all(tensor.dtype == np.float32 for tensor in back.values())
    np.testing.assert_array_equal(back["bias"], tensors["bias"])
    np.testing.assert_allclose(back["table"], tensors["table"], atol=np.abs(tensors["table"]).max() / 250)
    assert (tmp_path / "w.safetensors").stat().st_size < tensors["table"].nbytes * 0.35


def test_weights_that_are_not_there_or_damaged_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There are no weights"):
        read_int8(tmp_path / "w.safetensors")
    (tmp_path / "w.safetensors").write_bytes(b"\x00" * 40)
    with pytest.raises(InputError, match="cannot be read"):
        read_int8(tmp_path / "w.safetensors")
