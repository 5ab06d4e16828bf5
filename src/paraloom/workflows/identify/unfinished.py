"""A file to be written in, a folder beside it out that holds what is done so far: rows, and a journal of scores.

The file itself is whole or absent. Killed at any moment, the same command finds the scores again that were journalled
and computes only the others.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from paraloom.engine.checked_lines import checked_line, checked_value
from paraloom.engine.store import alone_in
from paraloom.errors import InputError, TargetTaken

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

    def drop_if_empty(self) -> None:
        """Without the scores of a single block there is nothing to go on from."""
        if not _blocks_in(self.folder / JOURNAL):
            shutil.rmtree(self.folder, ignore_errors=True)


def check_target(target: Path, *, given: Path | None = None, overwrite: bool = False, option: str = "--out") -> None:
    """Refuse a file that cannot or must not be written: the given one itself, or, unless told so, one that is there."""
    if target.is_dir():
        raise InputError(f"{target} is a folder. Give {option} a file.")
    if not target.parent.is_dir():
        raise InputError(f"There is no folder {target.parent} to write {target.name} into. Make it first.")
    if not target.exists():
        return
    if given is not None and given.exists() and target.samefile(given):
        raise InputError(f"{option} {target} is the file of pairs itself. Give {option} another one.")
    if not target.is_file():
        raise InputError(f"{target} is no plain file. Give {option} a file, or - for standard output.")
    if not overwrite:
        raise TargetTaken(f"{target} is there already. Choose another {option}, or replace it with --overwrite.")


@contextmanager
def writing_to(target: str) -> Iterator[None]:
    """What the system says against writing becomes an error of ours, with the name that was given (`-`: a pipe)."""
    try:
        yield
    except BrokenPipeError:  # whoever read the rows has seen enough
        raise
    except OSError as error:
        name = "to standard output" if target == "-" else target
        raise InputError(
            f"Cannot write {name}: {error.strerror or error}. Mend that and give the same command again, or choose "
            "another --out."
        ) from error


@contextmanager
def unfinished_beside(target: Path) -> Iterator[Unfinished]:
    """The folder `.NAME.unfinished`, for this process alone; left behind where the work ends early.

    A link is followed: what it leads to is replaced, and the link stays one.
    """
    target = target.resolve()
    folder = target.with_name(f".{target.name}.unfinished")
    folder.mkdir(exist_ok=True)
    unfinished = Unfinished(folder=folder, target=target)
    with alone_in(folder):
        try:
            yield unfinished
        except BaseException:
            unfinished.drop_if_empty()
            raise


class Journal:
    """Results of blocks, one a line with its checksum: what a kill has cut off is not taken for a result."""

    def __init__(self, file: BinaryIO, whole: int) -> None:
        self.file = file
        self.whole = whole
        """How many blocks it held when it was opened."""

    @classmethod
    def open(cls, path: Path, identity: dict[str, Any]) -> Journal:
        """Go on behind the last whole line, if the first one names the same work; else begin anew."""
        first = checked_line(identity)
        with path.open("ab"):
            pass
        file = path.open("r+b")
        if file.readline() != first:
            file.seek(0)
            file.truncate()
            file.write(first)
            file.flush()
            return cls(file, 0)
        whole, end = _whole_lines(file)
        file.truncate(end)
        file.seek(len(first))
        return cls(file, whole)

    def read(self) -> Any:
        """The next of the blocks it held."""
        return checked_value(self.file.readline())

    def add(self, result: Any) -> None:
        """Note a block behind all others."""
        self.file.seek(0, os.SEEK_END)
        self.file.write(checked_line(result))
        self.file.flush()

    def close(self) -> None:
        self.file.close()


def _blocks_in(path: Path) -> int:
    """How many blocks a journal holds."""
    if not path.is_file():
        return 0
    with path.open("rb") as file:
        file.readline()
        return _whole_lines(file)[0]


def _whole_lines(file: BinaryIO) -> tuple[int, int]:
    """How many whole lines follow in a journal, and where the last of them ends."""
    whole, end = 0, file.tell()
    for line in file:
        if checked_value(line) is None:
            break
        whole, end = whole + 1, end + len(line)
    return whole, end
