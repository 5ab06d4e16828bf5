"""What Daft reads: chunks of foreign files as raw records, and buckets of rows gathered by key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import daft
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from daft.io.source import DataSource, DataSourceTask
from daft.recordbatch import RecordBatch

from paraloom.engine import buckets, foreign
from paraloom.engine.layout import BUCKET, joined_schema

if TYPE_CHECKING:
    from daft.io.pushdowns import Pushdowns
    from daft.schema import Schema

ROWS_PER_BATCH = 4096
ROWS_PER_JOIN = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketInput:
    """Where the rows of one input lie for one bucket, and which of them are wanted."""

    name: str
    files: tuple[str, ...]
    schema: pa.Schema
    """Columns wanted, the key among them."""
    kept_only: bool
    """Leave out the rows that have been dropped."""

    def read(self) -> pa.Table:
        """The rows of this bucket."""
        names = self.schema.names
        wanted = list(dict.fromkeys([*names, "dropped_for"] if self.kept_only else names))
        tables = []
        for file in self.files:
            table = pq.read_table(file, columns=wanted, partitioning=None)
            if self.kept_only:
                table = table.filter(pc.is_null(table.column("dropped_for")))
            tables.append(table.select(names).cast(self.schema))
        return pa.concat_tables(tables) if tables else self.schema.empty_table()


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


class _Task(DataSourceTask):
    """A task whose batches an ordinary function yields."""

    def __init__(self, batches: Any, schema: pa.Schema) -> None:
        self._batches = batches
        self._schema = schema

    @property
    def schema(self) -> Schema:
        return daft.Schema.from_pyarrow_schema(self._schema)

    async def read(self) -> AsyncIterator[RecordBatch]:
        for table in self._batches():
            yield RecordBatch.from_arrow_table(table)


class _Source(DataSource):
    """A source with one task per element of a list."""

    def __init__(self, name: str, schema: pa.Schema, tasks: Sequence[Any]) -> None:
        self._name = name
        self._schema = schema
        self._tasks = tasks

    @property
    def name(self) -> str:
        return self._name

    @property
    def schema(self) -> Schema:
        return daft.Schema.from_pyarrow_schema(self._schema)

    async def get_tasks(self, pushdowns: Pushdowns) -> AsyncIterator[DataSourceTask]:
        for batches in self._tasks:
            yield _Task(batches, self._schema)


@dataclass(frozen=True, slots=True)
class RecordBatches:
    """The raw records of one chunk of a foreign file."""

    chunk: foreign.Chunk

    def __call__(self) -> Any:
        return foreign.records(self.chunk)


@dataclass(frozen=True, slots=True)
class GatheredBatches:
    """The keys of one bucket, each with the rows that have it."""

    inputs: tuple[BucketInput, ...]
    by: str

    def __call__(self) -> Any:
        gathered = buckets.gather({given.name: given.read() for given in self.inputs}, self.by)
        yield from even_batches(gathered, [given.name for given in self.inputs])


@dataclass(frozen=True, slots=True)
class JoinedBatches:
    """The rows of one bucket of several inputs, joined by key, each with the bucket it goes to next."""

    inputs: tuple[BucketInput, ...]
    by: str
    to: str
    buckets: int
    schema: pa.Schema

    def __call__(self) -> Any:
        joined = buckets.join([given.read() for given in self.inputs], self.by)
        numbers = buckets.buckets_of(joined.column(self.to), self.buckets)
        joined = joined.append_column(BUCKET, numbers).select(self.schema.names).cast(self.schema)
        for start in range(0, len(joined), ROWS_PER_JOIN):
            yield joined.slice(start, ROWS_PER_JOIN)


@dataclass(frozen=True, slots=True)
class PlainBatches:
    """The rows of one bucket as they lie."""

    given: BucketInput

    def __call__(self) -> Any:
        table = self.given.read()
        for start in range(0, len(table), ROWS_PER_BATCH):
            yield table.slice(start, ROWS_PER_BATCH)


def record_source(chunks: Sequence[foreign.Chunk]) -> daft.DataFrame:
    """Raw records of foreign files, as a frame."""
    return _Source("foreign files", foreign.SCHEMA, [RecordBatches(chunk) for chunk in chunks]).read()


def plain_source(bucketed: Sequence[BucketInput]) -> daft.DataFrame:
    """Rows of one input, bucket by bucket, as a frame."""
    return _Source(bucketed[0].name, bucketed[0].schema, [PlainBatches(given) for given in bucketed]).read()


def gathered_source(bucketed: Sequence[tuple[BucketInput, ...]], by: str) -> daft.DataFrame:
    """Rows of several inputs gathered by key, bucket by bucket, as a frame of lists."""
    fields = [pa.field(by, pa.string())]
    for given in bucketed[0]:
        row = pa.struct([field for field in given.schema if field.name != by])
        fields.append(pa.field(given.name, pa.list_(row)))
    return _Source("gathered rows", pa.schema(fields), [GatheredBatches(inputs, by) for inputs in bucketed]).read()


def joined_source(bucketed: Sequence[tuple[BucketInput, ...]], by: str, to: str, buckets: int) -> daft.DataFrame:
    """Rows of several inputs joined by key, bucket by bucket, as a frame."""
    schema = joined_schema([given.schema for given in bucketed[0]]).append(pa.field(BUCKET, pa.int64()))
    tasks = [JoinedBatches(inputs, by, to, buckets, schema) for inputs in bucketed]
    return _Source("joined rows", schema, tasks).read()
