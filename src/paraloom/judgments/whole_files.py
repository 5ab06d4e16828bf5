"""Bytes in, a file out that is whole or absent, compressed as its ending says."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from paraloom.engine.store import unfinished_name
from paraloom.engine.written_blocks import compressed
from paraloom.errors import InputError, TargetTaken


def check_free(target: Path, *, overwrite: bool) -> None:
    """Refuse a file that cannot or must not be written, before anything is read."""
    if target.is_dir():
        raise InputError(f"{target} is a folder. Give --out a file.")
    if not target.parent.is_dir():
        raise InputError(f"There is no folder {target.parent} to write {target.name} into. Make it first.")
    if target.exists() and not overwrite:
        raise TargetTaken(f"{target} is there already. Choose another --out, or replace it with --overwrite.")


def whole_file(target: Path, lines: Iterable[bytes], *, mode: int = 0o666) -> int:
    """Write the lines; how many there were. What is half-written when something fails is removed."""
    target = target.resolve()  # a link stays one, and what it leads to is replaced
    unfinished = unfinished_name(target)
    count = 0
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            stream = compressed(file, target.name)
            for line in lines:
                stream.write(line)
                count += 1
            if stream is not file:
                stream.close()
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return count
