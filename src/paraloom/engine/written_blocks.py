"""Blocks of a user's rows with new columns in, a file out, in the format and compression that its ending says.

Every given row, column and value is kept, in its order; the new columns come last. TSV has no quoting: tabs and line
ends inside a text are written as a space, and counted.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

import orjson

from paraloom.engine.given import format_of
from paraloom.engine.given_blocks import TABLES, Block, Survey
from paraloom.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

Values = Mapping[str, Sequence[Any]]
"""New columns: one value a row, None where there is none."""

_NOT_IN_TSV = re.compile(r"\r\n|[\t\n\r]")
LINE = "line"
"""The key under which a line that is no JSON object is kept."""


@dataclass(slots=True)
class Changed:
    """Texts that could not be written as they are."""

    spaced: int = 0
    """Had tabs or line ends, and the format is TSV."""
    replaced: int = 0
    """Had halves of surrogate pairs, which have no bytes: written as question marks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What a written file looks like."""

    format: str
    survey: Survey
    """Of the file that was given."""
    kept: tuple[int, ...]
    """Which of its columns are written."""
    added: Mapping[str, str]
    """New columns, and the kind of their values: `text`, `integer` or `number`."""
    changed: Changed = field(default_factory=Changed)

    @property
    def kept_names(self) -> list[str]:
        distinct = self.survey.distinct_names
        return [distinct[place].encode("utf-8", "replace").decode() for place in self.kept]


class BlockWriter(Protocol):
    """Writes blocks, one behind the other."""

    def write(self, block: Block, values: Values) -> None:
        """Add the rows of a block with the values of the new columns."""

    def close(self) -> None:
        """Write what ends the file."""


def layout_for(target: str, survey: Survey, added: Mapping[str, str], *, replacing: bool) -> Layout:
    """How to write to a file of this name (`-`: standard output, as the given file is written).

    Columns that already have the name of a new one are left out when `replacing`; else they are an error.
    """
    format = survey.format if target == "-" else format_of(target)
    if format == "parquet" and Path(target).suffix.lower() in (".gz", ".zst"):
        raise InputError(f"{target}: Parquet is compressed already. Call it {Path(target).stem}.")
    there = [name for name in added if name in survey.names]
    if there and not replacing:
        raise InputError(
            f"{survey.called} already has a column {there[0]!r}. Rename it, or give --replace-columns to replace it."
        )
    kept = tuple(place for place, name in enumerate(survey.names) if name not in added)
    return Layout(format=format, survey=survey, kept=kept, added=added)


def open_writer(file: BinaryIO, layout: Layout) -> BlockWriter:
    """A writer into an open file; `close` leaves that open."""
    if layout.format == "parquet":
        return _ParquetWriter(file, layout)
    return _TextWriter(file, layout)


def compressed(file: BinaryIO, target: str) -> BinaryIO:
    """The same file, or one that compresses what is written to it, as the target's ending says."""
    suffix = Path(target).suffix.lower()
    if suffix == ".gz":
        # With neither a time nor the name that the file has until it is whole: the same rows are the same bytes.
        return cast("BinaryIO", gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0, compresslevel=6))
    if suffix == ".zst":
        import zstandard

        return cast("BinaryIO", zstandard.ZstdCompressor().stream_writer(file, closefd=False))
    return file


class _TextWriter:
    def __init__(self, file: BinaryIO, layout: Layout) -> None:
        self.file = file
        self.layout = layout
        self.begun = False
        self.lines = _LINES[layout.format]
        if layout.format in TABLES:
            names = [layout.survey.names[place] for place in layout.kept]
            self.file.write(_row([*names, *layout.added], layout))

    def write(self, block: Block, values: Values) -> None:
        written = list(self.lines(block, values, self.layout))
        if self.layout.format == "json":
            self.file.write((b",\n" if self.begun else b"[\n") + b",\n".join(written))
        else:
            self.file.write(b"".join(written))
        self.begun = True

    def close(self) -> None:
        if self.layout.format == "json":
            self.file.write(b"\n]\n" if self.begun else b"[]\n")


def _table_lines(block: Block, values: Values, layout: Layout) -> Iterator[bytes]:
    for row, cells in enumerate(_cells(block, layout)):
        yield _row([*cells, *(_cell(column[row]) for column in values.values())], layout)


def _row(cells: Sequence[str], layout: Layout) -> bytes:
    if layout.format == "tsv":
        line = "\t".join(cells)
        if line.count("\t") >= len(cells) or "\n" in line or "\r" in line:
            line = "\t".join([_spaced(cell, layout.changed) for cell in cells])
        line += "\n"
    else:
        buffer = io.StringIO(newline="")
        csv.writer(buffer, lineterminator="\n").writerow(cells)
        line = buffer.getvalue()
    return _encoded(line, layout.changed)


def _spaced(cell: str, changed: Changed) -> str:
    if not _NOT_IN_TSV.search(cell):
        return cell
    changed.spaced += 1
    return _NOT_IN_TSV.sub(" ", cell)


def _encoded(text: str, changed: Changed) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        changed.replaced += 1
        return text.encode("utf-8", "replace")


