"""A frame and a stage's function in, the frame of what the function makes out, ready to be laid down."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

import daft
import pyarrow as pa

from paraloom.engine.buckets import buckets_of
from paraloom.engine.layout import BUCKET
from paraloom.engine.rows import from_rows, lists_to_members, row_schema
from paraloom.errors import EngineError

if TYPE_CHECKING:
    from paraloom.engine.passes import Pass


def call(given: Pass, frame: daft.DataFrame, *, buckets: int, workers: int | None, on_ray: bool) -> daft.DataFrame:
    """The rows that the pass's function makes of the frame, each with the bucket that it goes to.

    With `workers`, so many helper processes (actors, on Ray) share the work; else it is done where the rows are read.
    """
    kind = _by_batch(given, buckets) if given.by is None else _by_key(given, buckets)
    processes = workers is not None and not on_ray
    worker = daft.cls(kind, use_process=processes, max_concurrency=workers)()  # any max_concurrency starts processes
    made = frame.select(worker(*(frame[name] for name in frame.column_names)).alias("row"))
    if given.by is not None:
        made = made.explode("row")
        made = made.where(~made["row"].is_null())  # a key that made no rows comes back as one null row
    names = [*row_schema(given.row).names, BUCKET]
    return made.select(*(made["row"].get(name).alias(name) for name in names))


def _by_key(given: Pass, buckets: int) -> type:
    schema = row_schema(given.row)
    laid = _laid_type(schema)

    class ByKey:
        """Calls the stage's function once a key, with the rows that each input has for it."""

        def __init__(self) -> None:
            self.function = given.work()
            self.turn = Lock()  # without helper processes Daft calls one instance from several threads

        @daft.method.batch(return_dtype=daft.DataType.from_arrow_type(pa.list_(laid)))
        def __call__(self, keys: daft.Series, *lists: daft.Series) -> Any:
            inputs = [lists_to_members(whole(column.to_arrow())) for column in lists]
            rows: list[Any] = []
            offsets = [0]
            with self.turn:
                for key, *members in zip(keys.to_pylist(), *inputs, strict=True):
                    rows.extend(self.function(key, *members))
                    offsets.append(len(rows))
            made = _with_bucket(from_rows(rows, schema), given.to, buckets)
            return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), made)

    return ByKey


def _by_batch(given: Pass, buckets: int) -> type:
    schema = row_schema(given.row)

    class ByBatch:
        """Calls the stage's function on a batch of rows; one row comes back for each."""

        def __init__(self) -> None:
            self.function = given.work()
            self.turn = Lock()  # without helper processes Daft calls one instance from several threads

        @daft.method.batch(return_dtype=daft.DataType.from_arrow_type(_laid_type(schema)))
        def __call__(self, *columns: daft.Series) -> Any:
            batch = pa.table({column.name(): column.to_arrow() for column in columns})
            with self.turn:
                made = self.function(batch)
            if len(made) != len(batch):  # Daft would spread a single value over the batch without a word
                raise EngineError(f"{given.name} gave {len(made)} rows for {len(batch)}.")
            return _with_bucket(made.cast(schema), given.to, buckets)

    return ByBatch


def _laid_type(schema: pa.Schema) -> pa.DataType:
    return pa.struct([*schema, pa.field(BUCKET, pa.int64())])


def _with_bucket(table: pa.Table, to: str, buckets: int) -> pa.StructArray:
    arrays = [*(whole(column) for column in table.columns), buckets_of(table.column(to), buckets)]
    return pa.StructArray.from_arrays(arrays, fields=list(_laid_type(table.schema)))


def whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    combined = column.combine_chunks()
    return combined if isinstance(combined, pa.Array) else combined.chunk(0)
