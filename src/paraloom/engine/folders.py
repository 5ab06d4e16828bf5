"""A step of files in, a finished folder out: rounds of tasks that write a file each, the signature written last.

Tables go through `steps`. What is no table, such as vectors and an index of them, is a folder of files of any kind,
made by the same workers in the same places, under the same rule: it is whole or absent, resumed if it is unfinished,
and refused if it was made another way.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paraloom.engine import store, workers
from paraloom.engine.signatures import MadeBy
from paraloom.engine.steps import Place, finish, how_made

WHOLE = "whole"
"""The part of a step's unfinished folder that becomes the folder itself."""
ASIDE = "aside"
"""The part that is gone when the folder is finished: what a round leaves for the next ones."""

WriteFile = Callable[[int, Path], object]
"""Does one task, by its number, and writes what it makes, a file or a folder, to the path it is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """Tasks that can be done in any order, each of which writes one file, or one folder of files."""

    name: str
    files: tuple[str, ...]
    """What each task writes, below the folder that is made."""
    work: Callable[[], WriteFile]
    """Makes the function, once in every worker: what must load a model loads it here."""
    is_kept: bool = True
    """Whether the files are part of the folder; else they lie aside for the rounds that follow."""
    is_small: bool = False
    """Starting helper processes would cost more than they save."""
    on_gpu: bool = False
    """Tasks need a GPU: on this machine they are done one after the other, on Ray by a worker a GPU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderStep:
    """How one folder of a run is made. The fields are those of a `Step`."""

    table: str
    """The folder's name."""
    rounds: tuple[Callable[[Path], Round], ...]
    """In order; each is planned when those before it are done, from the folder they work in (see `WHOLE`, `ASIDE`)."""
    options: Any = None
    stages: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    weights: Mapping[str, Path] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    rows: Callable[[Path], int] = lambda folder: 0
    """How many rows the finished folder holds, for people."""
    made_anew_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileJob:
    """A round at work."""

    name: str
    folder: str
    files: tuple[str, ...]
    work: Callable[[], WriteFile]

    @property
    def total(self) -> int:
        """How many tasks there are."""
        return len(self.files)

    def target(self, number: int) -> Path:
        """What a task makes."""
        return Path(self.folder) / self.files[number]

    def missing(self) -> list[int]:
        """The tasks whose files are not there."""
        return [number for number in range(len(self.files)) if not self.target(number).exists()]

    def worker(self) -> Callable[[int], int]:
        """What does a task, by its number."""
        return FileWorker(self)


class FileWorker:
    """Does tasks of a round; what its function must load is loaded when the worker is made."""

    def __init__(self, job: FileJob) -> None:
        self.job = job
        self.write = job.work()

    def __call__(self, number: int) -> int:
        target = self.job.target(number)
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = store.unfinished_name(target)
        try:
            self.write(number, unfinished)
            store.take_place(unfinished, target)
        finally:
            remove(unfinished)
        return number


def make_folder(step: FolderStep, place: Place) -> MadeBy:
    """Make the folder, or resume making it, or see that it is there already."""
    place.progress(step.table, "looked for", 0, 1)
    made_by = how_made(step, place)
    place.progress(step.table, "looked for", 1, 1)
    if store.check_target(place.run, step.table, made_by, step.made_anew_for):
        store.clear_unfinished(place.run, step.table)
        return made_by
    folder = store.unfinished_folder(place.run, step.table, made_by)
    for part in (WHOLE, ASIDE):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for planned in step.rounds:
        given = planned(folder)
        at_work = FileJob(
            name=given.name,
            folder=str(folder / (WHOLE if given.is_kept else ASIDE)),
            files=given.files,
            work=given.work,
        )
        workers.do(
            at_work,
            workers=1 if given.is_small or given.on_gpu else place.workers,
            on_ray=place.on_ray,
            on_gpu=given.on_gpu,
            progress=lambda name, done, total: place.progress(step.table, name, done, total),
        )
    clear_leftovers_below(folder / WHOLE)
    finish(place.run, made_by, folder, WHOLE, rows=step.rows(folder / WHOLE))
    return made_by


def clear_leftovers_below(folder: Path) -> None:
    """Remove what killed workers left behind."""
    for leftover in [*folder.rglob(".*.unfinished")]:
        remove(leftover)


def remove(path: Path) -> None:
    """A file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
