"""A GGUF file in, its settings and its tensors out, in 32 bits.

The format of llama.cpp's model files, versions 2 and 3: a header, settings by name, descriptions of tensors, and their
numbers, which stay on disk until they are asked for.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
BLOCK = 32
"""Numbers that share a scale in the quantised formats read here."""
MOST_DIMENSIONS = 4

_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""Struct's letter for each type of a setting that is one number."""
_STRING, _LIST = 8, 9

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How a tensor's numbers are stored."""

    name: str
    numbers: int
    """So many numbers are stored together …"""
    size: int
    """… in so many bytes."""
    read: Callable[[NDArray[np.uint8]], Floats]
    """Columns of bytes, one for what is stored together, to columns of numbers: NumPy is quick along long rows."""


def _halves(stored: NDArray[np.uint8], start: int) -> Floats:
    return np.ascontiguousarray(stored[start : start + 2].T).view(np.float16)[:, 0].astype(np.float32)


def _nibbles(stored: NDArray[np.uint8], start: int) -> NDArray[np.uint8]:
    """Sixteen bytes hold the first sixteen numbers in their low halves and the others in their high ones."""
    packed = stored[start : start + BLOCK // 2]
    return np.concatenate([packed & 15, packed >> 4])


def _read_q4_0(stored: NDArray[np.uint8]) -> Floats:
    return (_nibbles(stored, 2).view(np.int8) - np.int8(8)) * _halves(stored, 0)


def _read_q4_1(stored: NDArray[np.uint8]) -> Floats:
    numbers = _nibbles(stored, 4) * _halves(stored, 0)
    numbers += _halves(stored, 2)
    return numbers


def _read_q8_0(stored: NDArray[np.uint8]) -> Floats:
    return stored[2:].view(np.int8) * _halves(stored, 0)


def _read_plain(kind: type[np.floating[Any]]) -> Callable[[NDArray[np.uint8]], Floats]:
    return lambda stored: np.ascontiguousarray(stored.T).view(kind).astype(np.float32, copy=False).T


FORMATS = {
    0: Format(name="F32", numbers=1, size=4, read=_read_plain(np.float32)),
    1: Format(name="F16", numbers=1, size=2, read=_read_plain(np.float16)),
    2: Format(name="Q4_0", numbers=BLOCK, size=18, read=_read_q4_0),
    3: Format(name="Q4_1", numbers=BLOCK, size=20, read=_read_q4_1),
    8: Format(name="Q8_0", numbers=BLOCK, size=34, read=_read_q8_0),
}
"""By the number that stands for it in a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Described:
    shape: tuple[int, ...]
    """As NumPy has it: the last dimension lies together."""
    kind: int
    offset: int


class GgufFile:
    """Settings and tensors of one file, by name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise InputError(f"{path} cannot be read as a GGUF file: {error}. Check the path.") from error
        reader = _Reader(self._bytes)
        try:
            self.settings, self._tensors = _read_header(reader)
        except (struct.error, UnicodeDecodeError, _BadFile) as error:
            raise InputError(f"{path} is no GGUF file that can be read: {error}. Download it again.") from error
        alignment = self.count("general.alignment", 32)
        self._start = -(-reader.place // alignment) * alignment

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def setting(self, name: str) -> Any:
        """A setting that must be there."""
        if name not in self.settings:
            raise InputError(f"{self.path} has no setting {name}, so it is no model that Paraloom can run.")
        return self.settings[name]

    def count(self, name: str, default: int | None = None) -> int:
        """A setting that is a whole number from 1 on; one that must be there where no default is given."""
        value = self.settings.get(name, default) if default is not None else self.setting(name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self._strange(name, value, "a whole number from 1 on")
        return value

    def positive(self, name: str, default: float | None = None) -> float:
        """The same for a number above zero."""
        value = self.settings.get(name, default) if default is not None else self.setting(name)
        if not isinstance(value, int | float) or not 0 < value < inf:
            raise self._strange(name, value, "a number above zero")
        return float(value)

    def text(self, name: str, default: str | None = None) -> str:
        """The same for a text."""
        value = self.settings.get(name, default) if default is not None else self.setting(name)
        if not isinstance(value, str):
            raise self._strange(name, value, "a text")
        return value

    def numbers(self, name: str) -> NDArray[Any]:
        """A setting that is a list of numbers; none where it is not there."""
        value = self.settings.get(name, [])
        if not isinstance(value, np.ndarray) and value != []:
            raise self._strange(name, value, "a list of numbers")
        return np.asarray(value)

    def texts(self, name: str) -> list[str]:
        """A setting that must be there and is a list of texts."""
        value = self.setting(name)
        if not isinstance(value, list):
            raise self._strange(name, value, "a list of texts")
        return value

    def _strange(self, name: str, value: object, wanted: str) -> InputError:
        said = f"{value!r:.40}"
        return InputError(f"{name} in {self.path} is {said} and must be {wanted}. Download the file again.")

    def shape(self, name: str) -> tuple[int, ...]:
        """A tensor's rows, columns and so on."""
        return self._described(name).shape

    def tensor(self, name: str) -> Floats:
        """A tensor's numbers."""
        layout, stored = self.stored(name)
        return np.ascontiguousarray(layout.read(stored.T).T).reshape(self.shape(name))

    def columns(self, name: str) -> Floats:
        """A tensor's numbers in columns of 32: the first of every 32, then the second of every 32, and so on."""
        layout, stored = self.stored(name)
        if layout.numbers == BLOCK:
            return layout.read(np.ascontiguousarray(stored.T))
        return np.ascontiguousarray(layout.read(stored.T).reshape(-1, BLOCK).T)

    def stored(self, name: str) -> tuple[Format, NDArray[np.uint8]]:
        """A tensor's format, and its bytes: a row for what is stored together."""
        described = self._described(name)
        if described.kind not in FORMATS:
            known = ", ".join(one.name for one in FORMATS.values())
            raise InputError(
                f"{name} of {self.path} is stored in a format that is not read here (number {described.kind}). "
                f"Give a file in one of {known}, or let a server run this one (--generator server)."
            )
        layout = FORMATS[described.kind]
        units, over = divmod(prod(described.shape), layout.numbers)
        start = self._start + described.offset
        if over or start + units * layout.size > len(self._bytes):
            raise InputError(f"{self.path} ends within {name}, or gives it a wrong shape. Download it again.")
        return layout, np.frombuffer(self._bytes, np.uint8, units * layout.size, start).reshape(units, layout.size)

    def _described(self, name: str) -> _Described:
        if name not in self._tensors:
            raise InputError(f"{self.path} has no tensor {name}, so it is no model that Paraloom can run.")
        return self._tensors[name]


class _BadFile(Exception):
    """What the header says cannot be."""


class _Reader:
    """Values one after the other."""

    def __init__(self, given: mmap.mmap) -> None:
        self._given = given
        self.place = 0

    def number(self, letter: str) -> Any:
        value = struct.unpack_from("<" + letter, self._given, self.place)[0]
        self.place += struct.calcsize("<" + letter)
        return value

    def raw(self, length: int) -> bytes:
        if length > len(self._given) - self.place:
            raise _BadFile("a text is longer than the file")
        self.place += length
        return self._given[self.place - length : self.place]

    def text(self) -> str:
        return self.raw(self.number("Q")).decode("utf-8")

    def value(self, kind: int) -> Any:
        if kind in _NUMBERS:
            return self.number(_NUMBERS[kind])
        if kind == _STRING:
            return self.text()
        if kind == _LIST:
            return self.values(self.number("I"), self.number("Q"))
        raise _BadFile(f"a setting has the unknown type {kind}")

    def values(self, kind: int, count: int) -> list[str] | NDArray[Any]:
        """A list: of texts, or of numbers as they lie in the file."""
        if count > len(self._given):
            raise _BadFile("a list is longer than the file")
        if kind == _STRING:
            return [self.text() for _ in range(count)]
        if kind not in _NUMBERS:
            raise _BadFile(f"a list has the type {kind}, which is not read here")
        numbers = np.dtype("<" + _NUMBERS[kind])
        return np.frombuffer(self.raw(count * numbers.itemsize), numbers)


def _read_header(reader: _Reader) -> tuple[dict[str, Any], dict[str, _Described]]:
    if reader.raw(4) != MAGIC:
        raise _BadFile("it does not begin with GGUF")
    if (version := reader.number("I")) not in VERSIONS:
        raise _BadFile(f"its version is {version}, not 2 or 3")
    tensors, settings = reader.number("Q"), reader.number("Q")
    found = {}
    for _ in range(settings):
        name = reader.text()
        found[name] = reader.value(reader.number("I"))
    described = {}
    for _ in range(tensors):
        name, dimensions = reader.text(), reader.number("I")
        if dimensions > MOST_DIMENSIONS:
            raise _BadFile(f"{name} has {dimensions} dimensions")
        shape = tuple(reader.number("Q") for _ in range(dimensions))[::-1]
        described[name] = _Described(shape=shape, kind=reader.number("I"), offset=reader.number("Q"))
    return found, described
