"""Files of an old torch are read without torch, as torch reads them, and no code in them is run."""

from __future__ import annotations

import argparse
import os
import pickle
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.torch_pickle import read_torch_pickle


def save(value: object, file: Path) -> Path:
    torch.save(value, file, _use_new_zipfile_serialization=False)
    return file


def test_tensors_come_out_as_torch_put_them_in(tmp_path: Path) -> None:
    torch.manual_seed(1)
    table = torch.randn(5, 4)
    saved = {
        "state": OrderedDict(weight=table, transposed=table.T, row=table[2], halves=torch.randn(3).half()),
        "numbers": [torch.arange(6).reshape(2, 3), torch.zeros(0, 4), torch.tensor(7.5, dtype=torch.float64)],
        "words": {"▁the": 1, "雨": 2},
        "settings": argparse.Namespace(dim=4, lower=True, file=None),
        "pair": (1, "two"),
    }
    found = read_torch_pickle(save(saved, tmp_path / "model.pt"))
    for name, tensor in saved["state"].items():
        np.testing.assert_array_equal(found["state"][name], tensor.numpy())
        assert found["state"][name].dtype == tensor.numpy().dtype
    for array, tensor in zip(found["numbers"], saved["numbers"], strict=True):
        np.testing.assert_array_equal(array, tensor.numpy())
    assert found["words"] == saved["words"]
    assert found["settings"] == {"dim": 4, "lower": True, "file": None}
    assert found["pair"] == (1, "two")


class Harmful:
    """Unpickled without care, it makes a folder."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self):
        return (os.mkdir, (str(self.trace),))


def test_code_in_a_file_is_not_run(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    file = save({"state": Harmful(trace)}, tmp_path / "model.pt")
    with pytest.raises(InputError, match=r"names posix\.mkdir"):
        read_torch_pickle(file)
    assert not trace.exists()
    file.write_bytes(pickle.dumps(Harmful(trace)))
    with pytest.raises(InputError, match=r"names posix\.mkdir"):
        read_torch_pickle(file)
    assert not trace.exists()
    pickle.loads(file.read_bytes())
    assert trace.exists()  # so it would have been


def test_other_files_are_refused(tmp_path: Path) -> None:
    torch.save({"a": torch.ones(2)}, tmp_path / "new.pt")
    with pytest.raises(InputError, match="not a file of tensors"):
        read_torch_pickle(tmp_path / "new.pt")
    (tmp_path / "other.pt").write_bytes(pickle.dumps(3))
    with pytest.raises(InputError, match="does not begin as such a file does"):
        read_torch_pickle(tmp_path / "other.pt")


def test_a_file_cut_short_is_refused_wherever_it_was_cut(tmp_path: Path) -> None:
    whole = save({"a": torch.ones(50)}, tmp_path / "model.pt").read_bytes()
    for length in range(0, len(whole), 7):
        (tmp_path / "cut.pt").write_bytes(whole[:length])
        with pytest.raises(InputError, match="not a file of tensors"):
            read_torch_pickle(tmp_path / "cut.pt")


def test_a_tensor_that_reaches_beyond_its_numbers_is_refused(tmp_path: Path) -> None:
    file = save({"a": torch.ones(3, 5)}, tmp_path / "model.pt")
    sizes = b"K\x03K\x05\x86"  # the pickle's (3, 5)
    assert sizes in file.read_bytes()
    file.write_bytes(file.read_bytes().replace(sizes, b"K\xffK\x05\x86"))
    with pytest.raises(InputError, match="reaches beyond its storage"):
        read_torch_pickle(file)
