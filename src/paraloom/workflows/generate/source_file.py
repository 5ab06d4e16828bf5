"""A file of sources in, its sources out one by one, with the trouble that a row is in.

A text file has a source a line, and every line is one, be it empty. Of a table one column is read. A first pass
(`survey_sources`) finds out what there is, so that a file that cannot be read is refused before any work begins.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from paraloom.engine.foreign_bytes import compression_of, head_of
from paraloom.engine.foreign_formats import ending_of, format_of
from paraloom.engine.given import check_file
from paraloom.engine.given_lines import READERS, GivenRow, TextSource
from paraloom.engine.signatures import hash_of_file
from paraloom.engine.wanted_columns import told_columns
from paraloom.errors import InputError
from paraloom.text.counted import counted

STANDARD = "-"
STANDARD_INPUT = "standard input"
COLUMNS = ("text", "source", "sentence", "left", "sentence1", "question1", "txt1", "text_a")
"""What sources are called in files that are handed around, the surest first."""
TEXT = "text"
TABLES = ("tsv", "csv")
_HEAD = 1 << 16
_FIRST_ROWS = 100
"""Rows of a JSON file whose columns are looked at."""
_BATCH = 1024


class GivenSource(NamedTuple):
    """One source of a file."""

    text: str
    """Of a row in trouble, what can be shown of it."""
    trouble: str | None = None
    """Why it is no source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSurvey:
    """What is known of a file of sources before any is worked on."""

    path: Path
    called: str
    format: str
    column: str | int | None
    """Name or place (from 0) of the column with the sources; None in a text file."""
    width: int
    """Columns of a TSV or CSV file."""
    has_header: bool
    rows: int
    repeated: frozenset[int]
    """Keys of the sources that come more than once."""
    notes: tuple[str, ...]
    digest: str
    stamp: tuple[int, int, int] | None = None
    """By which a file is known to be another one: its number on the disk, its length, when it was last written."""

    def check_unchanged(self) -> None:
        """Refuse to go on with a file that is no longer the surveyed one: its outputs would be noted for that."""
        if self.stamp is not None and _stamp(self.path) not in (self.stamp, None):
            raise InputError(
                f"{self.called} was changed while it was read. Give the same command again once nobody writes to it."
            )


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:  # whoever has opened it reads on
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def key_of(source: str) -> int:
    """A number that stands for a text; two texts have the same one in a file of any size only by a rare accident."""
    return int.from_bytes(blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).digest())


@contextmanager
def given_file(file: str | Path) -> Iterator[tuple[Path, str]]:
    """The file and what it is called; standard input is copied to a file first."""
    if str(file) != STANDARD:
        yield Path(file), str(file)
        return
    with tempfile.TemporaryDirectory(prefix="paraloom-") as folder:
        spool = Path(folder) / "stdin"
        with spool.open("wb") as opened:
            shutil.copyfileobj(sys.stdin.buffer, opened)
        yield spool, STANDARD_INPUT


def survey_sources(path: Path, called: str, column: str | None = None, format: str = "auto") -> SourceSurvey:
    """Read a file once to learn what it holds."""
    check_file(path)
    stamp = _stamp(path)
    source = TextSource.open(path, called)
    head = head_of(path, source.compression, _HEAD, source.encoding, source.start)
    found = _format(path, head, called, column) if format == "auto" else format
    survey = _begun(path, called, found, column)
    rows, keys = 0, array("Q")
    for given in read_sources(survey, source):
        rows += 1
        if given.trouble is None:
            keys.append(key_of(given.text))
    return SourceSurvey(
        path=path,
        called=called,
        format=found,
        column=survey.column,
        width=survey.width,
        has_header=survey.has_header,
        rows=rows,
        repeated=_repeated(keys),
        notes=(*survey.notes, *source.notes()),
        digest=hash_of_file(path),
        stamp=stamp,
    )


def read_sources(survey: SourceSurvey, source: TextSource | None = None) -> Iterator[GivenSource]:
    """Every row of a surveyed file, in its order."""
    if survey.format == "parquet":
        yield from _of_parquet(survey)
        return
    source = source or TextSource.open(survey.path, survey.called)
    if survey.format == TEXT:
        for number, _, raw, whole in source.lines():
            text = source.decoded(raw, number).removesuffix("\r")
            yield GivenSource(text, None if whole else "bad_row: too long")
        return
    rows = READERS[survey.format](source)
    if survey.format in TABLES and survey.has_header:
        next(rows, None)
    taken = _of_cells if survey.format in TABLES else _of_object
    for row in rows:
        if row.trouble:
            shown = row.raw.decode("utf-8", "replace")
            yield GivenSource(shown, f"bad_row: {row.trouble}")
        else:
            yield taken(row, survey)


def _format(path: Path, head: bytes, called: str, column: str | None) -> str:
    """What a file is written in: text, unless its ending or its first bytes say that it is a table."""
    found = format_of("" if called == STANDARD_INPUT else ending_of(path), head)
    found = "csv" if found == "ssv" else found
    if found in READERS or found == "parquet":
        is_named = bool(ending_of(path)) and called != STANDARD_INPUT
        if found in TABLES and not is_named and column is None and not _names_a_column(head):
            return TEXT  # the first lines of a text may well have commas
        return found
    return TEXT


