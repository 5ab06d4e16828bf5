"""Files, folders and runs in; the chunks to read, and what a person should know of them, out."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paraloom.engine import foreign
from paraloom.engine.foreign_files import MADE_BY, Named, named_files
from paraloom.engine.run_folders import check_run_folder
from paraloom.engine.store import made_by_file, part_files
from paraloom.errors import InputError
from paraloom.sentences.line_options import LineOptions
from paraloom.text.counted import counted
from paraloom.text.file_names import told_name
from paraloom.workflows.mine.input_columns import ChunkPlanner


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is to be mined."""

    chunks: tuple[foreign.Chunk, ...]
    files: dict[str, Path]
    """Every file by its name in the signature."""
    runs: tuple[Path, ...] = ()
    """Mined runs among what was given: what they have computed is used again."""
    told: tuple[str, ...] = ()
    """What was passed over, and how files are read that could be read in another way."""

    @property
    def name(self) -> str:
        """What it is called in a few words."""
        first, *others = (told_name(path.name) for path in self.files.values())
        return f"{first} and {counted(len(others), 'more file', 'more files')}" if others else first


def given_files(
    named: Sequence[str | Path], lines: LineOptions = LineOptions(), *, leave_out: Sequence[Path] = ()
) -> Given:
    """What these paths, globs, folders and run folders name, but for what the run itself writes (`leave_out`).

    Paths are made absolute, so that workers find the files whatever folder they are in.
    """
    _refuse_own_folder(named, leave_out)
    runs = [_absolute(name) for name in named if str(name) != "-" and _is_run(Path(name))]
    others = [name for name in named if str(name) == "-" or _absolute(name) not in runs]
    found = named_files(others, leave_out=leave_out) if others else Named(files=())
    paths = [_absolute(path) for path in found.files]
    if not named:
        raise InputError(
            "There is nothing to mine. Give files of sentences, folders, mined runs, or - for standard input."
        )
    if not paths and not runs:
        raise InputError(f"All that was given is what the run itself writes ({leave_out[0]}). Choose another --out.")
    folders = _told_by_folders(paths, others)
    planner = ChunkPlanner(lines)
    chunks = [dataclasses.replace(chunk, folders=folders[path]) for path in paths for chunk in planner.chunks_of(path)]
    planner.check_tables()
    named_in_signature = [("/".join((*folders[path], told_name(path.name))), path) for path in paths]
    for run in runs:
        parts = part_files(run, "sentences")
        chunks += foreign.plan(parts)
        named_in_signature += [(part.name, part) for part in parts]
    return Given(
        chunks=tuple(chunks),
        files=_numbered(named_in_signature),
        runs=tuple(run for run in runs if made_by_file(run, "vectors").is_file()),
        told=(*found.told(), *planner.told()),
    )


def _absolute(path: str | Path) -> Path:
    return Path(os.path.abspath(path))  # a link keeps its name


def _is_run(path: Path) -> bool:
    """Whether a path is a run folder with sentences; one that has none is an error."""
    if made_by_file(path, "sentences").is_file():
        check_run_folder(path)
        return True
    if path.is_dir() and any(path.glob(f"*{MADE_BY}")):
        raise InputError(
            f"{path} is a run folder without sentences. Let its run go on until it has them, or name files."
        )
    return False


def _refuse_own_folder(named: Sequence[str | Path], leave_out: Sequence[Path]) -> None:
    for path in (Path(name) for name in named if str(name) != "-"):
        for own in leave_out:
            if path.is_dir() and path.resolve().is_relative_to(own.resolve()):
                raise InputError(
                    f"{path} is, or lies in, the run folder that --out means ({own}). Choose another --out: a mined "
                    "run grows into a folder of its own."
                )


def _told_by_folders(paths: Sequence[Path], named: Sequence[str | Path]) -> dict[Path, tuple[str, ...]]:
    """The folders that a file is told by: those below a folder that was named, and as many above as it takes.

    `2023/part-0.txt` and `2024/part-0.txt` are two files, whether they or the folder around them are named.
    """
    roots = [name if str(name) == "-" else _absolute(name) for name in named]
    folders = {path: foreign.folders_of(path, roots, is_one_record=False) for path in paths}
    while True:
        met = Counter((*folders[path], path.name) for path in paths)
        alike = [path for path in paths if met[(*folders[path], path.name)] > 1]
        if not alike:
            return {path: tuple(map(told_name, each)) for path, each in folders.items()}
        for path in alike:
            folders[path] = path.parts[-len(folders[path]) - 2 : -1]


def _numbered(named: Sequence[tuple[str, Path]]) -> dict[str, Path]:
    """Files by a name that does not depend on the order in which they were given."""
    ordered = sorted(named, key=lambda each: (each[0], each[1].stat().st_size, str(each[1])))
    return {f"input/{number}/{name}": path for number, (name, path) in enumerate(ordered)}
