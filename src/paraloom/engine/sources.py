"""What Daft reads: chunks of foreign files as raw records, and buckets of rows gathered by key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import daft
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from daft.io.source import DataSource, DataSourceTask
from daft.recordbatch import RecordBatch

from paraloom.engine import buckets, foreign

if TYPE_CHECKING:
    from daft.io.pushdowns import Pushdowns
    from daft.schema import Schema

KEYS_PER_BATCH = 512
ROWS_PER_BATCH = 4096


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
        wanted = [*names, "dropped_for"] if self.kept_only and "dropped_for" not in names else names
        tables = []
        for file in self.files:
            table = pq.read_table(file, columns=wanted, partitioning=None)
            if self.kept_only:
                table = table.filter(pc.is_null(table.column("dropped_for")))
            tables.append(table.select(names).cast(self.schema))
        return pa.concat_tables(tables) if tables else self.schema.empty_table()


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
        for start in range(0, len(gathered), KEYS_PER_BATCH):
            yield gathered.slice(start, KEYS_PER_BATCH)


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


def existing(folders: Sequence[Path], pattern: str) -> tuple[str, ...]:
    """Files of a pattern below these folders, sorted."""
    return tuple(sorted(str(file) for folder in folders for file in folder.glob(pattern)))
