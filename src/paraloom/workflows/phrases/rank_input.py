"""A run or a file of phrase pairs in, their rows out: each pair once, lower-cased and folded as in the table."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.given import read_rows
from paraloom.engine.signatures import hash_of_file
from paraloom.engine.store import made_by_file, read_made_by, read_parts
from paraloom.errors import InputError
from paraloom.phrases.ppdb import BETWEEN, is_ppdb, read_ppdb
from paraloom.phrases.rank_rows import GIVEN, SCHEMA
from paraloom.phrases.tokens import comparable_tokens
from paraloom.workflows.evaluate.named_columns import named_columns

TABLE = "phrases"
_PROBABILITIES = ("forward", "backward", "lexical_forward", "lexical_backward")


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPhrases:
    """Phrase pairs, and where they are from."""

    rows: pa.Table
    """With the columns `GIVEN`; what is not known is null."""
    run: Path | None
    """The run that they are from, if it is one."""
    signature: str
    score: pa.Array
    """The score that they came with; null where they had none."""
    left_out: dict[str, int] = field(default_factory=dict)
    """Rows that were left out, by reason."""


def read_phrases(source: str | Path, columns: Sequence[str] = ()) -> GivenPhrases:
    """The kept rows of a run's table `phrases`, or those of a file: TSV, CSV, JSONL, JSON or Parquet with `left` and
    `right` and perhaps more of the table's columns, or PPDB's text form as `write_ppdb` writes it."""
    path = Path(source)
    if path.is_dir():
        if not made_by_file(path, TABLE).is_file():
            raise InputError(f"{path} has no table {TABLE!r}. Make it with `paraloom phrases extract`, or give a file.")
        return _of_run(path)
    table, left_out = _of_ppdb(path) if is_ppdb(path) else _of_file(path, columns)
    if not len(table):
        raise InputError(f"There is no phrase pair in {path}. Give a file with `left` and `right` in its rows.")
    return GivenPhrases(
        rows=table.select(GIVEN),
        run=None,
        signature=f"file:{hash_of_file(path)[:8]}",
        score=table.column("score").combine_chunks(),
        left_out=left_out,
    )


def _of_run(run: Path) -> GivenPhrases:
    parts = [part.filter(pc.is_null(part.column("dropped_for"))) for part in read_parts(run, TABLE)]
    table = pa.concat_tables(parts)
    if not len(table):
        raise InputError(f"The table {TABLE!r} of {run} has no row that was kept. Extract phrases from more sentences.")
    rows = table.select(GIVEN).cast(_schema(GIVEN))
    return GivenPhrases(rows=rows, run=run, signature=run_signature(run), score=table.column("score").combine_chunks())


def run_signature(run: Path) -> str:
    """How the phrases of a run are named in the signature of what was made of them."""
    return f"run:{read_made_by(run, TABLE)['signature'][:8]}"


def _of_ppdb(path: Path) -> tuple[pa.Table, dict[str, int]]:
    try:
        found = [{name: getattr(row, name) for name in (*GIVEN, "score")} for row in read_ppdb(path)]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}. Give lines with {BETWEEN!r} between fields.") from error
    return _each_once(found)


def _of_file(path: Path, columns: Sequence[str]) -> tuple[pa.Table, dict[str, int]]:
    rows = read_rows(path, ("left", "right"), named_columns(columns))
    left, right = rows.texts("left"), rows.texts("right")
    known: dict[str, Sequence[Any]] = {"left": left, "right": right}
    if rows.has_header:
        others = (name for name in (*GIVEN, "score") if name in rows.columns and name not in known)
        known |= {name: [_read(path, name, value) for value in rows.columns[name]] for name in others}
    reasons = rows.columns.get("dropped_for", [None] * len(left)) if rows.has_header else [None] * len(left)
    wanted = (*GIVEN, "score")
    found = [
        {name: known[name][place] if name in known else None for name in wanted}
        for place, reason in enumerate(reasons)
        if not reason
    ]
    table, left_out = _each_once(found)
    return table, {**({"dropped_before": len(left) - len(found)} if len(found) < len(left) else {}), **left_out}


def _read(path: Path, name: str, value: Any) -> Any:
    """A value as the table has it; TSV and CSV hold texts alone, and an empty one says nothing."""
    kind = SCHEMA.field(name).type
    if value is None or value == "":
        return None
    if name == "contexts":
        return (
            [one for one in value if isinstance(one, str) and one.count("\t") == 2] if isinstance(value, list) else None
        )
    if kind == pa.string():
        return str(value)
    try:
        number = float(value)
        if not math.isfinite(number) or (name in _PROBABILITIES and not 0 <= number <= 1):
            raise ValueError(f"{value!r} is no probability" if name in _PROBABILITIES else f"{value!r} is no number")
        return pa.scalar(int(number), kind).as_py() if kind == pa.int64() else number
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{path}: the column {name} has a value that cannot be read ({error}). Mend it.") from error


def _each_once(found: list[dict[str, Any]]) -> tuple[pa.Table, dict[str, int]]:
    """Rows in the order of their phrases. Of a pair that is there again, the row that says most of it is taken."""
    left_out: Counter[str] = Counter()
    of_pair: dict[tuple[str, str], dict[str, Any]] = {}
    for row in found:
        left, right = comparable_tokens(row["left"]), comparable_tokens(row["right"])
        if not (left and right):
            left_out["no_words"] += 1
        elif left == right:
            left_out["identical"] += 1
        else:
            own = {**row, "left": left, "right": right}
            if before := of_pair.get((left, right)):
                left_out["repeated"] += 1
                own = max(before, own, key=_said)
            of_pair[left, right] = own
    rows = [of_pair[pair] for pair in sorted(of_pair)]
    table = pa.Table.from_pylist(rows, schema=_schema((*GIVEN, "score")).remove_metadata())
    return table, dict(sorted(left_out.items()))


def _said(row: dict[str, Any]) -> tuple[int, int, str]:
    """Rows that count more, then those that say more; then any order, as long as it is one."""
    return row["count"] or 0, sum(value is not None for value in row.values()), repr(sorted(row.items(), key=str))


def _schema(names: Sequence[str]) -> pa.Schema:
    """The columns of a ranked table, all but the phrases nullable."""
    return pa.schema(
        [pa.field(name, SCHEMA.field(name).type, nullable=name not in ("left", "right")) for name in names]
    )
