"""A file of the user's in, its content out, whole: lines of text, a JSON value, or rows with named columns.

For files that fit in memory and whose rows belong together by their order (pairs with labels, outputs with sources):
here a row that cannot be read is an error with its line, since leaving it out would shift the rest.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    has_header: bool = True
    """Whether the file names its columns."""
    note: str | None = None
    """What was decided about the first line that its reader should know."""
    names: Sequence[str] = ()
    """The file's own names of its columns, in their order."""
    repeated: frozenset[str] = frozenset()
    """Names that several columns have: `columns` holds the last of them."""

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


def read_rows(
    path: str | Path,
    wanted: Sequence[str],
    columns: Mapping[str, str] | None = None,
    *,
    also: Mapping[str, str] | None = None,
    required: Sequence[str] | None = None,
) -> Rows:
    """The rows of a TSV, CSV, JSONL, JSON or Parquet file.

    `wanted` are the columns to find; all must be there, or those `required`. A CSV file has a header. A TSV file's
    first line is one if any cell of it is a name that is looked for; else the first columns are taken for the wanted
    ones, in this order. `columns` says otherwise: our name → the file's name, or its number from 1. `also` are second
    names: ours → another that is taken where ours is not there.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"There is no file {path}. Check the path.")
    rows = _READERS[format_of(path)](path, _Wanted(tuple(wanted), dict(columns or {}), dict(also or {})))
    for ours, theirs in (columns or {}).items():
        if ours not in rows.columns:
            raise InputError(f"{path} has no column {theirs!r} to take for {ours}; it has {', '.join(rows.names)}.")
    for name in wanted if required is None else required:
        rows._column(name)
    return rows


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which columns are looked for, and under which names."""

    names: tuple[str, ...]
    columns: dict[str, str]
    also: dict[str, str]

    def is_header(self, cells: Sequence[str]) -> bool:
        """Whether a first line names columns: nothing is looked for, or a name is used or met."""
        by_name = any(not theirs.isdigit() for theirs in self.columns.values())
        return not self.names or by_name or bool({*self.names, *self.columns, *self.also.values()} & set(cells))

    def places(self, names: Sequence[str], *, numbers_first: bool) -> dict[str, int]:
        """Where our columns lie among a file's, those under our own names aside."""
        found = {}
        for ours, theirs in self.columns.items():
            numbered = theirs.isdigit() and 1 <= int(theirs) <= len(names)
            if numbered and (numbers_first or theirs not in names):
                found[ours] = int(theirs) - 1
            elif theirs in names:
                found[ours] = names.index(theirs)
        for ours, other in self.also.items():
            if ours not in names and ours not in self.columns and other in names:
                found[ours] = names.index(other)
        return found

    def used(self, names: Sequence[str]) -> list[str]:
        """The file's names that decide which columns are taken."""
        own = [ours for ours in self.names if ours not in self.columns]
        other = [other for ours, other in self.also.items() if ours not in names and ours not in self.columns]
        return [*own, *other, *(theirs for theirs in self.columns.values() if not theirs.isdigit())]


def _lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _tsv(path: Path, wanted: _Wanted) -> Rows:
    lines = [(number, line.split("\t")) for number, line in enumerate(_lines_of(read_text(path)), start=1)]
    while lines and lines[-1][1] == [""]:
        lines.pop()
    return _table(path, lines, wanted, is_csv=False)


def _csv(path: Path, wanted: _Wanted) -> Rows:
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


def _table(path: Path, lines: list[tuple[int, list[str]]], wanted: _Wanted, *, is_csv: bool) -> Rows:
    if not lines:
        raise InputError(f"{path} is empty. Give a file with at least one row.")
    first = [name.strip() for name in lines[0][1]]
    has_header = is_csv or wanted.is_header(first)
    numbers = [str(number) for number in range(1, len(first) + 1)]
    names = first if has_header else [*numbers]
    body = lines[1:] if has_header else lines
    if not has_header and not wanted.columns:
        names[: len(wanted.names)] = wanted.names[: len(names)]
    for number, fields in body:
        if len(fields) != len(first):
            mend = (
                "A text with a comma must stand in quotes."
                if is_csv
                else "Tabs and line ends inside a text must be written as spaces."
            )
            raise InputError(
                f"{path}, line {number}: {len(fields)} columns, but the first line has {len(first)}. {mend}"
            )
    values = {name: [fields[place] for _, fields in body] for place, name in enumerate(names)}
    places = wanted.places(names, numbers_first=True)
    values |= {ours: [fields[place] for _, fields in body] for ours, place in places.items()}
    rows = Rows(
        path,
        values,
        [number for number, _ in body],
        has_header,
        _first_line(path, wanted, first, has_header),
        names,
        frozenset(name for name, count in Counter(names).items() if count > 1),
    )
    rows.refuse_repeated(wanted.used(names))
    return rows


def _first_line(path: Path, wanted: _Wanted, first: Sequence[str], has_header: bool) -> str | None:
    """What the first line was taken for, where the file itself does not say."""
    if has_header:
        if wanted.is_header(first):
            return None
        return f"Line 1 of {path.name} is taken for its header, as every CSV file has one."
    taken = wanted.columns or {ours: str(number) for number, ours in enumerate(wanted.names[: len(first)], start=1)}
    are = "column {} is" if len(taken) == 1 else "columns {} are"
    return (
        f"{path.name} names no column that is looked for, so line 1 is read as data; "
        f"{are.format(', '.join(taken.values()))} taken for {', '.join(taken)}."
    )


def _jsonl(path: Path, wanted: _Wanted) -> Rows:
    return _objects(path, _parsed(path), wanted)


def _parsed(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(_lines_of(read_text(path)), start=1):
        if line.strip():
            try:
                yield number, orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise InputError(f"{path}, line {number}: not JSON ({error}). Mend the line.") from error


def _json(path: Path, wanted: _Wanted) -> Rows:
    value = read_json(path)
    if not isinstance(value, list):
        raise InputError(f"{path} holds {told(value)}, not a list of objects. Give one object a row.")
    return _objects(path, enumerate(value, start=1), wanted)


def _objects(path: Path, rows: Iterator[tuple[int, Any]], wanted: _Wanted) -> Rows:
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


def _parquet(path: Path, wanted: _Wanted) -> Rows:
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
