"""A pinned peer in, the folder of its programs out: every peer has a virtual environment of its own.

Peers are run as programs and never imported. An environment is made once for a version and kept in a folder outside of
the repository.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

LABEL_STUDIO = "label-studio==1.23.0"
POTATO = "potato-annotation==2.12.1"

PATIENCE = 1_800.0
"""Seconds that an installation may take."""


class NoPeer(RuntimeError):
    """A peer could not be installed."""


def peer_environment(requirement: str, cache: Path, python: str = sys.executable) -> Path:
    """The `bin` folder of an environment with this requirement and what it asks for; installed where it is missing."""
    folder = cache.resolve() / requirement.replace("==", "-")
    if folder.is_relative_to(REPOSITORY):
        raise NoPeer(f"{folder} is inside of the repository. Choose another --cache.")
    finished = folder / "finished"  # an environment is either whole or made anew
    if not finished.exists():
        run([python, "-m", "venv", "--clear", str(folder)])
        pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        run([*pip, requirement])
        finished.touch()
    return folder / "bin"


def run(command: list[str]) -> None:
    """Run it to its end; what it said is in the error where it fails."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired as late:
        raise NoPeer(f"{' '.join(command)} took longer than {PATIENCE:.0f} s.") from late
    if done.returncode:
        raise NoPeer(f"{' '.join(command)} failed with {done.returncode}.\n{done.stderr[-2_000:]}")
