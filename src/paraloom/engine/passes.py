"""One pass over rows: read by bucket, call the stage's function, lay what it makes down by the next key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from paraloom.engine.layout import Laid, joined_schema, laid_in, laid_table
from paraloom.engine.rows import row_schema
from paraloom.engine.workers import Job, do
from paraloom.errors import EngineError

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.engine.foreign import Chunk
    from paraloom.engine.tasks import BatchTask, BucketInput, RowsOfRecord, Task

SMALL_INPUT = 6 << 20
"""Below this many bytes on disk, starting helper processes or actors costs more than it saves."""

PACK_BYTES = 2 << 20
PACK_CHUNKS = 256
"""Files that are one record are read by one task up to so many, and so many bytes."""


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
    """Gather the rows by this key and call the function once a key; None: call it on Arrow batches of the rows."""
    work: Callable[[], Callable[..., Any]]
    """Makes the function, once in every worker: what must load a model loads it here."""
    row: type
    """Dataclass of the rows that come out."""
    to: str
    """Key by which they are laid down."""
    rows: RowsOfRecord = "one"
    """How many rows a raw record gives."""
    rows_a_task: int | None = None
    """Where the function takes its time, a task gets only so many rows of a bucket: more workers can share them, and
    a kill loses less."""
    on_gpu: bool = False
    """Whether the function needs a GPU: one task after the other here, a worker a GPU on Ray."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Rows of several inputs beside each other where they have the same key; no stage's function is called."""

    name: str
    reads: tuple[Read, ...]
    by: str
    to: str
    """Key by which the joined rows are laid down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketPass:
    """A function over whole buckets, for what is done on arrays: it gets a bucket's number and, as Arrow tables, all
    rows that its inputs have there as they lie, and gives Arrow tables."""

    name: str
    reads: tuple[Read, ...] = ()
    """They lie by the same key, or by numbers that are the buckets themselves."""
    work: Callable[[], Callable[..., Any]]
    row: type
    to: str
    """Key by which what comes out is laid down; a column of numbers: each the bucket itself."""
    reads_bytes: int = 0
    """About how much the function reads by itself, beside its inputs: it decides whether helpers are worth it."""
    by: None = None


AnyPass: TypeAlias = Pass | Join | BucketPass


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """Where a step works: the run, its own unfinished folder, how many buckets and workers there are."""

    run: Path
    folder: Path
    buckets: int
    workers: int
    on_ray: bool
    chunks: Sequence[Chunk] = ()
    progress: Callable[[str, int, int], None] = lambda name, done, total: None
    """Told of a pass, its tasks done and its tasks in all."""


def run_pass(given: AnyPass, place: Workplace, earlier: Mapping[str, Laid]) -> Laid:
    """Run one pass, or what is left of it, and say where its rows lie."""
    from paraloom.engine.tasks import BatchTask, BucketTask, JoinTask, KeyTask, RecordTask

    inputs = [_input(given, place, earlier, position) for position in range(len(given.reads))]
    buckets = _bucket_inputs(inputs, place.buckets)
    size = sum(laid.bytes for _, laid in inputs)
    tasks: Sequence[Task]
    if isinstance(given, Join):
        tasks = [JoinTask(inputs=bucket, by=given.by) for bucket in buckets]
        schema = joined_schema([wanted_schema(read, laid) for read, laid in inputs])
        return _lay(given.name, tasks, schema, given.to, place, size)
    if isinstance(given, BucketPass):
        tasks = [BucketTask(inputs=bucket, bucket=number) for number, bucket in enumerate(buckets)]
        size += given.reads_bytes
        return _lay(given.name, tasks, row_schema(given.row), given.to, place, size, given.work)
    if not given.reads:
        packs = packed(place.chunks)
        tasks = [RecordTask(chunks=chunks, rows=given.rows) for chunks in packs]
        size = sum(chunk.size for chunk in place.chunks)
    elif given.by is None and given.rows_a_task is not None:
        tasks = [task for bucket in buckets for task in _cut(bucket[0], given.rows_a_task)]
        size += SMALL_INPUT if len(tasks) > len(buckets) else 0  # it takes long however few bytes it reads
    elif given.by is None:
        tasks = [BatchTask(given=bucket[0]) for bucket in buckets]
    else:
        tasks = [KeyTask(inputs=bucket, by=given.by) for bucket in buckets]
    return _lay(given.name, tasks, row_schema(given.row), given.to, place, size, given.work, on_gpu=given.on_gpu)


def _cut(given: BucketInput, most: int) -> list[BatchTask]:
    """Tasks for the rows of one bucket, of at most so many each."""
    from paraloom.engine.tasks import BatchTask

    count = given.laid.count(given.bucket)
    if count <= most:
        return [BatchTask(given=given)]
    return [BatchTask(given=given, places=(start, start + most)) for start in range(0, count, most)]


def packed(chunks: Sequence[Chunk]) -> list[tuple[Chunk, ...]]:
    """Chunks that one task reads: files of records each alone, small files that are one record many together, since a
    task of its own costs a folder."""
    from paraloom.engine.foreign import ONE_RECORD

    packs: list[tuple[Chunk, ...]] = []
    open_pack: list[Chunk] = []
    for chunk in chunks:
        if chunk.format not in ONE_RECORD:
            packs.append((chunk,))
            continue
        held = sum(each.size for each in open_pack)
        if open_pack and (held + chunk.size > PACK_BYTES or len(open_pack) >= PACK_CHUNKS):
            packs.append(tuple(open_pack))
            open_pack = []
        open_pack.append(chunk)
    return [*packs, tuple(open_pack)] if open_pack else packs


def lay_rows(name: str, rows: Callable[[], pa.Table], key: str, place: Workplace) -> Laid:
    """Rows that are worked out here, laid down like those of a pass."""
    from paraloom.engine.tasks import ReadyTask

    made = rows()
    return _lay(name, [ReadyTask(rows=lambda: made)], made.schema, key, place, size=0)


def _lay(
    name: str,
    tasks: Sequence[Task],
    schema: pa.Schema,
    to: str,
    place: Workplace,
    size: int,
    work: Callable[[], Callable[..., Any]] | None = None,
    *,
    on_gpu: bool = False,
) -> Laid:
    job = Job(
        name=name,
        tasks=tuple(tasks),
        work=work,
        schema=schema,
        to=to,
        buckets=place.buckets,
        folder=str(place.folder / name),
    )
    workers = place.workers if size > SMALL_INPUT and not on_gpu else 1
    do(job, workers=workers, on_ray=place.on_ray, progress=place.progress, on_gpu=on_gpu)
    return laid_in(place.folder / name, to, schema, place.buckets)


def _input(given: AnyPass, place: Workplace, earlier: Mapping[str, Laid], position: int) -> tuple[Read, Laid]:
    """Where an input of a pass lies, after laying it down by the pass's key if it lies by another."""
    from paraloom.engine.tasks import JoinTask

    read = given.reads[position]
    laid = earlier[read.table] if read.table in earlier else laid_table(place.run, read.table)
    if given.by is None or laid.key == given.by:
        return read, laid
    tasks = [JoinTask(inputs=bucket, by=given.by) for bucket in _bucket_inputs([(read, laid)], place.buckets)]
    name = f"{given.name}-{read.table}-by-{given.by}"
    schema = wanted_schema(read, laid)
    return replace(read, kept_only=False), _lay(name, tasks, schema, given.by, place, laid.bytes)


def _bucket_inputs(inputs: Sequence[tuple[Read, Laid]], buckets: int) -> list[tuple[BucketInput, ...]]:
    """For every bucket, where each input's rows lie."""
    from paraloom.engine.tasks import BucketInput

    for read, laid in inputs:
        wanted_schema(read, laid)
    return [
        tuple(
            BucketInput(name=read.table, laid=laid, bucket=bucket, columns=read.columns, kept_only=read.kept_only)
            for read, laid in inputs
        )
        for bucket in range(buckets)
    ]


def wanted_schema(read: Read, laid: Laid) -> pa.Schema:
    """The columns a pass wants of an input, with their types."""
    import pyarrow as pa

    missing = [name for name in read.columns if name not in laid.schema.names]
    if missing:
        raise EngineError(f"{read.table} has no column {', '.join(missing)}; it has {', '.join(laid.schema.names)}.")
    return pa.schema([laid.schema.field(name) for name in read.columns])
