"""A table in, a file out that is whole or absent, in the format and compression of its ending."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from paraloom.engine.given import format_of
from paraloom.engine.store import made_by_file, unfinished_name
from paraloom.engine.written_blocks import compressed, dumped
from paraloom.errors import InputError
from paraloom.workflows.identify.unfinished import check_target, writing_to

if TYPE_CHECKING:
    import pyarrow as pa

NOT_IN_TSV = re.compile(r"\r\n|[\t\n\r]")
"""What a cell of TSV cannot hold: it is written as a space."""

ROWS_AT_ONCE = 4096


def check_table_file(target: Path, given: Iterable[Path], what: str, *, overwrite: bool, option: str = "--out") -> None:
    """Refuse a file that cannot or must not be written, before anything is read; `what` says what is to be in it."""
    check_ending(target, what)
    folder = target.resolve().parent
    is_table = made_by_file(folder.parent, folder.name).is_file()
    for path in given:
        if target.exists() and path.exists() and target.samefile(path):
            raise InputError(f"{option} {target} is given to be read itself. Give {option} another one.")
        is_table = is_table or (path.is_dir() and folder == path.resolve() and _is_one_table(path))
    if is_table:
        where = f"lies among the files of the table {folder.name}"
        raise InputError(f"{option} {target} {where}. Give {option} another place.")
    check_target(target, overwrite=overwrite, option=option)


def check_ending(target: Path, what: str) -> None:
    """Refuse a name whose ending is that of no format."""
    if format_of(target) not in _WRITERS:
        raise InputError(f"{target}: a file of {what} ends in .parquet, .jsonl, .json, .csv or .tsv.")
    if format_of(target) == "parquet" and target.suffix.lower() != ".parquet":
        raise InputError(f"{target}: Parquet is compressed already. Call it {target.stem}.")


def _is_one_table(folder: Path) -> bool:
    """Whether the Parquet files of a folder are read as one table; in a run every table has a folder of its own."""
    is_run = any(folder.glob(made_by_file(folder, "*").name))
    return not is_run and any(folder.glob("*.parquet"))


def write_table_file(table: pa.Table, target: Path) -> None:
    """Write every row; a link is followed."""
    write_table_parts(iter([table]), table.schema, target)


def write_table_parts(parts: Iterator[pa.Table], schema: pa.Schema, target: Path) -> None:
    """Write the rows of tables of one schema as they come: memory holds one of them at a time. A link is followed."""
    with writing_to(str(target)):
        target = target.resolve()
        unfinished = unfinished_name(target)
        try:
            with unfinished.open("wb") as file:
                stream = compressed(file, target.name)
                _WRITERS[format_of(target)](parts, schema, stream)
                if stream is not file:
                    stream.close()
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)


def _parquet(parts: Iterator[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for part in parts:
            writer.write_table(part)


def _jsonl(parts: Iterator[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    for row in _rows(parts):
        file.write(dumped(row) + b"\n")


def _json(parts: Iterator[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    begun = False
    for row in _rows(parts):
        file.write((b",\n" if begun else b"[\n") + dumped(row))
        begun = True
    file.write(b"\n]\n" if begun else b"[]\n")


def _csv(parts: Iterator[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    lines = csv.writer(_Encoded(file), lineterminator="\n")
    lines.writerow(schema.names)
    for columns in _columns(parts):
        lines.writerows(zip(*columns, strict=True))


def _tsv(parts: Iterator[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    file.write(("\t".join(schema.names) + "\n").encode())
    for columns in _columns(parts):
        spaced = [
            [NOT_IN_TSV.sub(" ", cell) for cell in column] if NOT_IN_TSV.search("".join(column)) else column
            for column in columns
        ]
        file.write("".join("\t".join(row) + "\n" for row in zip(*spaced, strict=True)).encode())


def _columns(parts: Iterator[pa.Table]) -> Iterator[list[list[str]]]:
    """The cells of many rows, column by column: a row at a time takes four times as long."""
    for part in parts:
        for batch in part.to_batches(max_chunksize=ROWS_AT_ONCE):
            yield [[_cell(value) for value in column.to_pylist()] for column in batch.columns]


def _rows(parts: Iterator[pa.Table]) -> Iterator[dict[str, Any]]:
    """Row by row: of all of them as objects a large table has no room."""
    for part in parts:
        for batch in part.to_batches(max_chunksize=ROWS_AT_ONCE):
            yield from batch.to_pylist()


class _Encoded:
    """A file of bytes that takes texts."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def write(self, text: str) -> int:
        return self.file.write(text.encode())


def _cell(value: Any) -> str:
    """Yes and no as 1 and 0, as in other files of pairs; nothing where there is no value."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


_WRITERS: dict[str, Callable[[Iterator[pa.Table], pa.Schema, BinaryIO], None]] = {
    "parquet": _parquet,
    "jsonl": _jsonl,
    "json": _json,
    "csv": _csv,
    "tsv": _tsv,
}
