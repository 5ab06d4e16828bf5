"""Rows on disk by bucket of a key: what lies where, and how to read a bucket of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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

    def read(self, bucket: int, columns: Sequence[str]) -> pa.Table:
        """The rows of one bucket."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        from paraloom.engine.spills import read_spill

        wanted = pa.schema([self.schema.field(name) for name in columns])
        tables = [read_spill(file, bucket, columns) for file in self.spills]
        if bucket in self.parts:
            tables.append(pq.read_table(self.parts[bucket], columns=list(columns), partitioning=None))
        return pa.concat_tables([table.cast(wanted) for table in tables]) if tables else wanted.empty_table()

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