def _names_a_column(head: bytes) -> bool:
    first = head.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace")
    names = {name.strip().strip('"') for name in first.replace("\t", ",").split(",")}
    return not names.isdisjoint(COLUMNS)


def _begun(path: Path, called: str, format: str, column: str | None) -> SourceSurvey:
    """A survey that knows where the sources lie, and not yet how many there are."""
    where: str | int | None = None
    width, has_header = 0, True
    notes: tuple[str, ...] = ()
    if format in TABLES:
        where, width, has_header, notes = _table_column(path, called, format, column)
    elif format != TEXT:
        where = _named_column(path, called, format, column)
    elif column is not None:
        raise InputError(f"--column {column}: {called} is text, and has none. Leave it out, or say --format tsv.")
    return SourceSurvey(
        path=path,
        called=called,
        format=format,
        column=where,
        width=width,
        has_header=has_header,
        rows=0,
        repeated=frozenset(),
        notes=notes,
        digest="",
    )


def _table_column(path: Path, called: str, format: str, column: str | None) -> tuple[int, int, bool, tuple[str, ...]]:
    first = next(READERS[format](TextSource.open(path, called)), None)
    if first is None:
        raise InputError(f"{called} is empty. Give a file with at least one row.")
    if first.trouble:
        raise InputError(
            f"{called}, line {first.line}: the first row cannot be read ({first.trouble}), so it is not known what "
            "the columns are. Mend that line."
        )
    names = [name.strip() for name in first.cells]
    known = [name for name in COLUMNS if name in names]
    if column is not None and column in names:
        return names.index(column), len(names), True, ()
    if column is not None and column.isdecimal() and 1 <= int(column) <= len(names):
        return int(column) - 1, len(names), format == "csv" or bool(known), ()
    if column is not None:
        raise _no_column(called, column, names, has_header=format == "csv" or bool(known))
    if known:
        return names.index(known[0]), len(names), True, ()
    if format == "tsv":
        note = (
            f"{Path(called).name} has no header that is known: every line is read, column 1. --column says otherwise."
        )
        return 0, len(names), False, (note,)
    raise _not_known(called, names)


def _named_column(path: Path, called: str, format: str, column: str | None) -> str:
    names = _names_of_parquet(path, called) if format == "parquet" else _names_of_objects(path, called, format)
    if column is not None:
        if column in names or (not names and not column.isdecimal()):
            return column
        raise _no_column(called, column, names, has_header=True)
    known = [name for name in COLUMNS if name in names]
    if not known and names:
        raise _not_known(called, names)
    return known[0] if known else COLUMNS[0]


def _no_column(called: str, column: str, names: Sequence[str], *, has_header: bool) -> InputError:
    there = told_columns(names, has_header)
    return InputError(f"{called} has no column {column!r}; it has {there}. Give --column one of these.")


def _not_known(called: str, names: Sequence[str]) -> InputError:
    return InputError(
        f"It is not known which column of {called} holds the sources; it has {told_columns(names, True)}. "
        "Say which: --column NAME."
    )


def _names_of_objects(path: Path, called: str, format: str) -> list[str]:
    names: dict[str, None] = {}
    for number, row in enumerate(READERS[format](TextSource.open(path, called))):
        names.update(dict.fromkeys(row.values))
        if number == _FIRST_ROWS:
            break
    return list(names)


def _of_cells(row: GivenRow, survey: SourceSurvey) -> GivenSource:
    assert isinstance(survey.column, int)
    if len(row.cells) != survey.width:
        shown = row.raw.decode("utf-8", "replace")
        columns = counted(len(row.cells), "column", "columns")
        return GivenSource(shown, f"bad_row: {columns} instead of {survey.width}")
    return GivenSource(row.cells[survey.column])


def _of_object(row: GivenRow, survey: SourceSurvey) -> GivenSource:
    assert isinstance(survey.column, str)
    return _of_value(row.values.get(survey.column), survey.column)


def _of_value(value: Any, column: str) -> GivenSource:
    if isinstance(value, str):
        return GivenSource(value)
    return GivenSource("", f"bad_row: no {column}" if value is None else f"bad_row: {column} is no text")


def _names_of_parquet(path: Path, called: str) -> list[str]:
    with _opened(path, called) as file:
        return [str(name) for name in file.schema_arrow.names]


@contextmanager
def _opened(path: Path, called: str) -> Iterator[Any]:
    from paraloom.engine.foreign import Chunk
    from paraloom.engine.foreign_parquet import opened
    from paraloom.text.file_names import told_name

    chunk = Chunk(path=str(path), name=told_name(path.name), format="parquet", compression=compression_of(path))
    with opened(chunk) as file:
        yield file


def _of_parquet(survey: SourceSurvey) -> Iterator[GivenSource]:
    import pyarrow as pa

    assert isinstance(survey.column, str)
    with _opened(survey.path, survey.called) as file:
        try:
            for batch in file.iter_batches(_BATCH, columns=[survey.column]):
                for value in batch.column(0).to_pylist():
                    yield _of_value(value, survey.column)
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{survey.called} cannot be read to its end ({error}). Write it again.") from error


def _repeated(keys: array[int]) -> frozenset[int]:
    import numpy as np

    ordered = np.sort(np.frombuffer(keys, np.uint64)) if keys else np.empty(0, np.uint64)
    return frozenset(np.unique(ordered[1:][ordered[1:] == ordered[:-1]]).tolist())
