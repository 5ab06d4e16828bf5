"""The files of a parallel corpus in, its rows out: a sentence in two languages each."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelRow:
    """One sentence in two languages."""

    text: str
    """In the language of the pairs."""
    foreign: str
    dropped_for: str | None = None
    """Why it is no such row, where it is none."""


def read_parallel(
    file: Path, foreign_file: Path | None = None, *, columns: tuple[int, int] = (1, 2)
) -> Iterator[ParallelRow]:
    """The rows of a parallel corpus: two files with a sentence a line, or one with tabs between columns.

    `columns` says which of the one file's columns are the text and the foreign text, from 1 on. Files may be packed
    (`.gz`). A row that is none (too few columns, an empty side, bytes that are no text) is kept with a reason.
    """
    if foreign_file is None:
        for line in _lines(file):
            cells = line.split("\t")
            yield _row(*(cells[column - 1] if 0 < column <= len(cells) else None for column in columns))
        return
    for number, (line, foreign) in enumerate(zip_longest(_lines(file), _lines(foreign_file)), start=1):
        if line is None or foreign is None:
            shorter = file if line is None else foreign_file
            raise InputError(
                f"{shorter} ends before line {number}, and the other file goes on: their lines do not belong together. "
                "Give two files with as many lines."
            )
        yield _row(line, foreign)


def _row(text: str | None, foreign: str | None) -> ParallelRow:
    if text is None or foreign is None:
        return ParallelRow(text=text or "", foreign=foreign or "", dropped_for="bad_row: too few columns")
    if not text.strip() or not foreign.strip():
        return ParallelRow(text=text, foreign=foreign, dropped_for="bad_row: an empty side")
    if "\ufffd" in text or "\ufffd" in foreign:
        return ParallelRow(text=text, foreign=foreign, dropped_for="bad_row: not UTF-8")
    return ParallelRow(text=text.strip(), foreign=foreign.strip())


def _lines(file: Path) -> Iterator[str]:
    """Lines end at line feeds alone: other breaks may stand within a sentence, and the sides must stay together."""
    try:
        opening = gzip.open if file.suffix == ".gz" else open
        with opening(file, "rt", encoding="utf-8-sig", errors="replace", newline="\n") as opened:
            for line in opened:
                yield line.removesuffix("\n").removesuffix("\r")
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{file} cannot be read: {error}. Check the path and who may read it.") from error
