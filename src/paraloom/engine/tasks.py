"""What one task of a pass reads, and what it makes of it: Arrow tables in small batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import eq, ge
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine import buckets, foreign
from paraloom.engine.layout import Laid
from paraloom.engine.rows import from_rows, lists_to_members
from paraloom.errors import EngineError

ROWS_PER_BATCH = 4096
MOST_ROWS = 65_536
"""Rows are put into a table when a function has made so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketInput:
    """The rows of one input in one bucket, and which of them are wanted."""

    name: str
    laid: Laid
    bucket: int
    columns: tuple[str, ...]
    kept_only: bool
    """Leave out the rows that have been dropped."""

    def read(self, places: tuple[int, int] | None = None) -> pa.Table:
        """The rows, or those from one place in the bucket to another."""
        wanted = tuple(dict.fromkeys((*self.columns, "dropped_for"))) if self.kept_only else self.columns
        rows = self.laid.read(self.bucket, wanted, places)
        if self.kept_only:
            rows = rows.filter(pc.is_null(rows.column("dropped_for")))
        return rows.select(list(self.columns))


RowsOfRecord = Literal["one", "one or more", "any"]
"""How many rows a raw record gives."""
_AS_MANY: dict[RowsOfRecord, Callable[[int, int], bool]] = {"one": eq, "one or more": ge, "any": lambda *_: True}


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTask:
    """Raw records of chunks of foreign files → rows, one each or more."""

    chunks: tuple[foreign.Chunk, ...]
    rows: RowsOfRecord = "one"

    def make(self, function: Callable[..., Any], schema: pa.Schema) -> Iterator[pa.Table]:
        """The rows."""
        for chunk in self.chunks:
            for records in foreign.records(chunk):
                made = function(records)
                if not _AS_MANY[self.rows](len(made), len(records)):  # no record is ever lost
                    raise EngineError(f"{len(records)} records of {chunk.name} became {len(made)} rows.")
                yield made


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchTask:
    """Rows of a bucket, batch by batch → any number of rows."""

    given: BucketInput
    places: tuple[int, int] | None = None
    """Only the rows from one place in the bucket to another."""

    def make(self, function: Callable[..., Any], schema: pa.Schema) -> Iterator[pa.Table]:
        """The rows."""
        rows = self.given.read(self.places)
        for start in range(0, len(rows), ROWS_PER_BATCH):
            yield function(rows.slice(start, ROWS_PER_BATCH))


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyTask:
    """The keys of a bucket, each with the rows that every input has for it → any number of rows a key."""

    inputs: tuple[BucketInput, ...]
    by: str

    def make(self, function: Callable[..., Any], schema: pa.Schema) -> Iterator[pa.Table]:
        """The rows."""
        names = [given.name for given in self.inputs]
        tables = {given.name: given.read() for given in self.inputs}
        gathered = (buckets.gather(piece, self.by) for piece in buckets.in_pieces(tables, self.by))
        for batch in chain.from_iterable(even_batches(piece, names) for piece in gathered):
            keys = batch.column(self.by).to_pylist()
            members = [lists_to_members(whole(batch.column(name))) for name in names]
            rows = (row for key, *inputs in zip(keys, *members, strict=True) for row in function(key, *inputs))
            while portion := list(islice(rows, MOST_ROWS)):  # a key may give more rows than memory holds
                yield from_rows(portion, schema)


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketTask:
    """All rows that the inputs have in a bucket → any number of rows, as Arrow tables."""

    inputs: tuple[BucketInput, ...]
    bucket: int

    def make(self, function: Callable[..., Any], schema: pa.Schema) -> Iterator[pa.Table]:
        """The rows."""
        yield from function(self.bucket, *(given.read() for given in self.inputs))


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinTask:
    """Rows of several inputs beside each other where they have the same key; of one input, just its rows."""

    inputs: tuple[BucketInput, ...]
    by: str

    def make(self, function: Callable[..., Any], schema: pa.Schema) -> Iterator[pa.Table]:
        """The rows."""
        yield from buckets.join_in_pieces([given.read() for given in self.inputs], self.by)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyTask:
    """Rows that were worked out before."""

    rows: Callable[[], pa.Table]

    def make(self, function: Callable[..., Any], schema: pa.Schema) -> Iterator[pa.Table]:
        """The rows."""
        yield self.rows()


Task = RecordTask | BatchTask | KeyTask | BucketTask | JoinTask | ReadyTask


def even_batches(gathered: pa.Table, lists: Sequence[str]) -> Iterator[pa.Table]:
    """Cut between keys so that every batch has about as many rows: groups differ a thousandfold in size."""
    rows = sum(pc.list_value_length(gathered.column(name)).to_numpy() for name in lists)
    numbers = np.cumsum(rows) // ROWS_PER_BATCH
    ends = np.append(np.flatnonzero(np.diff(numbers)) + 1, len(gathered))
    start = 0
    for end in ends.tolist():
        if end > start:
            yield gathered.slice(start, end - start)
        start = end


def whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    combined = column.combine_chunks()
    return combined if isinstance(combined, pa.Array) else combined.chunk(0)
