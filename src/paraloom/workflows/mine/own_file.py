"""A file of pairs in, a note in the run of what was written there out: a file that a person has changed stays."""

from __future__ import annotations

import json
from pathlib import Path

from paraloom.engine.signatures import hash_of_file
from paraloom.engine.store import write_text
from paraloom.errors import TargetTaken

WRITTEN = "file.json"
"""In the run folder: the name of the file that was written last, and its hash."""


def forget_written(run: Path) -> None:
    """Before it is written anew: one that is killed then leaves a file that is its own, and no note."""
    (run / WRITTEN).unlink(missing_ok=True)


def note_written(run: Path, file: Path) -> None:
    """Note what was written."""
    write_text(run / WRITTEN, json.dumps({"name": file.name, "hash": hash_of_file(file)}, indent=2) + "\n")


def refuse_changed(run: Path, file: Path) -> None:
    """An error where the file is not as it was written: it would be written anew."""
    noted = run / WRITTEN
    if not file.is_file() or not noted.is_file():
        return
    told = json.loads(noted.read_text(encoding="utf-8"))
    if told["name"] == file.name and told["hash"] != hash_of_file(file):
        raise TargetTaken(
            f"{file} has been changed since it was written, and would be written anew. Move it elsewhere, or delete "
            "it, and give the same command."
        )