def _cells(block: Block, layout: Layout) -> Iterator[list[str]]:
    """The kept columns of each row, as text."""
    if layout.survey.format in TABLES:
        for row in block.rows:
            yield [row.cells[place] for place in layout.kept]
        return
    names = [layout.survey.names[place] for place in layout.kept]
    for values in _objects(block):
        yield [_cell(values.get(name)) for name in names]


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if type(value) in (int, float):
        return repr(value)
    return dumped(value).decode("utf-8", "surrogatepass")


def _objects(block: Block) -> Iterator[dict[str, Any]]:
    if block.table is None:
        for row in block.rows:
            yield row.values
        return
    from paraloom.engine.foreign_parquet import objects

    for batch in block.table.to_batches():
        for raw in objects(batch):
            yield orjson.loads(raw)


def _json_lines(block: Block, values: Values, layout: Layout) -> Iterator[bytes]:
    ends = b"" if layout.format == "json" else b"\n"
    for row, given in enumerate(_given_objects(block, layout)):
        yield given({name: column[row] for name, column in values.items()}) + ends


def _given_objects(block: Block, layout: Layout) -> Iterator[Callable[[dict[str, Any]], bytes]]:
    """For each row what writes it as an object with new values."""
    if layout.survey.format in TABLES:
        for cells in _cells(block, layout):
            yield partial(_joined, dict(zip(layout.kept_names, cells, strict=True)))
    elif block.table is not None:
        for values in _objects(block):
            yield partial(_joined, values)
    else:
        as_given = len(layout.kept) == len(layout.survey.names)
        for row in block.rows:
            if row.trouble:
                yield partial(_joined, {LINE: row.raw.decode("utf-8", "replace")})
            elif as_given and b"\n" not in row.raw:
                yield partial(_spliced, row.raw)
            else:
                yield partial(_joined, row.values)


def _joined(given: dict[str, Any], added: dict[str, Any]) -> bytes:
    return dumped({name: value for name, value in given.items() if name not in added} | added)


def _spliced(raw: bytes, added: dict[str, Any]) -> bytes:
    """What was given stays byte for byte: long numbers, spacing, escapes."""
    inner = raw[1:-1].strip()
    return b"{" + inner + (b", " if inner else b"") + dumped(added)[1:]


def dumped(value: object) -> bytes:
    """A value as JSON; a half of a surrogate pair, which has no bytes, as its escape.

    >>> dumped({"a": 1, "b": chr(0xD83D)})
    b'{"a": 1, "b": "\\\\ud83d"}'
    """
    try:
        return orjson.dumps(value, default=str, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:
        return json.dumps(value, default=str).encode()


_LINES = {"tsv": _table_lines, "csv": _table_lines, "jsonl": _json_lines, "json": _json_lines}


class _ParquetWriter:
    def __init__(self, file: BinaryIO, layout: Layout) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kinds = {
            "text": pa.string(),
            "any": pa.string(),
            "integer": pa.int64(),
            "number": pa.float64(),
            "truth": pa.bool_(),
        }
        survey = layout.survey
        self.layout = layout
        self.added = [pa.field(name, kinds.get(kind, pa.string())) for name, kind in layout.added.items()]
        if survey.format == "parquet":
            self.given = None
            given = _schema_of(survey.path)
            fields = [given.field(place) for place in layout.kept]
        else:
            fields = [
                pa.field(distinct, kinds.get(survey.kinds[survey.names[place]], pa.string()))
                for place, distinct in zip(layout.kept, layout.kept_names, strict=True)
            ]
            self.given = fields
        self.schema = pa.schema([*fields, *self.added])
        self.writer = pq.ParquetWriter(file, self.schema, compression="zstd")

    def write(self, block: Block, values: Values) -> None:
        import pyarrow as pa

        if block.table is not None:
            columns = [block.table.column(place) for place in self.layout.kept]
        else:
            assert self.given is not None
            columns = self._columns(block)
        columns += [pa.array(values[one.name], one.type) for one in self.added]
        self.writer.write_table(pa.Table.from_arrays(columns, schema=self.schema))

    def _columns(self, block: Block) -> list[pa.Array]:
        """A text file's values, each column in the kind that all its values have."""
        import pyarrow as pa

        assert self.given is not None
        names = [self.layout.survey.names[place] for place in self.layout.kept]
        if self.layout.survey.format in TABLES:
            rows: list[list[Any]] = list(_cells(block, self.layout))
        else:
            rows = [[row.values.get(name) for name in names] for row in block.rows]
        columns = []
        for place, one in enumerate(self.given):
            values = [row[place] for row in rows]
            if pa.types.is_string(one.type):
                values = [None if value is None else self._text(value) for value in values]
            columns.append(pa.array(values, one.type))
        return columns

    def _text(self, value: object) -> str:
        return _encoded(_cell(value), self.layout.changed).decode()

    def close(self) -> None:
        self.writer.close()


def _schema_of(path: Path) -> pa.Schema:
    from paraloom.engine.given_parquet import schema_of

    return schema_of(path)
