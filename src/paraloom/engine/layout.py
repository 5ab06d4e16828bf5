"""Rows on disk by bucket of a key: what lies where, laying rows down, reading them back."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine import buckets as bucketing
from paraloom.engine.rows import row_schema
from paraloom.engine.store import part_files, write_part
from paraloom.tables import NOUNS

if TYPE_CHECKING:
    import pyarrow as pa

BUCKET = "__bucket__"
"""Column that says where a row goes next; it becomes the name of a folder and is in no table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """Rows on disk by bucket of a key: a finished table of the run, or what a pass has made."""

    key: str
    schema: pa.Schema
    files: Mapping[int, tuple[str, ...]]
    """The files that hold the rows of each bucket."""
    bytes: int

    def rows(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """All of it, file by file, for a decision that needs to see everything."""
        import pyarrow.parquet as pq

        for bucket in sorted(self.files):
            for file in self.files[bucket]:
                yield pq.read_table(file, columns=list(columns), partitioning=None)


def joined_schema(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """The columns of all inputs of a join, each once."""
    import pyarrow as pa

    fields = {field.name: field.with_nullable(True) for schema in schemas for field in schema}
    return pa.schema(list(fields.values()))


def wave_folder(folder: Path, number: int) -> Path:
    """Where a finished wave of a pass lies."""
    return folder / f"wave-{number:04d}"


def laid_in(folder: Path, key: str, schema: pa.Schema) -> Laid:
    """The rows that finished waves have laid down in a folder."""
    files: dict[int, tuple[str, ...]] = {}
    size = 0
    for file in sorted(folder.glob(f"wave-????/{BUCKET}=*/*.parquet")):
        bucket = int(file.parent.name.partition("=")[2])
        files[bucket] = (*files.get(bucket, ()), str(file))
        size += file.stat().st_size
    return Laid(key=key, schema=schema, files=files, bytes=size)


def laid_table(run: Path, table: str) -> Laid:
    """A finished table of the run, which is laid down by the first column of its key."""
    parts = part_files(run, table)
    noun = NOUNS[table]
    return Laid(
        key=noun.KEY[0],
        schema=row_schema(noun),
        files={int(file.stem.partition("-")[2]): (str(file),) for file in parts},
        bytes=sum(part.stat().st_size for part in parts),
    )


def lay_rows(rows: Callable[[], pa.Table], key: str, folder: Path, buckets: int) -> Laid:
    """Rows that were worked out here, laid down like those of a pass."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = rows()
    target = wave_folder(folder, 0)
    if not target.exists():
        with unfinished_wave(target) as unfinished:
            numbers = bucketing.buckets_of(table.column(key), buckets) if len(table) else pa.array([], pa.int64())
            for number in pc.unique(numbers).to_pylist():
                part = unfinished / f"{BUCKET}={number}"
                part.mkdir()
                write_part(table.filter(pc.equal(numbers, number)), part / "rows.parquet")
    return laid_in(folder, key, table.schema)


class unfinished_wave:
    """A folder that takes its place when the block ends well; what a killed run left there is cleared first."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.unfinished = target.with_name(f"{target.name}.unfinished")

    def __enter__(self) -> Path:
        shutil.rmtree(self.unfinished, ignore_errors=True)  # left by a killed run: nobody knows how whole it is
        self.unfinished.mkdir(parents=True)
        return self.unfinished

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self.unfinished.rename(self.target)  # a wave is either whole or absent
