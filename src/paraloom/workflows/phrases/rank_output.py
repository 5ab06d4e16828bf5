"""Ranked phrase pairs in, a file out, whole or absent; its ending says how they are written."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.store import unfinished_name, write_part, write_text
from paraloom.errors import InputError
from paraloom.phrases.ppdb import is_ppdb, write_ppdb
from paraloom.tables import Phrase

if TYPE_CHECKING:
    import pyarrow as pa

SIGNED = b"paraloom"
"""The key of a Parquet file's own notes that says how it was made."""


def write_ranked(rows: pa.Table, out: Path, signature: str) -> None:
    """Write all rows, best first. Of TSV and CSV, contexts are left out: they have tabs in them."""
    for ending, write in WRITERS.items():
        if out.name.endswith(ending):
            write(rows, out, signature)
            return
    raise InputError(f"How {out.name} is to be written is not known. End its name in one of: {', '.join(WRITERS)}.")


def check_ending(out: Path) -> None:
    """Refuse a name that does not say how to write, before anything is worked out."""
    if not out.name.endswith(tuple(WRITERS)) or (out.suffix == ".gz" and not is_ppdb(out)):
        raise InputError(f"How {out.name} is to be written is not known. End its name in one of: {', '.join(WRITERS)}.")


def signature_of(out: Path) -> str | None:
    """How a Parquet file was made, as it says itself; None of any other file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not out.is_file() or out.suffix != ".parquet":
        return None
    try:
        noted = pq.read_schema(out).metadata or {}
    except (OSError, pa.ArrowInvalid):
        return None
    return noted[SIGNED].decode() if SIGNED in noted else None


def _parquet(rows: pa.Table, out: Path, signature: str) -> None:
    write_part(rows.replace_schema_metadata({SIGNED: signature.encode()}), out)


def _jsonl(rows: pa.Table, out: Path, signature: str) -> None:
    unfinished = unfinished_name(out)
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as opened:
            for batch in rows.to_batches(max_chunksize=65_536):
                opened.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in batch.to_pylist())
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)


def _separated(dialect: str) -> Callable[[pa.Table, Path, str], None]:
    def write(rows: pa.Table, out: Path, signature: str) -> None:
        names = [name for name in rows.column_names if name != "contexts"]
        columns = rows.select(names).to_pydict()
        text = io.StringIO(newline="")
        lines = zip(*(columns[name] for name in names), strict=True)
        if dialect == "tsv":  # phrases have no tabs and no ends of lines in them: nothing needs quotes
            text.write("\t".join(names) + "\n")
            text.writelines("\t".join("" if cell is None else str(cell) for cell in line) + "\n" for line in lines)
        else:
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(names)
            writer.writerows(lines)
        write_text(out, text.getvalue())

    return write


def _ppdb(rows: pa.Table, out: Path, signature: str) -> None:
    wanted = [name for name in Phrase.__dataclass_fields__ if name in rows.column_names]
    needed = ("count", "forward", "backward", "lexical_forward", "lexical_backward")
    if lacking := [name for name in needed if rows.column(name).null_count]:
        raise InputError(f"PPDB's form needs {lacking[0]}, which not all pairs have. Write .tsv, .jsonl or .parquet.")
    batches = rows.select(wanted).to_batches(max_chunksize=65_536)
    write_ppdb((Phrase(**row) for batch in batches for row in batch.to_pylist()), out)


WRITERS: dict[str, Callable[[pa.Table, Path, str], None]] = {
    ".parquet": _parquet,
    ".jsonl": _jsonl,
    ".tsv": _separated("tsv"),
    ".csv": _separated("csv"),
    ".ppdb": _ppdb,
    ".gz": _ppdb,  # .ppdb.gz, or .gz alone: PPDB comes packed; the other forms are not
}
"""A name's ending, and what writes it."""
