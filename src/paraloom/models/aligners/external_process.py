"""A command line in; out comes what a program has written, or an error that tells what it said last."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from paraloom.errors import InputError

LAST_LINES = 5
"""So much of what a failing program said is told."""
MOST_BYTES = 4096


def run_program(arguments: Sequence[str], folder: Path, *, seconds: float, output: Path | None = None) -> None:
    """Run a program in a folder to its end; `output` is the file for what it prints.

    After so many seconds it is stopped, and so are all programs it has started.
    """
    said = folder / "program.err"
    with said.open("wb") as errors, (output or Path(os.devnull)).open("wb") as printed:
        try:
            process = subprocess.Popen(
                arguments,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=errors,
                start_new_session=True,  # a group of its own, to be stopped as one
            )
        except OSError as error:
            raise InputError(f"{arguments[0]} cannot be run: {error}. Install it anew.") from error
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise InputError(
                f"{arguments[0]} was stopped after {seconds:g} seconds. Allow more (seconds), or give it fewer pairs."
            ) from None
        finally:
            _end(process)
    if status:
        how = f"failed with status {status}" if status > 0 else f"was ended by {signal.Signals(-status).name}"
        raise InputError(f"{arguments[0]} {how}. It said last: {_last_lines(said) or 'nothing'}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop a program that still runs, whatever interrupted waiting for it, with all it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _last_lines(file: Path) -> str:
    with file.open("rb") as opened:
        opened.seek(-min(MOST_BYTES, file.stat().st_size), os.SEEK_END)
        return "\n".join(opened.read().decode("utf-8", "replace").strip().splitlines()[-LAST_LINES:])
