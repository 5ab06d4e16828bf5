"""A path in, an error out where no report can be written there, before anything is measured."""

from __future__ import annotations

from pathlib import Path

from paraloom.errors import InputError


def check_report_folder(path: Path) -> None:
    """Refuse a folder that is a file, or that lies in one."""
    for place in (path, *path.parents):
        if place.exists():
            if not place.is_dir():
                raise InputError(f"--out {path} is a file, or lies in one. Give a folder, which may be a new one.")
            return
