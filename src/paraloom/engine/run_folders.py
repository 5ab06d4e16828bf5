"""A run's folder in, an error out where no table can lie in it."""

from __future__ import annotations

from pathlib import Path

from paraloom.errors import InputError
from paraloom.text.file_names import told_name


def check_run_folder(run: Path) -> None:
    """An error now where tables could be neither written nor read: Arrow takes no path that is not UTF-8."""
    path = str(run.resolve())
    if told_name(path) != path:
        raise InputError(
            f"{told_name(path)}: the path of a run folder must be UTF-8, or no table can lie in it. Choose or rename "
            "the folder."
        )
