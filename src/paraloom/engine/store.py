"""A run folder in, its tables out: which exist, how each was made, their rows; the one place that writes Parquet."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.buckets import begins_like_an_id, bucket_of
from paraloom.engine.signatures import MadeBy
from paraloom.errors import EngineError, NotMade, TargetTaken
from paraloom.tables import NOUNS

if TYPE_CHECKING:
    import daft
    import pyarrow as pa

UNFINISHED = "unfinished"
"""Folder inside a run where steps work; gone when the run is whole."""
REASONS_TOLD = 10
"""Differences from the table that is there; with other inputs there may be as many as files."""


def write_text(path: Path, text: str) -> None:
    """Write a text file so that it is either whole or absent."""
    unfinished = unfinished_name(path)
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def made_by_file(run: Path, table: str) -> Path:
    """Where it is written how a table was made."""
    return run / f"{table}.made_by.json"


def read_made_by(run: Path, table: str) -> dict[str, Any]:
    """How a table was made; `NotMade` where it does not exist."""
    file = made_by_file(run, table)
    if not file.is_file():
        made = ", ".join(sorted(name for name in NOUNS if made_by_file(run, name).is_file())) or "no table"
        raise NotMade(f"{run} has no table {table!r} (it has: {made}). Make it with `paraloom build … --out {run}`.")
    return dict(json.loads(file.read_text(encoding="utf-8")))


def part_files(run: Path, table: str) -> list[Path]:
    """The Parquet files of a finished table, in the order of its key."""
    read_made_by(run, table)
    return sorted((run / table).glob("part-*.parquet"), key=lambda file: (len(file.name), file.name))  # 99 before 100


def read_parts(run: Path, table: str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """The rows of a finished table, file by file, so that memory holds one file at a time."""
    import pyarrow.parquet as pq

    for file in part_files(run, table):
        yield pq.read_table(file, columns=list(columns) if columns is not None else None, partitioning=None)


def read_table(run: Path, table: str, columns: Sequence[str] | None = None) -> pa.Table:
    """All rows of a finished table at once."""
    import pyarrow as pa

    return pa.concat_tables(list(read_parts(run, table, columns)))


def find_rows(run: Path, table: str, key: str) -> list[dict[str, Any]]:
    """The rows whose key's first column begins with these characters; reads only the files that can hold them."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    column = NOUNS[table].KEY[0]
    files = part_files(run, table)
    if begins_like_an_id(key):
        number = bucket_of(key, int(read_made_by(run, table)["buckets"]))
        files = [file for file in files if file.stem == f"part-{number:02d}"]
    found: list[dict[str, Any]] = []
    for file in files:
        rows = pq.read_table(file, partitioning=None)
        found += rows.filter(pc.starts_with(rows.column(column), key)).to_pylist()
    return found


def read_frame(run: Path, table: str) -> daft.DataFrame:
    """A finished table as a lazy Daft frame."""
    from paraloom.engine.places import import_daft

    frame: daft.DataFrame = import_daft().read_parquet([str(file) for file in part_files(run, table)])
    return frame


def check_target(run: Path, table: str, made_by: MadeBy, made_anew_for: Collection[str] = ()) -> bool:
    """True where the table is there, made just so; False where it is to be made; `TargetTaken` where it is another.

    One that is there and differs in nothing but what it is made anew for is to be made.
    """
    file = made_by_file(run, table)
    if file.is_file():
        before = json.loads(file.read_text(encoding="utf-8"))
        if before.get("signature") == made_by.signature:
            return True
        if (changes := made_by.changes(before)) and changes.keys() <= {*made_anew_for}:
            return False
        differences = made_by.differences(before)
        more = [f"and {len(differences) - REASONS_TOLD:,} more"] if len(differences) > REASONS_TOLD else []
        reasons = "; ".join([*differences[:REASONS_TOLD], *more]) or "its signature differs"
        raise TargetTaken(
            f"{run / table} was made another way ({reasons}). Choose another --out, or delete "
            f"{_what_must_go(run, table)} to make it anew."
        )
    if (run / table).exists() and not any((run / UNFINISHED).glob(f"{table}-*")):
        raise TargetTaken(
            f"{run / table} exists, and nothing says how it was made ({file.name} is missing). "
            "Choose another --out, or move the folder away."
        )
    return False


def _what_must_go(run: Path, table: str) -> str:
    """A table that is to be made another way, and all that was made of it; the whole run where that is everything."""
    files = {file.name.partition(".")[0]: file for file in run.glob(made_by_file(run, "*").name)}
    inputs = {name: {*json.loads(file.read_text("utf-8")).get("inputs", ())} for name, file in files.items()}
    gone = {table}
    while more := {name for name, read in inputs.items() if name not in gone and read & gone}:
        gone |= more
    return str(run) if gone >= inputs.keys() else ", ".join(f"{run / name}*" for name in sorted(gone))


def unfinished_folder(run: Path, table: str, made_by: MadeBy) -> Path:
    """Where a step keeps what it has done so far; the name has the signature, so that only the same step resumes it."""
    return run / UNFINISHED / f"{table}-{made_by.signature}"


def clear_unfinished(run: Path, table: str) -> None:
    """Remove what steps have left on the way to a table that is finished now."""
    for folder in (run / UNFINISHED).glob(f"{table}-*"):
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # absent, or other tables are on their way
        (run / UNFINISHED).rmdir()


def unfinished_name(target: Path) -> Path:
    """Where to write what shall be either whole or absent; no two writers choose the same name, on whatever node."""
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}.unfinished")


def take_place(unfinished: Path, target: Path) -> None:
    """Give what is whole its name; where that is there, another worker has done the same task, to the same bytes."""
    try:
        unfinished.rename(target)
    except OSError:
        if not target.exists():
            raise


def clear_leftovers(folder: Path) -> None:
    """Remove files whose writer was killed before they were whole."""
    for file in folder.glob(".*.unfinished"):
        file.unlink()


@contextlib.contextmanager
def alone_in(run: Path) -> Iterator[None]:
    """One process works in a run folder at a time; the lock is on the folder itself and ends with the process."""
    opened = os.open(run, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # a file system without locks
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as busy:
                raise EngineError(
                    f"Another process is working in {run}. Wait for it, stop it, or choose another --out."
                ) from busy
        clear_leftovers(run)
        yield
    finally:
        os.close(opened)


def write_part(table: pa.Table, target: Path) -> None:
    """One Parquet file, whole or absent. Nothing else in Paraloom writes a table's Parquet."""
    import pyarrow.parquet as pq

    unfinished = unfinished_name(target)
    pq.write_table(table, unfinished, compression="zstd", row_group_size=65_536, write_statistics=True)
    unfinished.replace(target)
