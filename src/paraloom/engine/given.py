"""A file of the user's in, its content out, whole: lines of text, a JSON value, or rows with named columns.

For files that fit in memory and whose rows belong together by their order (pairs with labels, outputs with sources):
here a row that cannot be read is an error with its line, since leaving it out would shift the rest. Where it would not,
`read_rows` may be told to leave such rows out.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from paraloom.engine.foreign_bytes import Stream, compression_of, encoding_of
from paraloom.engine.given_lines import READERS, TextSource
from paraloom.engine.wanted_columns import Wanted, about_first_line, told_columns
from paraloom.errors import InputError
from paraloom.text.counted import counted

ENDINGS = {
    ".tsv": "tsv",
    ".txt": "tsv",
    ".data": "tsv",
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
    has_header: bool = True
    """Whether the file names its columns."""
    note: str | None = None
    """What was decided about the first line that its reader should know."""
    names: Sequence[str] = ()
    """The file's own names of its columns, in their order."""
    repeated: frozenset[str] = frozenset()
    """Names that several columns have: `columns` holds the last of them."""
    left_out: Mapping[int, str] = field(default_factory=dict)
    """By its line, why a row is not among these, where rows may be left out."""
    notes: tuple[str, ...] = ()
    """What was met on the way, where rows may be left out: blank lines, another encoding."""

    def __len__(self) -> int:
        return len(self.lines)

    def texts(self, name: str) -> list[str]:
        """One column's texts; a value that is no text is an error with its line."""
        values = self._column(name)
        for line, value in zip(self.lines, values, strict=True):
            if not isinstance(value, str):
                raise InputError(f"{self.path}, line {line}: {name} is {told(value)}, not text.")
        return list(values)

    def numbers(self, name: str) -> list[float]:
        """One column's numbers; a value that is none is an error with its line."""
        found = []
        for line, value in zip(self.lines, self._column(name), strict=True):
            try:
                number = float(value)
            except (TypeError, ValueError, OverflowError):
                number = float("nan")
            if isinstance(value, bool) or number != number or number in (float("inf"), float("-inf")):
                raise InputError(f"{self.path}, line {line}: {name} is {told(value)}, not a number.")
            found.append(number)
        return found

    def refuse_repeated(self, names: Iterable[str]) -> None:
        """An error where one of these names is that of several columns: which one is meant cannot be told."""
        if twice := next((name for name in names if name in self.repeated), None):
            raise InputError(
                f"{self.path} has several columns called {twice!r}. Rename all but one, or say which it is by its "
                "number: --columns OURS=NUMBER."
            )

    def _column(self, name: str) -> Sequence[Any]:
        if name not in self.columns:
            raise InputError(
                f"{self.path} has no column {name!r}; it has {told_columns(list(self.columns), self.has_header)}. "
                f"Rename it, or say which it is: --columns {name}=COLUMN (a name or a number from 1)."
            )
        return self.columns[name]


def check_file(path: Path) -> None:
    """An error where there is no file that can be read, several times if need be."""
    if path.is_dir():
        raise InputError(f"{path} is a folder. Give a file.")
    if not path.exists():
        raise InputError(f"There is no file {path}. Check the path.")
    if not path.is_file():
        raise InputError(f"{path} is no plain file, and files are read several times. Write its content to one.")
    if not os.access(path, os.R_OK):
        raise InputError(f"{path} may not be read. Ask its owner for leave, or give a copy.")


def read_text(path: str | Path) -> str:
    """The whole text of a file, decompressed; a byte-order mark tells its encoding, else it is UTF-8."""
    path = Path(path)
    check_file(path)
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
        ends = f"ends in {ending!r}" if ending else "has no ending"
        raise InputError(f"{path} {ends}. Files with rows end in {', '.join(ENDINGS)}.")
    return ENDINGS[ending.lower()]


def read_rows(
    path: str | Path,
    wanted: Sequence[str],
    columns: Mapping[str, str] | None = None,
    *,
    also: Mapping[str, str] | None = None,
    required: Sequence[str] | None = None,
    leaving_out: bool = False,
) -> Rows:
    """The rows of a TSV, CSV, JSONL, JSON or Parquet file.

    `wanted` are the columns to find; all must be there, or those `required`. A CSV file has a header. A TSV file's
    first line is one if any cell of it is a name that is looked for; else the first columns are taken for the wanted
    ones, in this order. `columns` says otherwise: our name → the file's name, or its number from 1. `also` are second
    names: ours → another that is taken where ours is not there. Blank lines are no rows. A row that cannot be read is
    an error, or with `leaving_out` one of `Rows.left_out`.
    """
    path = Path(path)
    check_file(path)
    format = format_of(path)
    asked = Wanted(tuple(wanted), dict(columns or {}), dict(also or {}), {} if leaving_out else None)
    rows = _good(path, format, asked) if leaving_out and format in READERS else _READERS[format](path, asked)
    for ours, theirs in (columns or {}).items():
        if ours not in rows.columns:
            there = told_columns(rows.names, rows.has_header)
            raise InputError(f"{path} has no column {theirs!r} to take for {ours}; it has {there}.")
    for name in wanted if required is None else required:
        rows._column(name)
    return rows


