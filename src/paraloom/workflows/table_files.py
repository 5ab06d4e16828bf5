"""A table in, a file out that is whole or absent, in the format and compression of its ending."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from io import BufferedWriter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from paraloom.engine.given import format_of
from paraloom.engine.signatures import HashedFile
from paraloom.engine.store import made_by_file, unfinished_name
from paraloom.engine.written_blocks import compressed
from paraloom.errors import InputError
from paraloom.workflows.identify.unfinished import check_target, writing_to
from paraloom.workflows.table_lines import LINE_FORMATS, lines_of, write_lines

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET = "parquet"


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
    if format_of(target) not in (PARQUET, *LINE_FORMATS):
        raise InputError(f"{target}: a file of {what} ends in .parquet, .jsonl, .json, .csv or .tsv.")
    if format_of(target) == PARQUET and target.suffix.lower() != ".parquet":
        raise InputError(f"{target}: Parquet is compressed already. Call it {target.stem}.")


def _is_one_table(folder: Path) -> bool:
    """Whether the Parquet files of a folder are read as one table; in a run every table has a folder of its own."""
    is_run = any(folder.glob(made_by_file(folder, "*").name))
    return not is_run and any(folder.glob("*.parquet"))


def write_table_file(table: pa.Table, target: Path) -> None:
    """Write every row; a link is followed."""
    write_table_parts(iter([table]), table.schema, target)


def write_table_parts(
    parts: Iterator[pa.Table], schema: pa.Schema, target: Path, unfinished: Path | None = None
) -> str:
    """Write the rows of tables of one schema as they come: memory holds one of them at a time. Gives the file's hash.

    A link is followed. Until the file is whole it is called `unfinished`, or a name that nobody else chooses.
    """
    if format_of(target) == PARQUET:
        return _write_whole(target, unfinished, partial(_parquet, parts, schema))
    lines = (some for part in parts for some in lines_of(part, format_of(target)))
    return write_line_file(lines, schema.names, target, unfinished)


def write_line_file(lines: Iterable[pa.Array], names: Sequence[str], target: Path, unfinished: Path | None) -> str:
    """The same of rows that are lines in the format of the target already."""
    return _write_whole(target, unfinished, partial(write_lines, lines, names, format_of(target)))


def _write_whole(target: Path, unfinished: Path | None, write: Callable[[BinaryIO], None]) -> str:
    with writing_to(str(target)):
        target = target.resolve()
        unfinished = unfinished or unfinished_name(target)
        try:
            with HashedFile(unfinished) as raw, BufferedWriter(raw) as file:
                stream = compressed(file, target.name)
                write(stream)
                if stream is not file:
                    stream.close()
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(target)
            return raw.hash
        finally:
            unfinished.unlink(missing_ok=True)


def _parquet(parts: Iterator[pa.Table], schema: pa.Schema, file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for part in parts:
            writer.write_table(part)
