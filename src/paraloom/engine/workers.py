"""A job in, what its tasks write out: every task done once, by helper processes here or by actors on Ray.

A task writes one folder or file, named after its number, that takes its place when it is whole. So a killed job goes
on with the tasks that have left nothing, and a task that is done twice, by a worker that outlived its run or that Ray
tried again, makes the same bytes, of which the first stay.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from paraloom import errors
from paraloom.engine.places import cores_of_cluster, gpus_of_cluster, import_daft
from paraloom.errors import EngineError, ParaloomError
from paraloom.metrics.parts import cores, leave_the_rest

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.engine.tasks import Task

_OURS = re.compile(r"(?:^paraloom\.errors\.|PyO3Error )(\w+): (.*)\Z", re.MULTILINE | re.DOTALL)
"""An error of ours at the end of the trace that a helper process sends as text, or inside one of Daft's."""

LOOK_AGAIN = 0.5
"""Seconds between two looks at how many tasks are done, at least."""
LOOKING = 20.0
"""So many times as long as a look takes passes until the next: of very many tasks on a slow disk it takes long."""


SEEN_LATE = 70.0
"""Seconds after which a node sees what another one has written: NFS keeps for a minute that a file is not there."""
NAMES_TOLD = 5
"""Of many files that are not there so many are named."""


class Tasks(Protocol):
    """Work that is done in tasks, each of which leaves something that is either whole or absent."""

    @property
    def name(self) -> str:
        """What people are told."""

    @property
    def folder(self) -> str:
        """Where tasks leave what they have made."""

    @property
    def total(self) -> int:
        """How many tasks there are; they are numbered from 0."""

    def target(self, number: int) -> Path:
        """What a task makes, a file or a folder: it is there when the task is done."""

    def missing(self) -> list[int]:
        """The tasks that are still to be done."""

    def worker(self) -> Callable[[int], int]:
        """What does a task, by its number; made once in every process that works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """All that a worker must know to do any task of a pass."""

    name: str
    tasks: tuple[Task, ...]
    work: Callable[[], Callable[..., Any]] | None
    """Makes the stage's function, once in every worker; None: the tasks call none."""
    schema: pa.Schema
    to: str
    buckets: int
    folder: str

    def target(self, number: int) -> Path:
        """The folder that a task's rows go to."""
        return Path(self.folder) / f"task-{number:05d}"

    def missing(self) -> list[int]:
        """The tasks that are still to be done."""
        return [number for number in range(len(self.tasks)) if not self.target(number).exists()]

    @property
    def total(self) -> int:
        """How many tasks there are."""
        return len(self.tasks)

    def worker(self) -> Worker:
        """What does a task, by its number."""
        return Worker(self)


class Worker:
    """Does tasks of one job; what the stage's function must load is loaded when the worker is made."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.function = job.work() if job.work is not None else _no_function

    def __call__(self, number: int) -> int:
        from paraloom.engine.spills import write_spills

        job = self.job
        made = job.tasks[number].make(self.function, job.schema)
        return write_spills(made, job.schema, job.to, job.buckets, job.target(number))


def _no_function(*_: Any) -> Any:
    raise AssertionError("this job's tasks call no function")


def do(
    job: Tasks, *, workers: int, on_ray: bool, progress: Callable[[str, int, int], None], on_gpu: bool = False
) -> None:
    """Do what is left of a job: in this process if it is the only worker, else in helper processes or on Ray.

    What needs a GPU is done on Ray by a worker a GPU: this process may be on a machine without one.
    """
    Path(job.folder).mkdir(parents=True, exist_ok=True)
    total, missing = job.total, job.missing()
    progress(job.name, total - len(missing), total)
    needs_node = on_ray and on_gpu
    with told_plainly(job.name):
        if missing and (needs_node or (workers > 1 and len(missing) > 1)):
            most = gpus_of_cluster() if needs_node else workers
            with _watched(job, progress):
                _do_by_daft(job, missing, min(most, len(missing)), on_ray, gpus=int(needs_node))
        elif missing:
            worker = job.worker()
            for done, number in enumerate(missing, total - len(missing) + 1):
                worker(number)
                progress(job.name, done, total)
        _check_done(job, on_ray)
    progress(job.name, total, total)


def _check_done(job: Tasks, on_ray: bool) -> None:
    """An error that names what is not there, though every task ended well: the next round would do without it."""
    given_up_at = time.monotonic() + (SEEN_LATE if on_ray else 0.0)
    while missing := job.missing():
        if time.monotonic() >= given_up_at:
            some = ", ".join(str(job.target(number).relative_to(job.folder)) for number in missing[:NAMES_TOLD])
            more = f" and {len(missing) - NAMES_TOLD:,} more" if len(missing) > NAMES_TOLD else ""
            raise EngineError(
                f"{job.name}: every task has ended, but {len(missing):,} of {job.total:,} files are missing from "
                f"{job.folder}: {some}{more}. See that nothing else deletes from this folder, that its disk has room "
                "and that every node sees it under this path; then give the same command again: what is there is kept."
            )
        time.sleep(LOOK_AGAIN)


def _do_by_daft(job: Tasks, missing: Sequence[int], workers: int, on_ray: bool, *, gpus: int) -> None:
    daft = import_daft()
    share = (cores_of_cluster() if on_ray else cores()) // workers
    kind = daft.cls(_daft_worker(daft), use_process=not on_ray, max_concurrency=workers, gpus=gpus)
    frame = daft.from_pydict({"task": list(missing)})
    frame = frame.into_partitions(len(missing)) if on_ray else frame.into_batches(1)
    with daft.execution_config_ctx(maintain_order=False):  # or a worker that is done waits for its neighbour
        frame.select(kind(job, share)(frame["task"]).alias("rows")).collect()


def _daft_worker(daft: Any) -> type:
    class DaftWorker:
        """A job's worker, as Daft wants it."""

        def __init__(self, job: Tasks, cores: int) -> None:
            leave_the_rest(cores)  # or each would start as many threads as all of them together
            self.work = job.worker()

        @daft.method(return_dtype=daft.DataType.int64())  # type: ignore[untyped-decorator]
        def __call__(self, number: int) -> int:
            return self.work(number)

    return DaftWorker


@contextmanager
def _watched(job: Tasks, progress: Callable[[str, int, int], None]) -> Iterator[None]:
    """Tells how many tasks are done while others do them, by what is there."""
    done = threading.Event()

    def watch() -> None:
        pause = LOOK_AGAIN
        while not done.wait(pause):
            start = time.monotonic()
            progress(job.name, job.total - len(job.missing()), job.total)
            pause = max(LOOK_AGAIN, LOOKING * (time.monotonic() - start))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


@contextmanager
def told_plainly(name: str) -> Iterator[None]:
    """An error of a stage's function as that error, without what helper processes and Ray wrap around it."""
    try:
        yield
    except ParaloomError as error:
        if (cause := getattr(error, "cause", None)) is None:
            raise
        raise cause from error  # Ray makes one error of ours and its own
    except Exception as error:
        told = str(getattr(error, "cause", error)).strip()
        if (ours := _OURS.search(told)) and hasattr(errors, ours[1]):
            raise getattr(errors, ours[1])(ours[2]) from error
        last = told.rpartition("\n")[2] if "\n" in told else f"{type(error).__name__}: {told}"
        raise EngineError(f"{name} failed: {last}. PARALOOM_TRACEBACK=1 shows where.") from error