def _lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _tsv(path: Path, wanted: Wanted) -> Rows:
    lines = [(number, line.split("\t")) for number, line in enumerate(_lines_of(read_text(path)), start=1)]
    while lines and lines[-1][1] == [""]:
        lines.pop()
    if any(len(cells) > 1 for _, cells in lines):  # in a file of one column, an empty line is an empty text
        lines = [(number, cells) for number, cells in lines if any(cell.strip(" ") for cell in cells) or len(cells) > 1]
    return _table(path, lines, wanted, is_csv=False)


def _csv(path: Path, wanted: Wanted) -> Rows:
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
    return _table(path, lines, wanted, is_csv=True)


def _table(path: Path, lines: list[tuple[int, list[str]]], wanted: Wanted, *, is_csv: bool) -> Rows:
    if not lines:
        raise InputError(f"{path} is empty. Give a file with at least one row.")
    first = [name.strip() for name in lines[0][1]]
    has_header = is_csv or wanted.is_header(first)
    numbers = [str(number) for number in range(1, len(first) + 1)]
    names = first if has_header else [*numbers]
    body = lines[1:] if has_header else lines
    if not has_header and not wanted.columns:
        names[: len(wanted.names)] = wanted.names[: len(names)]
    mend = "A text with a comma must stand in quotes." if is_csv else "Tabs and line ends inside a text must be spaces."
    for number, fields in body:
        if len(fields) != len(first):
            columns = counted(len(fields), "column", "columns")
            wanted.leave_out(path, number, f"{columns}, but the first line has {len(first)}", mend)
    body = [(number, fields) for number, fields in body if len(fields) == len(first)]
    values = {name: [fields[place] for _, fields in body] for place, name in enumerate(names)}
    places = wanted.places(names, numbers_first=True)
    values |= {ours: [fields[place] for _, fields in body] for ours, place in places.items()}
    rows = Rows(
        path,
        values,
        [number for number, _ in body],
        has_header,
        about_first_line(path, wanted, first, has_header),
        names,
        frozenset(name for name, count in Counter(names).items() if count > 1),
    )
    rows.refuse_repeated(wanted.used(names))
    return rows


def _jsonl(path: Path, wanted: Wanted) -> Rows:
    return _objects(path, _parsed(path), wanted)


def _good(path: Path, format: str, wanted: Wanted) -> Rows:
    """The rows of a text file that can be read; why the others cannot."""
    source = TextSource.open(path)
    is_table = format in ("tsv", "csv")
    cells: list[tuple[int, list[str]]] = []
    objects: list[tuple[int, dict[str, Any]]] = []
    for row in READERS[format](source):
        if row.trouble and is_table and not cells:
            raise InputError(f"{path}, line {row.line}: the first row cannot be read ({row.trouble}). Mend it there.")
        if row.trouble:
            wanted.leave_out(path, row.line, row.trouble)
        else:
            cells.append((row.line, row.cells))
            objects.append((row.line, row.values))
    if not objects and wanted.left_out:
        line, why = next(iter(wanted.left_out.items()))
        count = counted(len(wanted.left_out), "row", "rows")
        raise InputError(f"{path} has {count}, and none can be read. The first, line {line}: {why}.")
    rows = _table(path, cells, wanted, is_csv=format == "csv") if is_table else _objects(path, iter(objects), wanted)
    return replace(rows, left_out=wanted.left_out or {}, notes=tuple(source.notes()))


def _parsed(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(_lines_of(read_text(path)), start=1):
        if line.strip():
            try:
                yield number, orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise InputError(f"{path}, line {number}: not JSON ({error}). Mend the line.") from error


def _json(path: Path, wanted: Wanted) -> Rows:
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError(f"{path} holds {told(value)}, not a list of objects. Give one object a row.")
    return _objects(path, enumerate(value, start=1), wanted)


def _objects(path: Path, rows: Iterator[tuple[int, Any]], wanted: Wanted) -> Rows:
    numbered = list(rows)
    if not numbered:
        raise InputError(f"{path} is empty. Give a file with at least one row.")
    for number, row in numbered:
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number}: {told(row)}, not an object with named values.")
    names = list(dict.fromkeys(name for _, row in numbered for name in row))
    values: dict[str, Sequence[Any]] = {name: [row.get(name) for _, row in numbered] for name in names}
    values |= {ours: values[names[place]] for ours, place in wanted.places(names, numbers_first=False).items()}
    return Rows(path, values, [number for number, _ in numbered], names=names)


def _parquet(path: Path, wanted: Wanted) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path} is not a Parquet file that can be read: {error}") from error
    names = list(table.column_names)
    found = [column.to_pylist() for column in table.columns]
    values: dict[str, Sequence[Any]] = dict(zip(names, found, strict=True))
    values |= {ours: found[place] for ours, place in wanted.places(names, numbers_first=False).items()}
    repeated = frozenset(name for name, count in Counter(names).items() if count > 1)
    rows = Rows(path, values, range(1, table.num_rows + 1), names=names, repeated=repeated)
    rows.refuse_repeated(wanted.used(names))
    return rows


_READERS = {"tsv": _tsv, "csv": _csv, "jsonl": _jsonl, "json": _json, "parquet": _parquet}


def told(value: object) -> str:
    """A value as an error shows it: the beginning of a long one."""
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}…"
