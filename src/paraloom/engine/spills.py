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

from paraloom.engine.buckets import buckets_of
from paraloom.engine.store import take_place, unfinished_name

ENDING = ".spill"
BYTES_PER_SPILL = 64 << 20
"""A task's rows are written when so many bytes of them have come together."""

_BUCKETS = b"buckets"
_PACKED = pa.ipc.IpcWriteOptions(compression="lz4")


def write_spills(tables: Iterable[pa.Table], schema: pa.Schema, key: str, buckets: int, target: Path) -> int:
    """A folder of spills of these rows, whole or absent; gives the number of rows."""
    unfinished = unfinished_name(target)
    unfinished.mkdir(parents=True)
    count = 0
    try:
        for number, together in enumerate(_pieces(tables, schema)):
            _write_spill(together, key, buckets, unfinished / f"{number:04d}{ENDING}")
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


def _write_spill(rows: pa.Table, key: str, buckets: int, target: Path) -> None:
    numbers = buckets_of(rows.column(key), buckets)
    order = pc.sort_indices(numbers)
    rows = rows.take(order).combine_chunks()
    present, starts, lengths = np.unique(numbers.take(order).to_numpy(), return_index=True, return_counts=True)
    noted = rows.schema.with_metadata({_BUCKETS: ",".join(map(str, present.tolist())).encode()})
    with pa.OSFile(str(target), "wb") as file, pa.ipc.new_file(file, noted, options=_PACKED) as writer:
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            (batch,) = rows.slice(start, length).combine_chunks().to_batches()
            writer.write_batch(batch)


def read_spill(file: str, bucket: int | None, names: Sequence[str]) -> pa.Table:
    """The rows of one bucket of a spill, or of all of them; these columns only."""
    with pa.memory_map(file) as mapped:
        schema = pa.ipc.open_file(mapped).schema
        wanted = pa.ipc.IpcReadOptions(included_fields=[schema.get_field_index(name) for name in names])
        opened = pa.ipc.open_file(mapped, options=wanted)
        present = [int(number) for number in (schema.metadata or {})[_BUCKETS].decode().split(",")]
        places = [place for place, number in enumerate(present) if bucket is None or number == bucket]
        batches = [opened.get_batch(place) for place in places]
        return pa.Table.from_batches(batches, opened.schema.remove_metadata()).select(list(names))
