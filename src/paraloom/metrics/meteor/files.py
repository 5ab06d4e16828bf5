"""This computer in; out comes where METEOR 1.5 and its Java lie, or what must be installed."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class MeteorFiles:
    """What is needed to run METEOR."""

    java: Path
    jar: Path
    paraphrases: Path
    """Table of English phrases that mean the same, read by METEOR's fourth module."""


def find_meteor() -> MeteorFiles | None:
    """The files, or None where something is missing; `why_no_meteor` says what. Nothing is run or imported."""
    java = shutil.which("java")
    folder = _meteor_folder()
    if java is None or folder is None:
        return None
    return MeteorFiles(java=Path(java), jar=folder / JAR, paraphrases=folder / PARAPHRASES)


def why_no_meteor() -> str | None:
    """What is missing and what to install; None where METEOR can be run."""
    wanted = []
    if _meteor_folder() is None:
        wanted.append("the package with its jar (pip install 'paraloom[meteor]')")
    if shutil.which("java") is None:
        wanted.append("Java on the PATH (version 8 or newer, such as Debian's openjdk-17-jre-headless)")
    return f"METEOR 1.5 needs {' and '.join(wanted)}." if wanted else None


def meteor_files() -> MeteorFiles:
    """The files; an error that says what to install where something is missing."""
    found = find_meteor()
    if found is None:
        raise InputError(why_no_meteor() or "METEOR was taken away while it was looked for. Try again.")
    return found


JAR = "meteor-1.5.jar"
PARAPHRASES = "data/paraphrase-en.gz"


def _meteor_folder() -> Path | None:
    # The package is only looked up: its own code is neither needed nor run.
    spec = find_spec("pycocoevalcap")
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "meteor"
        if (folder / JAR).is_file() and (folder / PARAPHRASES).is_file():
            return folder
    return None


def short_hash(file: Path) -> str:
    """The first eight digits of the SHA-256 of a file, for signatures; a file is read once."""
    status = file.stat()
    return _short_hash(file, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=16)
def _short_hash(file: Path, changed_at: int, size: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()[:8]
