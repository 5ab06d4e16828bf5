"""Where labels are to be written in, an error out where they cannot or must not be, before anything is read."""

from __future__ import annotations

from pathlib import Path

from paraloom.engine.given import format_of
from paraloom.errors import InputError
from paraloom.workflows.identify.unfinished import check_target

FORMATS = ("parquet", "jsonl", "csv", "tsv")


def check_label_file(target: Path, given: list[Path], *, overwrite: bool) -> None:
    """Refuse a file that cannot or must not be written, before anything is read."""
    if format_of(target) not in FORMATS:
        raise InputError(f"{target}: a file of labels ends in .parquet, .jsonl, .csv or .tsv.")
    if format_of(target) == "parquet" and target.suffix.lower() != ".parquet":
        raise InputError(f"{target}: Parquet is compressed already. Call it {target.stem}.")
    if target.exists() and any(file.exists() and target.samefile(file) for file in given):
        raise InputError(f"--out {target} is a file of judgments itself. Give --out another one.")
    if any(file.is_dir() and target.resolve().parent == file.resolve() for file in given):
        raise InputError(f"--out {target} lies among the files of the table of judgments. Give --out another place.")
    check_target(target, overwrite=overwrite)
