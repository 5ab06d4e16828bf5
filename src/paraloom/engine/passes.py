"""One pass over rows: read by bucket, call the stage's function, lay what it makes down by the next key.

A pass runs in waves of a few buckets. A finished wave is a folder that was renamed into place, so a killed
run takes up again at the first wave that is missing, and whatever the waves before it wrote is not made twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom import errors
from paraloom.engine.layout import BUCKET, Laid, joined_schema, laid_in, laid_table, unfinished_wave, wave_folder
from paraloom.engine.rows import row_schema
from paraloom.errors import EngineError, ParaloomError

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.engine.foreign import Chunk
    from paraloom.engine.sources import BucketInput

TASKS_PER_WAVE = 8
"""At least so many buckets or chunks are worked on before a wave counts as done; a cluster takes more at a time."""
SMALL_INPUT = 6 << 20
"""Below this many bytes on disk, starting helper processes costs more than it saves."""


_OURS = re.compile(r"(?:^paraloom\.errors\.|PyO3Error )(\w+): (.*)\Z", re.MULTILINE | re.DOTALL)
"""An error of ours at the end of the trace that a helper process sends as text, or inside one of Daft's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Rows that a pass wants: of a table of the run, or of an earlier pass of the same step."""

    table: str
    columns: tuple[str, ...]
    kept_only: bool = True
    """Leave out rows that have a reason in `dropped_for`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """A function over rows and where they come from and go to."""

    name: str
    reads: tuple[Read, ...] = ()
    """Empty: the raw records of the step's foreign files."""
    by: str | None
    """Gather the rows by this key and call the function once a key; None: call it on batches of rows as they lie."""
    work: Callable[[], Callable[..., Any]]
    """Makes the function, once in every worker: what must load a model loads it here."""
    row: type
    """Dataclass of the rows that come out."""
    to: str
    """Key by which they are laid down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Rows of several inputs beside each other where they have the same key; no stage's function is called."""

    name: str
    reads: tuple[Read, ...]
    by: str
    to: str
    """Key by which the joined rows are laid down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """Where a step works: the run, its own unfinished folder, how many buckets and workers there are."""

    run: Path
    folder: Path
    buckets: int
    workers: int
    tasks_per_wave: int
    on_ray: bool
    chunks: Sequence[Chunk] = ()
    progress: Callable[[str, int, int], None] = lambda name, done, total: None
    """Told after every wave: the pass, waves done, waves in all."""


def run_pass(given: Pass | Join, place: Workplace, earlier: Mapping[str, Laid]) -> Laid:
    """Run one pass, or what is left of it, and say where its rows lie."""
    folder = place.folder / given.name
    inputs = [_input(given, place, earlier, position) for position in range(len(given.reads))]
    tasks: Sequence[Any] = _bucket_tasks(inputs, place.buckets) if inputs else place.chunks
    if isinstance(given, Join):
        _run_waves(given.name, tasks, folder, place, partial(_joined, given.by, given.to, place.buckets))
        return laid_in(folder, given.to, joined_schema([wanted_schema(read, laid) for read, laid in inputs]))
    size = sum(laid.bytes for _, laid in inputs) + sum(chunk.size for chunk in place.chunks if not inputs)
    _run_waves(given.name, tasks, folder, place, partial(_called, given, place, size > SMALL_INPUT))
    return laid_in(folder, given.to, row_schema(given.row))


def _run_waves(
    name: str, tasks: Sequence[Any], folder: Path, place: Workplace, frame_of: Callable[[Sequence[Any]], Any]
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    size = place.tasks_per_wave
    waves = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    for number, wave in enumerate(waves):
        place.progress(name, number, len(waves))
        target = wave_folder(folder, number)
        if not target.exists():
            with told_plainly(name), unfinished_wave(target) as unfinished:
                written = frame_of(wave).write_parquet(str(unfinished), partition_cols=[BUCKET], compression="snappy")
                _keep_only(unfinished, written.to_pydict()["path"])
    place.progress(name, len(waves), len(waves))


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


def _keep_only(folder: Path, files: Sequence[str]) -> None:
    """Remove what no task that ended well has written: one that was tried again, a worker that outlived its run."""
    wanted = {Path(file).name for file in files}
    for file in folder.glob("*/*.parquet"):
        if file.name not in wanted:
            file.unlink()


def _input(given: Pass | Join, place: Workplace, earlier: Mapping[str, Laid], position: int) -> tuple[Read, Laid]:
    """Where an input of a pass lies, after laying it down by the pass's key if it lies by another."""
    read = given.reads[position]
    laid = earlier[read.table] if read.table in earlier else laid_table(place.run, read.table)
    if given.by is None or laid.key == given.by:
        return read, laid
    folder = place.folder / f"{given.name}-{position}-{read.table}-by-{given.by}"
    tasks = _bucket_tasks([(read, laid)], place.buckets)
    _run_waves(f"{read.table} by {given.by}", tasks, folder, place, partial(_joined, given.by, given.by, place.buckets))
    return replace(read, kept_only=False), laid_in(folder, given.by, wanted_schema(read, laid))


def _bucket_tasks(inputs: Sequence[tuple[Read, Laid]], buckets: int) -> list[tuple[BucketInput, ...]]:
    """One task per bucket that has any rows: where each input's rows lie."""
    from paraloom.engine.sources import BucketInput

    tasks = []
    for bucket in range(buckets):
        if any(bucket in laid.files for _, laid in inputs):
            tasks.append(
                tuple(
                    BucketInput(
                        name=read.table,
                        files=laid.files.get(bucket, ()),
                        schema=wanted_schema(read, laid),
                        kept_only=read.kept_only,
                    )
                    for read, laid in inputs
                )
            )
    return tasks


def wanted_schema(read: Read, laid: Laid) -> pa.Schema:
    """The columns a pass wants of an input, with their types."""
    import pyarrow as pa

    missing = [name for name in read.columns if name not in laid.schema.names]
    if missing:
        raise EngineError(f"{read.table} has no column {', '.join(missing)}; it has {', '.join(laid.schema.names)}.")
    return pa.schema([laid.schema.field(name) for name in read.columns])


def _joined(by: str, to: str, buckets: int, wave: Sequence[tuple[BucketInput, ...]]) -> Any:
    from paraloom.engine.sources import joined_source

    return joined_source(wave, by=by, to=to, buckets=buckets)


def _called(given: Pass, place: Workplace, large: bool, wave: Sequence[Any]) -> Any:
    from paraloom.engine.sources import gathered_source, plain_source, record_source
    from paraloom.engine.workers import call

    if not given.reads:
        frame = record_source(wave)
    elif given.by is None:
        frame = plain_source([inputs[0] for inputs in wave])
    else:
        frame = gathered_source(wave, given.by)
    workers = place.workers if large and place.workers > 1 else None
    return call(given, frame, buckets=place.buckets, workers=workers, on_ray=place.on_ray)
