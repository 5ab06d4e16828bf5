"""Arrow columns in, plain Python values out, and dataclass rows back into Arrow: the border stages work behind."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Members:
    """The rows of one input that share a key, column by column.

    >>> members = Members({"text": ["a", "b", "c"]}, 1, 3)
    >>> len(members), members["text"]
    (2, ['b', 'c'])
    """

    __slots__ = ("columns", "start", "stop")

    def __init__(self, columns: dict[str, list[Any]], start: int, stop: int) -> None:
        self.columns = columns
        self.start = start
        self.stop = stop

    def __len__(self) -> int:
        return self.stop - self.start

    def __getitem__(self, column: str) -> list[Any]:
        return self.columns[column][self.start : self.stop]

    def only(self, column: str) -> Any:
        """The value of a column where there is exactly one row."""
        (value,) = self[column]
        return value


def members_of(**columns: Sequence[Any]) -> Members:
    """Members made by hand, for tests and for use outside the engine."""
    lists = {name: list(values) for name, values in columns.items()}
    return Members(lists, 0, len(next(iter(lists.values()), [])))


def to_python(column: pa.Array | pa.ChunkedArray) -> list[Any]:
    """A column as Python values. Times take a short cut: Arrow's own way costs four times as much."""
    import pyarrow as pa

    if pa.types.is_timestamp(column.type):
        micros = column.cast(pa.timestamp("us", tz=column.type.tz)).cast(pa.int64()).to_pylist()
        return [None if value is None else EPOCH + timedelta(microseconds=value) for value in micros]
    values: list[Any] = column.to_pylist()
    return values


def from_rows(rows: Sequence[Any], schema: pa.Schema) -> pa.Table:
    """Dataclass rows as an Arrow table with this schema."""
    import pyarrow as pa

    arrays = []
    for field in schema:
        get = attrgetter(field.name)
        arrays.append(pa.array([get(row) for row in rows], field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def lists_to_members(column: pa.ListArray) -> list[Members]:
    """A column of row lists as one `Members` a list; the values are converted once for the whole column."""
    start = column.offsets.to_pylist()
    flat = column.values
    first, last = start[0], start[-1]
    flat = flat.slice(first, last - first)
    names = [field.name for field in flat.type]
    columns = {name: to_python(flat.field(name)) for name in names}
    return [Members(columns, a - first, b - first) for a, b in pairwise(start)]


def row_schema(row: type) -> pa.Schema:
    """The Arrow schema of any dataclass row, nouns and intermediate rows alike."""
    from paraloom.tables import schema

    assert dataclasses.is_dataclass(row)
    return schema(row)  # type: ignore[arg-type]
