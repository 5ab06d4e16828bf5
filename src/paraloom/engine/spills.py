"""Rows in, one file cut by bucket out; a bucket of it back. It is how passes hand rows to each other.

A spill is an Arrow IPC file with one record batch per bucket that has rows; which is which stands in its metadata. So a
task writes one file however many buckets there are, and a reader takes its bucket out of every file without reading
the rest.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.buckets import buckets_of

ENDING = ".spill"
_BUCKETS = b"buckets"


def write_spill(tables: Sequence[pa.Table], schema: pa.Schema, key: str, buckets: int, target: Path) -> int:
    """One spill of these rows, whole or absent; gives the number of rows."""
    rows = pa.concat_tables(tables) if tables else schema.empty_table()
    rows = rows.select(schema.names).cast(schema)
    numbers = buckets_of(rows.column(key), buckets) if len(rows) else pa.array([], pa.int64())
    order = pc.sort_indices(numbers)
    rows = rows.take(order).combine_chunks()
    sorted_numbers = numbers.take(order).to_numpy()
    present, starts, lengths = np.unique(sorted_numbers, return_index=True, return_counts=True)
    noted = schema.with_metadata({_BUCKETS: ",".join(map(str, present.tolist())).encode()})
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    with pa.OSFile(str(unfinished), "wb") as file, pa.ipc.new_file(file, noted, options=_PACKED) as writer:
        for start, length in zip(starts.tolist(), lengths.tolist(), strict=True):
            (batch,) = rows.slice(start, length).combine_chunks().to_batches()
            writer.write_batch(batch)
    unfinished.replace(target)
    return len(rows)


_PACKED = pa.ipc.IpcWriteOptions(compression="lz4")


def read_spill(file: str, bucket: int | None, names: Sequence[str]) -> pa.Table:
    """The rows of one bucket of a spill, or of all of them; these columns only."""
    with pa.memory_map(file) as mapped:
        schema = pa.ipc.open_file(mapped).schema
        wanted = pa.ipc.IpcReadOptions(included_fields=[schema.get_field_index(name) for name in names])
        opened = pa.ipc.open_file(mapped, options=wanted)
        present = [int(number) for number in (schema.metadata or {})[_BUCKETS].decode().split(",") if number]
        places = [place for place, number in enumerate(present) if bucket is None or number == bucket]
        batches = [opened.get_batch(place) for place in places]
        return pa.Table.from_batches(batches, opened.schema.remove_metadata()).select(list(names))
