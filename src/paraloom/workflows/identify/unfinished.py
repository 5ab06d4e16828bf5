"""A file to be written in, a folder beside it out that holds what is done so far: rows, and a journal of scores.

The file itself is whole or absent. Killed at any moment, the same command finds the scores again that were journalled
and computes only the others.
"""

from __future__ import annotations

import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from paraloom.engine.store import alone_in
from paraloom.errors import InputError

ROWS = "rows"
JOURNAL = "scores.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfinished:
    """The folder of one file that is being written."""

    folder: Path
    target: Path

    @property
    def rows(self) -> Path:
        return self.folder / ROWS

    def journal(self, identity: dict[str, Any]) -> Journal:
        """The journal of work with this identity; what other work has left is forgotten."""
        return Journal.open(self.folder / JOURNAL, identity)

    def publish(self, file: BinaryIO) -> None:
        """The rows become the target, at once."""
        file.flush()
        os.fsync(file.fileno())
        self.rows.replace(self.target)  # a file is either whole or absent
        shutil.rmtree(self.folder)


@contextmanager
def unfinished_beside(target: Path) -> Iterator[Unfinished]:
    """The folder `.NAME.unfinished`, for this process alone; left behind where the work ends early."""
    if target.is_dir():
        raise InputError(f"{target} is a folder. Give --out a file.")
    if not target.parent.is_dir():
        raise InputError(f"There is no folder {target.parent} to write {target.name} into. Make it first.")
    folder = target.with_name(f".{target.name}.unfinished")
    folder.mkdir(exist_ok=True)
    with alone_in(folder):
        yield Unfinished(folder=folder, target=target)


class Journal:
    """Results of blocks, one a line with its checksum: what a kill has cut off is not taken for a result."""

    def __init__(self, file: BinaryIO, whole: int) -> None:
        self.file = file
        self.whole = whole
        """How many blocks it held when it was opened."""

    @classmethod
    def open(cls, path: Path, identity: dict[str, Any]) -> Journal:
        """Go on behind the last whole line, if the first one names the same work; else begin anew."""
        first = _line(identity)
        with path.open("ab"):
            pass
        file = path.open("r+b")
        if file.readline() != first:
            file.seek(0)
            file.truncate()
            file.write(first)
            file.flush()
            return cls(file, 0)
        whole, end = 0, file.tell()
        for line in file:
            if _value(line) is None:
                break
            whole, end = whole + 1, end + len(line)
        file.truncate(end)
        file.seek(len(first))
        return cls(file, whole)

    def read(self) -> Any:
        """The next of the blocks it held."""
        return _value(self.file.readline())

    def add(self, result: Any) -> None:
        """Note a block behind all others."""
        self.file.seek(0, os.SEEK_END)
        self.file.write(_line(result))
        self.file.flush()

    def close(self) -> None:
        self.file.close()


def _line(value: Any) -> bytes:
    written = orjson.dumps(value)
    return b"%08x %s\n" % (zlib.crc32(written), written)


def _value(line: bytes) -> Any:
    """What was noted; None where the line is not whole."""
    checksum, _, written = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(written):
        return None
    return orjson.loads(written)
