"""A Parquet file in, its rows out as raw records: one JSON object a row, its offset the row's number."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from paraloom.engine.foreign_bytes import Stream
from paraloom.engine.foreign_records import BROKEN, Record
from paraloom.errors import InputError
from paraloom.text.file_names import told_name

if TYPE_CHECKING:
    from paraloom.engine.foreign import Chunk

_ROWS_AT_ONCE = 2048


def chunks_of(whole: Chunk, bytes_per_chunk: int) -> list[Chunk]:
    """Runs of row groups of about this many bytes each; a compressed Parquet file is one chunk."""
    with opened(whole) as file:
        if whole.compression:
            return [dataclasses.replace(whole, start=0, stop=file.num_row_groups)]
        chunks, start, held = [], 0, 0
        for group in range(file.num_row_groups):
            held += file.metadata.row_group(group).total_byte_size
            if held >= bytes_per_chunk or group == file.num_row_groups - 1:
                chunks.append(dataclasses.replace(whole, start=start, stop=group + 1, size=held))
                start, held = group + 1, 0
        return chunks


def rows(chunk: Chunk) -> Iterator[Record]:
    """Rows of the chunk's row groups. A page that cannot be read is one broken record, and ends the chunk."""
    with opened(chunk) as file:
        stop = file.num_row_groups if chunk.stop is None else chunk.stop
        number = sum(file.metadata.row_group(group).num_rows for group in range(chunk.start))
        for group in range(chunk.start, stop):
            first = number
            number += file.metadata.row_group(group).num_rows
            try:
                for batch in file.iter_batches(_ROWS_AT_ONCE, row_groups=[group]):
                    for raw in objects(batch):
                        yield first, raw, chunk.format, None
                        first += 1
            except (OSError, pa.ArrowException) as error:
                yield first, str(error).encode()[:200], BROKEN, b"unreadable row group"


def row_count(chunk: Chunk) -> int:
    """Rows of the whole file."""
    with opened(chunk) as file:
        return int(file.metadata.num_rows)


@contextmanager
def opened(chunk: Chunk) -> Iterator[pq.ParquetFile]:
    """The file, unpacked first where it is compressed as a whole."""
    with _source(chunk) as source:
        try:
            file = pq.ParquetFile(source)
        except (OSError, pa.ArrowException) as error:
            raise InputError(
                f"{chunk.path} is not a readable Parquet file ({error}). Write it again, or leave it out."
            ) from error
        with file:
            yield file


@contextmanager
def _source(chunk: Chunk) -> Iterator[str | IO[bytes]]:
    """What Arrow reads the file from: its path, unless that is no UTF-8, which Arrow does not take."""
    if chunk.compression:
        with tempfile.TemporaryFile() as unpacked:
            for block in Stream(chunk.path, chunk.compression):
                unpacked.write(block)
            unpacked.seek(0)
            yield unpacked
    elif told_name(chunk.path) != chunk.path:
        with Path(chunk.path).open("rb") as file:
            yield file
    else:
        yield chunk.path


def objects(batch: pa.RecordBatch) -> Iterator[bytes]:
    """Rows as JSON: NaN, values out of Python's range and bytes that are no text become null."""
    columns = [_values(column) for column in batch.columns]
    names = [str(name) for name in batch.schema.names]
    for values in zip(*columns, strict=True) if columns else ():
        yield _dumped(dict(zip(names, values, strict=True)))


def _dumped(row: dict[str, object]) -> bytes:
    try:
        return orjson.dumps(row, default=_plain, option=orjson.OPT_NON_STR_KEYS)
    except (orjson.JSONEncodeError, TypeError):
        kept = {}
        for name, value in row.items():
            try:
                orjson.dumps({name: value}, default=_plain, option=orjson.OPT_NON_STR_KEYS)
            except (orjson.JSONEncodeError, TypeError):
                value = None
            kept[name] = value
        return orjson.dumps(kept, default=_plain, option=orjson.OPT_NON_STR_KEYS)


def _values(column: pa.Array) -> list[object]:
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        column = column.cast(pa.timestamp("us", column.type.tz), safe=False)
    try:
        values: list[object] = column.to_pylist()
        return values
    except (ValueError, OverflowError, pa.ArrowException):
        return [_value(item) for item in column]


def _value(item: pa.Scalar) -> object:
    try:
        return item.as_py()
    except (ValueError, OverflowError, pa.ArrowException):
        return None


def _plain(value: object) -> object:
    if isinstance(value, (bytes, bytearray, memoryview)):
        try:
            return bytes(value).decode()
        except UnicodeDecodeError:
            return None
    return str(value)
