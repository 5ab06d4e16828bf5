"""What the user named in, the files it names out, and what of a folder was passed over."""

from __future__ import annotations

import atexit
import glob
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paraloom.engine.foreign import STDIN
from paraloom.engine.foreign_formats import ENDINGS, WHOLE, ending_of
from paraloom.errors import InputError
from paraloom.text.counted import counted

MADE_BY = ".made_by.json"
"""What a file in a run folder ends in: it says how a table was made."""
ENDINGS_TOLD = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The files that paths, globs and folders name, and what lies in those folders besides."""

    files: Sequence[Path]
    """Sorted, each once."""
    passed_over: Mapping[str, int] = field(default_factory=dict)
    """Files of folders that were not taken, by their ending: nothing says that they are files of records."""
    runs: Sequence[Path] = ()
    """Run folders inside folders: what they hold was made from other files."""
    left_out: Sequence[Path] = ()
    """Files that were named and are to be left out all the same."""

    def told(self) -> Iterator[str]:
        """What was not taken, in a line each."""
        if self.passed_over:
            yield f"Passed over: {told_endings(self.passed_over)}. Name them, or a glob of them, to have them read."
        if self.runs:
            shown = ", ".join(map(str, self.runs[:ENDINGS_TOLD])) + (" …" if len(self.runs) > ENDINGS_TOLD else "")
            folders = counted(len(self.runs), "run folder", "run folders")
            yield f"Passed over: {folders} ({shown}). Name one to have its sentences read."
        for file in self.left_out:
            yield f"Left out: {file} is what this run itself writes."


def expand(patterns: Sequence[str | Path], *, whole: bool = False) -> list[Path]:
    """The files these paths, globs and folders name, sorted, each once; `-` is standard input, copied to a file.

    Of a folder, files of records are taken, and those that are one record each where `whole` asks for them.
    """
    return list(named_files(patterns, whole=whole).files)


def named_files(patterns: Sequence[str | Path], *, whole: bool = False, leave_out: Sequence[Path] = ()) -> Named:
    """The same with what was passed over; what is, or lies in, one of `leave_out` is not taken."""
    endings = (*ENDINGS, *WHOLE) if whole else tuple(ENDINGS)
    leave_out = [path.resolve() for path in leave_out]
    found: dict[Path, Path] = {}
    passed_over = Counter[str]()
    runs: dict[Path, None] = {}
    left_out: list[Path] = []
    for pattern in map(str, patterns):
        if pattern != "-" and Path(pattern).is_dir():
            folder = _of_folder(Path(pattern), endings, leave_out)
            passed_over.update(folder.passed_over)
            runs.update(dict.fromkeys(folder.runs))
            files = folder.files
        else:
            named = _named_by(pattern)
            files = [path for path in named if not _is_in(path, leave_out)]
            left_out += [path for path in named if path not in files]
        for path in files:
            found.setdefault(path.resolve(), path)
    return Named(
        files=sorted(found.values(), key=str),
        passed_over=dict(passed_over),
        runs=sorted(runs, key=str),
        left_out=left_out,
    )


def _of_folder(folder: Path, endings: Sequence[str], leave_out: Sequence[Path]) -> Named:
    """The files of a folder and of those in it, but for hidden ones, other runs and what is to be left out."""
    files: list[Path] = []
    passed_over = Counter[str]()
    runs: list[Path] = []
    for named, folders, names in os.walk(folder):
        here = Path(named)
        if here != folder and any(name.endswith(MADE_BY) for name in names):
            runs.append(here)
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not _is_in(here / name, leave_out))
        for name in sorted(names):
            path = here / name
            if name.startswith(".") or name.endswith(MADE_BY) or not path.is_file() or _is_in(path, leave_out):
                continue
            if ending_of(path) in endings:
                files.append(path)
            else:
                passed_over[path.suffix.lower()] += 1
    if not files:
        there = f" It has {told_endings(passed_over)}." if passed_over else ""
        raise InputError(
            f"The folder {folder} holds no file ending in {', '.join(endings)}.{there} Name the files in it."
        )
    return Named(files=files, passed_over=dict(passed_over), runs=runs)


def _is_in(path: Path, folders: Sequence[Path]) -> bool:
    """Whether a path is one of these, which are resolved, or lies in one of them, whatever way leads there."""
    return any(path.resolve().is_relative_to(folder) for folder in folders)


def _named_by(pattern: str) -> list[Path]:
    if pattern == "-":
        return [_spooled_stdin()]
    path = Path(pattern)
    if path.exists():
        return [path]
    if glob.has_magic(pattern):
        files = [Path(each) for each in glob.glob(pattern, recursive=True) if Path(each).is_file()]
        if not files:
            raise InputError(f"No file matches {pattern}. Check the folder, and quote the pattern in the shell.")
        return files
    raise InputError(f"There is no file {pattern} (looked in {Path.cwd()}). Check the path.")


def _spooled_stdin() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="paraloom-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    spool = folder / STDIN
    with spool.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return spool


def told_endings(counts: Mapping[str, int]) -> str:
    """How many files there are of each ending, those of which there are most first.

    >>> told_endings({".en": 12, "": 1})
    '13 files (12 .en, 1 without an ending)'
    """
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{count:,} {ending or 'without an ending'}" for ending, count in ordered[:ENDINGS_TOLD]]
    more = sum(count for _, count in ordered[ENDINGS_TOLD:])
    every = ", ".join([*shown, *([f"{more:,} others"] if more else [])])
    return f"{counted(sum(counts.values()), 'file', 'files')} ({every})"
