"""Tables of a run for tests: a few rows, laid down as a build does."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args, get_type_hints

from paraloom.engine.rows import from_rows
from paraloom.engine.signatures import MadeBy
from paraloom.engine.store import made_by_file, write_part, write_text
from paraloom.tables import NOUNS, schema

EMPTY = {str: "", int: 0, float: 0.0, bool: False, datetime: datetime(2020, 1, 1, tzinfo=UTC)}


def write(run: Path, table: str, rows: list[dict[str, Any]], parts: int = 2) -> None:
    """Lay rows down as a build does; what a row does not say is empty."""
    noun = NOUNS[table]
    hints = get_type_hints(noun)
    blank = {
        field.name: None if type(None) in get_args(hints[field.name]) else EMPTY.get(hints[field.name], [])
        for field in dataclasses.fields(noun)
    }
    whole = [noun(**(blank | row)) for row in rows]
    whole.sort(key=lambda row: [getattr(row, column) for column in noun.KEY])
    (run / table).mkdir(parents=True)
    for part in range(parts):
        here = [row for row in whole if int(getattr(row, noun.KEY[0])[0], 16) * parts // 16 == part]
        write_part(from_rows(here, schema(noun)), run / table / f"part-{part:02d}.parquet")
    made_by = MadeBy(step=table, options={}, inputs={}, weights={}, source="", paraloom="0.1.0", buckets=parts)
    write_text(made_by_file(run, table), json.dumps({**dataclasses.asdict(made_by), "rows": len(rows)}))
