"""A file saved by an old torch in, what it holds out, its tensors as NumPy arrays: no torch, and no code is run.

A pickle may name any function to be called. Here only what a file of tensors needs is known, anything else is refused:
ordered dicts, argparse's namespace (as a dict), tensors and their storages.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

MAGIC = 0x1950A86A20F9469CFC6C
"""The first thing in a file that torch wrote before version 1.6."""

STORAGES: dict[str, np.dtype[Any]] = {
    "FloatStorage": np.dtype("<f4"),
    "DoubleStorage": np.dtype("<f8"),
    "HalfStorage": np.dtype("<f2"),
    "LongStorage": np.dtype("<i8"),
    "IntStorage": np.dtype("<i4"),
}
"""torch's name for a row of numbers, and how they lie in the file."""


class _Tensor:
    """A tensor whose numbers come later in the file."""

    def __init__(self, storage: Any, offset: int, size: tuple[int, ...], stride: tuple[int, ...], *_: Any) -> None:
        self.key, self.kind = storage
        self.offset, self.size, self.stride = offset, size, stride

    def filled(self, storages: dict[str, NDArray[Any]]) -> NDArray[Any]:
        """The tensor with its numbers, in memory of its own."""
        numbers = storages[self.key]
        last = self.offset + sum((length - 1) * step for length, step in zip(self.size, self.stride, strict=True))
        if 0 in self.size:
            return np.zeros(self.size, numbers.dtype)
        if min((self.offset, *self.stride, *self.size)) < 0 or last >= len(numbers):
            raise pickle.UnpicklingError("a tensor reaches beyond its storage")
        steps = [step * numbers.itemsize for step in self.stride]
        return np.lib.stride_tricks.as_strided(numbers[self.offset :], self.size, steps, writeable=False).copy()


class _Namespace(dict[str, Any]):
    """argparse's namespace, as a dict."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.update(state)


KNOWN: dict[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("argparse", "Namespace"): _Namespace,
    ("torch._utils", "_rebuild_tensor_v2"): _Tensor,
} | {("torch", name): kind for name, kind in STORAGES.items()}


class _Unpickler(pickle.Unpickler):
    """Knows the names in `KNOWN` and no other."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in KNOWN:
            raise pickle.UnpicklingError(f"it names {module}.{name}, which a file of tensors does not need")
        return KNOWN[module, name]

    def persistent_load(self, given: Any) -> tuple[str, np.dtype[Any]]:
        match given:
            case ("storage", np.dtype() as kind, str(key), str(), int(), None):
                return key, kind
        raise pickle.UnpicklingError(f"it holds a storage that is not known here: {given!r}")


def read_torch_pickle(file: Path) -> Any:
    """What `torch.save` wrote into the file, with arrays in place of tensors."""
    with file.open("rb") as opened:
        try:
            if _Unpickler(opened).load() != MAGIC:
                raise pickle.UnpicklingError("it does not begin as such a file does")
            _Unpickler(opened).load()  # the format's version
            if not _Unpickler(opened).load().get("little_endian", False):
                raise pickle.UnpicklingError("its numbers are big-endian")
            saved = _Unpickler(opened)
            value = saved.load()
            storages = _read_storages(opened, value)
            return _filled(value, storages)
        except (pickle.UnpicklingError, EOFError, ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
            raise InputError(f"{file} is not a file of tensors as old versions of torch wrote it: {error}.") from error


def _read_storages(opened: BinaryIO, value: Any) -> dict[str, NDArray[Any]]:
    """The rows of numbers at the end of the file: for each key how many, then the numbers."""
    kinds = {tensor.key: tensor.kind for tensor in _tensors_in(value)}
    found = {}
    for key in _Unpickler(opened).load():
        count = int.from_bytes(opened.read(8), "little")
        size = count * kinds[key].itemsize
        data = opened.read(size)
        if len(data) != size:
            raise pickle.UnpicklingError("it ends too early")
        found[key] = np.frombuffer(data, kinds[key])
    return found


def _tensors_in(value: Any) -> list[_Tensor]:
    if isinstance(value, _Tensor):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [tensor for one in inner for tensor in _tensors_in(one)]


def _filled(value: Any, storages: dict[str, NDArray[Any]]) -> Any:
    """The same with arrays for tensors, and plain dicts."""
    if isinstance(value, _Tensor):
        return value.filled(storages)
    if isinstance(value, dict):
        return {key: _filled(one, storages) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_filled(one, storages) for one in value)
    return value
