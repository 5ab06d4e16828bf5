"""A file of the user's in, its content out, whole: lines of text, a JSON value, or rows with named columns.

For files that fit in memory and whose rows belong together by their order (pairs with labels, outputs with sources):
here a row that cannot be read is an error with its line, since leaving it out would shift the rest.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from paraloom.engine.foreign_bytes import Stream, compression_of, encoding_of
from paraloom.errors import InputError

ENDINGS = {
    ".tsv": "tsv",
    ".txt": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
}
"""A file's ending, and how its rows are written."""

_COMPRESSED = (".gz", ".zst")


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one file in their order, column by column. Of TSV and CSV every value is text."""

    path: Path
    columns: Mapping[str, Sequence[Any]]
    lines: Sequence[int]
    """The line of the file each row begins on; the row's number where a format has no lines."""

    def __len__(self) -> int:
        return len(self.lines)

    def texts(self, name: str) -> list[str]:
        """One column's texts; a value that is no text is an error with its line."""
        values = self._column(name)
        for line, value in zip(self.lines, values, strict=True):
            if not isinstance(value, str):
                raise InputError(f"{self.path}, line {line}: {name} is {_told(value)}, not text.")
        return list(values)

    def numbers(self, name: str) -> list[float]:
        """One column's numbers; a value that is none is an error with its line."""
        found = []
        for line, value in zip(self.lines, self._column(name), strict=True):
            try:
                number = float(value)
            except (TypeError, ValueError):
                number = float("nan")
            if number != number or number in (float("inf"), float("-inf")):
                raise InputError(f"{self.path}, line {line}: {name} is {_told(value)}, not a number.")
            found.append(number)
        return found

    def _column(self, name: str) -> Sequence[Any]:
        if name not in self.columns:
            raise InputError(
                f"{self.path} has no column {name!r}; it has {', '.join(self.columns) or 'none'}. "
                f"Rename it, or say which it is: --columns {name}=COLUMN (a name or a number from 1)."
            )
        return self.columns[name]


def read_text(path: str | Path) -> str:
    """The whole text of a file, decompressed; a byte-order mark tells its encoding, else it is UTF-8."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}. Check the path.")
    compression = compression_of(path)
    encoding, start = encoding_of(path, compression)
    stream = Stream(path, compression, encoding, start)
    data = b"".join(stream)
    if stream.broken:
        raise InputError(f"{path} is compressed and ends too early, or is damaged. Get the file again.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}, line {line}: byte {error.start} is not UTF-8. Save the file as UTF-8 and try again."
        ) from error


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file: an empty line is a line, and only line feeds end one.

    (`str.splitlines` would also break at characters that occur inside posts, and shift all that follows.)
    """
    return _lines_of(read_text(path))


def read_json(path: str | Path) -> Any:
    """The one JSON value of a file."""
    try:
        return orjson.loads(read_text(path))
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}. Mend it there.") from error


def format_of(path: str | Path) -> str:
    """How the rows of a file are written, by its ending (a compression's ending aside).

    >>> format_of("pairs.tsv.gz")
    'tsv'
    """
    path = Path(path)
    ending = Path(path.stem).suffix if path.suffix.lower() in _COMPRESSED else path.suffix
    if ending.lower() not in ENDINGS:
        raise InputError(f"{path} ends in {ending or 'nothing'!r}. Files with rows end in {', '.join(ENDINGS)}.")
    return ENDINGS[ending.lower()]


