"""Rows in, files cut by bucket out; a bucket of them back. It is how passes hand rows to each other.

A spill is an Arrow IPC file with one record batch per bucket that has rows; which is which stands in its metadata. So a
task writes few files however many buckets there are, and a reader takes its bucket out of every file without reading
the rest. A task that makes more rows than memory should hold writes several spills, into one folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from paraloom.engine.buckets import buckets_of
from paraloom.engine.store import take_place, unfinished_name

ENDING = ".spill"
BYTES_PER_SPILL = 64 << 20
"""A task's rows are written when so many bytes of them have come together."""

_BUCKETS, _ROWS = b"buckets", b"rows"
"""What stands in the metadata: the buckets that there are, and how many rows each has."""
_ALL_IN = "-all-in-"
"""In the name of a spill, before the one bucket that all its rows are in."""
_PACKED = pa.ipc.IpcWriteOptions(compression="lz4")


def write_spills(tables: Iterable[pa.Table], schema: pa.Schema, key: str, buckets: int, target: Path) -> int:
    """A folder of spills of these rows, whole or absent; gives the number of rows."""
    unfinished = unfinished_name(target)
    unfinished.mkdir(parents=True)
    count = 0
    try:
        for number, together in enumerate(_pieces(tables, schema)):
            _write_spill(together, key, buckets, unfinished, f"{number:04d}")
            count += len(together)
        take_place(unfinished, target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return count


def _pieces(tables: Iterable[pa.Table], schema: pa.Schema) -> Iterator[pa.Table]:
    """The same rows in tables of about the size of a spill."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table.select(schema.names).cast(schema))
        if sum(each.nbytes for each in waiting) >= BYTES_PER_SPILL:
            yield pa.concat_tables(waiting)
            waiting = []
    if any(len(table) for table in waiting):
        yield pa.concat_tables(waiting)


def _write_spill(rows: pa.Table, key: str, buckets: int, folder: Path, name: str) -> None:
    numbers = buckets_of(rows.column(key), buckets)
    order = pc.sort_indices(numbers)
    rows = rows.take(order).combine_chunks()
    present, starts, lengths = np.unique(numbers.take(order).to_numpy(), return_index=True, return_counts=True)
    noted = rows.schema.with_metadata({_BUCKETS: _written(present), _ROWS: _written(lengths)})
    name += f"{_ALL_IN}{present[0]}" if len(present) == 1 else ""
    with (
        pa.OSFile(str(folder / f"{name}{ENDING}"), "wb") as file,
        pa.ipc.new_file(file, noted, options=_PACKED) as writer,
    ):
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            (batch,) = rows.slice(start, length).combine_chunks().to_batches()
            writer.write_batch(batch)


def _written(numbers: NDArray[np.int64]) -> bytes:
    return ",".join(map(str, numbers.tolist())).encode()


def _noted(schema: pa.Schema, what: bytes) -> list[int]:
    return [int(number) for number in (schema.metadata or {})[what].decode().split(",")]


def count_spill(file: str, bucket: int) -> int:
    """How many rows of one bucket a spill has."""
    with pa.memory_map(file) as mapped:
        schema = pa.ipc.open_file(mapped).schema
    return dict(zip(_noted(schema, _BUCKETS), _noted(schema, _ROWS), strict=True)).get(bucket, 0)


def may_hold(file: str, bucket: int) -> bool:
    """Whether a spill's name leaves it open that it has rows of a bucket: where tasks make rows of the bucket that they
    read, there are very many spills, and opening each of them for each bucket would take longer than all else.

    >>> [may_hold(f"task-00007/{name}.spill", 3) for name in ("0000", "0001-all-in-3", "0002-all-in-13")]
    [True, True, False]
    """
    _, is_said, only = file.rpartition("/")[2].removesuffix(ENDING).partition(_ALL_IN)
    return not is_said or int(only) == bucket


def read_spill(file: str, bucket: int | None, names: Sequence[str]) -> pa.Table:
    """The rows of one bucket of a spill, or of all of them; these columns only."""
    with pa.memory_map(file) as mapped:
        schema = pa.ipc.open_file(mapped).schema
        wanted = pa.ipc.IpcReadOptions(included_fields=[schema.get_field_index(name) for name in names])
        opened = pa.ipc.open_file(mapped, options=wanted)
        present = enumerate(_noted(schema, _BUCKETS))
        places = [place for place, number in present if bucket is None or number == bucket]
        batches = [opened.get_batch(place) for place in places]
        return pa.Table.from_batches(batches, opened.schema.remove_metadata()).select(list(names))
