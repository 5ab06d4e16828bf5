"""Rows on disk by bucket of a key: what lies where, and how to read a bucket of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.buckets import bucket_of
from paraloom.engine.rows import Members, members_of, row_schema, to_python
from paraloom.engine.store import part_files, read_made_by
from paraloom.tables import NOUNS

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """Rows on disk by bucket of a key: a finished table of the run, or what a pass has made."""

    key: str
    schema: pa.Schema
    parts: Mapping[int, str]
    """A finished table's file for each bucket."""
    spills: tuple[str, ...]
    """What a pass has made: each file has rows of any bucket."""
    bytes: int
    buckets: int

    def read(self, bucket: int, columns: Sequence[str], rows: tuple[int, int] | None = None) -> pa.Table:
        """The rows of one bucket, as they lie; or those from one place to another."""
        import pyarrow as pa

        from paraloom.engine.spills import may_hold, read_spill

        wanted = pa.schema([self.schema.field(name) for name in columns])
        if bucket in self.parts:
            part = self.parts[bucket]
            return read_range(part, columns, *(rows or (0, count_rows(part)))).cast(wanted)
        tables = [read_spill(file, bucket, columns) for file in self.spills if may_hold(file, bucket)]
        together = pa.concat_tables([table.cast(wanted) for table in tables]) if tables else wanted.empty_table()
        return together.slice(rows[0], rows[1] - rows[0]) if rows else together

    def count(self, bucket: int) -> int:
        """How many rows one bucket has."""
        from paraloom.engine.spills import count_spill, may_hold

        if bucket in self.parts:
            return count_rows(self.parts[bucket])
        return sum(count_spill(file, bucket) for file in self.spills if may_hold(file, bucket))

    def of_key(self, key: str, columns: Sequence[str]) -> Members:
        """The rows that have one key, for a function that needs more than the rows of its own."""
        import pyarrow.compute as pc

        rows = self.read(bucket_of(key, self.buckets), (self.key, *columns))
        rows = rows.filter(pc.equal(rows.column(self.key), key))
        return members_of(**{name: to_python(rows.column(name)) for name in columns})

    def rows(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """All of it, file by file, for a decision that needs to see everything."""
        from paraloom.engine.spills import read_spill

        for bucket in sorted(self.parts):
            yield self.read(bucket, columns)
        for file in self.spills:
            yield read_spill(file, None, columns)


def read_range(file: str | Path, columns: Sequence[str], start: int, stop: int) -> pa.Table:
    """Some rows of a part, from one place in it to another; what lies far from them is not read."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(file) as opened:
        groups = [opened.metadata.row_group(group).num_rows for group in range(opened.num_row_groups)]
        ends = [*accumulate(groups)]
        wanted = [group for group, end in enumerate(ends) if end > start and end - groups[group] < stop]
        rows = opened.read_row_groups(wanted, columns=list(columns)).select(list(columns))
    first = ends[wanted[0]] - groups[wanted[0]] if wanted else 0
    return rows.slice(start - first, stop - start)


def count_rows(file: str | Path) -> int:
    """How many rows a part has."""
    import pyarrow.parquet as pq

    return int(pq.read_metadata(file).num_rows)


def laid_in(folder: Path, key: str, schema: pa.Schema, buckets: int) -> Laid:
    """The rows that the finished tasks of a pass have laid down in a folder."""
    from paraloom.engine.spills import ENDING

    spills = sorted(folder.glob(f"task-*/*{ENDING}"))
    size = sum(spill.stat().st_size for spill in spills)
    return Laid(key=key, schema=schema, parts={}, spills=tuple(map(str, spills)), bytes=size, buckets=buckets)


def laid_table(run: Path, table: str) -> Laid:
    """A finished table of the run, which is laid down by the first column of its key."""
    parts = part_files(run, table)
    noun = NOUNS[table]
    return Laid(
        key=noun.KEY[0],
        schema=row_schema(noun),
        parts={int(file.stem.partition("-")[2]): str(file) for file in parts},
        spills=(),
        bytes=sum(part.stat().st_size for part in parts),
        buckets=int(read_made_by(run, table)["buckets"]),
    )


def joined_schema(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """The columns of all inputs of a join, each once."""
    import pyarrow as pa

    fields = {field.name: field.with_nullable(True) for schema in schemas for field in schema}
    return pa.schema(list(fields.values()))
