"""A table of a run and some names in, the rows that bear them out, a part of the table in memory at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from paraloom.engine.store import read_parts


def rows_named(
    run: Path, table: str, columns: Sequence[str], name: str, wanted: Collection[str]
) -> Iterator[dict[str, Any]]:
    """The rows whose column `name` holds one of the wanted values; the others are left before they become Python's."""
    import pyarrow as pa
    import pyarrow.compute as pc

    values = pa.array(sorted(wanted), pa.string())
    for part in read_parts(run, table, columns):
        yield from part.filter(pc.is_in(part.column(name), value_set=values)).to_pylist()
