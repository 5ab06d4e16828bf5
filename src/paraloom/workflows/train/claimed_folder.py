"""A folder and what is to be trained in it in, a folder for that training alone out."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from paraloom.errors import TargetTaken
from paraloom.models.training.checkpoints import FINISHED, MADE_BY, read_json, refuse_if_other, write_whole

UNFINISHED = "unfinished"
"""Folder inside it where checkpoints are kept; gone when the training is finished."""


@contextmanager
def claimed(out: Path, made_by: Mapping[str, Any]) -> Iterator[None]:
    """Take a new or empty folder, or one in which the same training was begun.

    Where the training fails before it has kept anything, the folder is given up again: what was wrong with it can be
    mended, and nothing would be gone on from.
    """
    is_new = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    file = out / MADE_BY
    if file.is_file():
        refuse_if_other(out, read_json(file), made_by)
    elif any(not one.name.endswith(".unfinished") for one in out.iterdir()):
        raise TargetTaken(f"{out} holds files that no training has left. Choose another --out.")
    else:
        write_whole(file, (json.dumps(made_by, indent=1) + "\n").encode())
    try:
        yield
    except BaseException:
        if not _has_kept_anything(out):
            shutil.rmtree(out / UNFINISHED, ignore_errors=True)
            file.unlink(missing_ok=True)
            if is_new:
                with suppress(OSError):  # someone has put a file there meanwhile
                    out.rmdir()
        raise


def _has_kept_anything(out: Path) -> bool:
    """Whether there is more than the mark of a claim: a checkpoint, or files of a trained identifier."""
    if any(one.name not in (MADE_BY, UNFINISHED) and not one.name.endswith(".unfinished") for one in out.iterdir()):
        return True
    return any(one.suffix == ".pt" or one.name == FINISHED for one in (out / UNFINISHED).rglob("*"))