def read_rows(path: str | Path, wanted: Sequence[str], columns: Mapping[str, str] | None = None) -> Rows:
    """The rows of a TSV, CSV, JSONL, JSON or Parquet file.

    `wanted` are the columns that must be there. A TSV file's first line is a header if it holds all of them; else the
    first columns are taken for them, in this order. `columns` says otherwise: our name → the file's name, or its
    number from 1.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}. Check the path.")
    rows = _READERS[format_of(path)](path, tuple(wanted), dict(columns or {}))
    for ours, theirs in (columns or {}).items():
        if ours not in rows.columns:
            raise InputError(f"{path} has no column {theirs!r} to take for {ours}; it has {', '.join(rows.columns)}.")
    for name in wanted:
        rows._column(name)
    return rows


def _lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _tsv(path: Path, wanted: tuple[str, ...], columns: dict[str, str]) -> Rows:
    lines = [(number, line.split("\t")) for number, line in enumerate(_lines_of(read_text(path)), start=1)]
    while lines and lines[-1][1] == [""]:
        lines.pop()
    return _table(path, lines, wanted, columns, may_lack_header=True)


def _csv(path: Path, wanted: tuple[str, ...], columns: dict[str, str]) -> Rows:
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    lines = []
    begun = 1
    try:
        for fields in reader:
            if fields:
                lines.append((begun, fields))
            begun = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}, line {begun}: this is not CSV ({error}). Mend the quotes there.") from error
    return _table(path, lines, wanted, columns, may_lack_header=False)


def _table(
    path: Path,
    lines: list[tuple[int, list[str]]],
    wanted: tuple[str, ...],
    columns: dict[str, str],
    *,
    may_lack_header: bool,
) -> Rows:
    if not lines:
        raise InputError(f"{path} is empty. Give a file with at least one row.")
    first = [name.strip() for name in lines[0][1]]
    by_number = bool(columns) and all(theirs.isdigit() for theirs in columns.values())
    named = {ours for ours in wanted if columns.get(ours, ours) in first or columns.get(ours, "").isdigit()}
    has_header = (set(wanted) <= named and not by_number) or not (may_lack_header or by_number)
    names = first if has_header else [str(number) for number in range(1, len(first) + 1)]
    body = lines[1:] if has_header else lines
    if not has_header and not columns:
        names[: len(wanted)] = wanted[: len(names)]
    for number, fields in body:
        if len(fields) != len(first):
            raise InputError(
                f"{path}, line {number}: {len(fields)} columns, but the first line has {len(first)}. "
                "Tabs and line ends inside a text must be written as spaces."
            )
    values = {name: [fields[place] for _, fields in body] for place, name in enumerate(names)}
    for ours, theirs in columns.items():
        if theirs.isdigit() and 1 <= int(theirs) <= len(names):
            values[ours] = values[names[int(theirs) - 1]]
        elif theirs in values:
            values[ours] = values[theirs]
    return Rows(path, values, [number for number, _ in body])


def _jsonl(path: Path, wanted: tuple[str, ...], columns: dict[str, str]) -> Rows:
    return _objects(path, _parsed(path), columns)


def _parsed(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(_lines_of(read_text(path)), start=1):
        if line.strip():
            try:
                yield number, orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise InputError(f"{path}, line {number}: not JSON ({error}). Mend the line.") from error


def _json(path: Path, wanted: tuple[str, ...], columns: dict[str, str]) -> Rows:
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError(f"{path} holds {_told(value)}, not a list of objects. Give one object a row.")
    return _objects(path, enumerate(value, start=1), columns)


def _objects(path: Path, rows: Iterator[tuple[int, Any]], columns: dict[str, str]) -> Rows:
    numbered = list(rows)
    if not numbered:
        raise InputError(f"{path} is empty. Give a file with at least one row.")
    for number, row in numbered:
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number}: {_told(row)}, not an object with named values.")
    names = list(dict.fromkeys(name for _, row in numbered for name in row))
    values: dict[str, Sequence[Any]] = {name: [row.get(name) for _, row in numbered] for name in names}
    values |= {ours: values[theirs] for ours, theirs in columns.items() if theirs in values}
    return Rows(path, values, [number for number, _ in numbered])


def _parquet(path: Path, wanted: tuple[str, ...], columns: dict[str, str]) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path} is not a Parquet file that can be read: {error}") from error
    values: dict[str, Sequence[Any]] = {name: table.column(name).to_pylist() for name in table.column_names}
    values |= {ours: values[theirs] for ours, theirs in columns.items() if theirs in values}
    return Rows(path, values, range(1, table.num_rows + 1))


_READERS = {"tsv": _tsv, "csv": _csv, "jsonl": _jsonl, "json": _json, "parquet": _parquet}


def _told(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"
