"""A file of pairs in, a note in the run of what was written there, and from what, out.

A file that a person has changed stays, and one that would be written just so again is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.signatures import hash_of_file
from paraloom.engine.store import read_made_by, unfinished_name, write_text
from paraloom.errors import TargetTaken

if TYPE_CHECKING:
    from paraloom.workflows.mine.options import JudgeOptions

WRITTEN = "file.json"
"""In the run folder: the name of the file that was written last, its hash and what it was made from; while it is being
written, what it is called until it is whole."""


def made_from(run: Path, options: JudgeOptions) -> dict[str, Any]:
    """All that decides what is in the file, but for its format, which its name tells."""
    tables = ("pairs", "labels", "clusters") if options.identify else ("pairs", "clusters")
    signatures = {name: read_made_by(run, name)["signature"] for name in tables}
    return signatures | {"keep_negatives": options.keep_negatives}


def begin_file(run: Path, file: Path) -> Path:
    """What the file is called until it is whole. It is noted: of one that is killed then, the file that is there is its
    own, and what it had written is found."""
    unfinished = unfinished_name(file.resolve())
    write_text(run / WRITTEN, json.dumps({"unfinished": unfinished.name}, indent=2) + "\n")
    return unfinished


def clear_begun(run: Path, file: Path) -> None:
    """Remove what a run has left that was killed while it wrote the file; what others write beside it stays."""
    if unfinished := _noted(run).get("unfinished"):
        file.resolve().with_name(unfinished).unlink(missing_ok=True)


def note_written(run: Path, file: Path, content: str, made_from: Mapping[str, Any]) -> None:
    """Note what was written, by the hash of its content."""
    noted = {"name": file.name, "hash": content, "made_from": made_from}
    write_text(run / WRITTEN, json.dumps(noted, indent=2, sort_keys=True) + "\n")


def file_made_from(run: Path, file: Path) -> Mapping[str, Any] | None:
    """What the file that is there was made from, None where there is none; an error where it is not as it was written,
    since it might be written anew."""
    noted = _noted(run)
    if noted.get("name") != file.name or not file.is_file():
        return None
    if noted["hash"] != hash_of_file(file):
        raise TargetTaken(
            f"{file} has been changed since it was written, and would be written anew. Move it elsewhere, or delete "
            "it, and give the same command."
        )
    return dict(noted.get("made_from", {}))


def _noted(run: Path) -> dict[str, Any]:
    file = run / WRITTEN
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}
