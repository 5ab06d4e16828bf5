"""One pass over rows: read by bucket, call the stage's function, lay what it makes down by the next key.

A pass runs in waves of a few buckets. A finished wave is a folder that was renamed into place, so a killed
run takes up again at the first wave that is missing, and whatever the wave before wrote is not made twice.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine import buckets as bucketing
from paraloom.engine.rows import from_rows, lists_to_members, row_schema
from paraloom.engine.store import part_files, write_part
from paraloom.errors import EngineError
from paraloom.tables import NOUNS

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.engine.foreign import Chunk
    from paraloom.engine.sources import BucketInput

TASKS_PER_WAVE = 4
SMALL_INPUT = 6 << 20
"""Below this many bytes on disk, starting helper processes costs more than it saves."""

BUCKET = "__bucket__"


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
class Laid:
    """Rows on disk by bucket of a key: a finished table of the run, or what a pass has made."""

    key: str
    schema: pa.Schema
    files: Callable[[int], tuple[str, ...]]
    """The files that hold the rows of one bucket."""
    bytes: int


@dataclass(slots=True, kw_only=True)
class Workplace:
    """Where a step works: the run, its own unfinished folder, how many buckets and workers there are."""

    run: Path
    folder: Path
    buckets: int
    workers: int
    processes: bool
    """Whether helper processes may be started (on Ray, actors are always used)."""
    on_ray: bool
    chunks: Sequence[Chunk] = ()
    progress: Callable[[str, int, int], None] = lambda name, done, total: None
    """Told after every wave: the pass, waves done, waves in all."""


def run_pass(given: Pass, place: Workplace, earlier: Mapping[str, Laid]) -> Laid:
    """Run one pass, or what is left of it, and say where its rows lie."""
    folder = place.folder / given.name
    if given.reads:
        inputs = [_input(read, given.by, place, earlier, position) for position, read in enumerate(given.reads)]
        tasks: Sequence[Any] = [tuple(_bucket_input(read, laid, bucket) for read, laid in inputs)
                                for bucket in range(place.buckets)]
        tasks = [task for task in tasks if any(one.files for one in task)]
        size = sum(laid.bytes for _, laid in inputs)
    else:
        tasks = list(place.chunks)
        size = sum(chunk.size for chunk in place.chunks)
    waves = [tasks[start : start + TASKS_PER_WAVE] for start in range(0, len(tasks), TASKS_PER_WAVE)]
    folder.mkdir(parents=True, exist_ok=True)
    for number, wave in enumerate(waves):
        place.progress(given.name, number, len(waves))
        target = folder / f"wave-{number:04d}"
        if not target.exists():
            _run_wave(given, wave, target, place, parallel=size > SMALL_INPUT)
    place.progress(given.name, len(waves), len(waves))
    return laid_in(folder, given.to, row_schema(given.row))


def laid_in(folder: Path, key: str, schema: pa.Schema) -> Laid:
    """The rows that finished waves have laid down in a folder."""
    by_bucket: dict[int, list[str]] = {}
    size = 0
    for file in sorted(folder.glob(f"wave-????/{BUCKET}=*/*.parquet")):
        by_bucket.setdefault(int(file.parent.name.partition("=")[2]), []).append(str(file))
        size += file.stat().st_size
    return Laid(key=key, schema=schema, files=lambda bucket: tuple(by_bucket.get(bucket, ())), bytes=size)


def lay_rows(rows: Callable[[], pa.Table], key: str, folder: Path, buckets: int) -> Laid:
    """Rows that were worked out here, laid down like those of a pass."""
    import pyarrow as pa
    import pyarrow.compute as pc

    target = folder / "wave-0000"
    table = rows()
    if not target.exists():
        unfinished = folder / "wave-0000.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        numbers = bucketing.buckets_of(table.column(key), buckets) if len(table) else pa.array([], pa.int64())
        for number in pc.unique(numbers).to_pylist():
            part = unfinished / f"{BUCKET}={number}"
            part.mkdir(parents=True)
            write_part(table.filter(pc.equal(numbers, number)), part / "rows.parquet")
        unfinished.mkdir(parents=True, exist_ok=True)
        unfinished.rename(target)
    return laid_in(folder, key, table.schema)


def rows_of(laid: Laid, buckets: int, columns: Sequence[str]) -> Iterator[pa.Table]:
    """What has been laid down so far, bucket by bucket, for a decision that needs to see all of it."""
    import pyarrow.parquet as pq

    for bucket in range(buckets):
        for file in laid.files(bucket):
            yield pq.read_table(file, columns=list(columns), partitioning=None)


def laid_table(run: Path, table: str) -> Laid:
    """A finished table of the run, which is laid down by the first column of its key."""
    parts = {int(file.stem.partition("-")[2]): str(file) for file in part_files(run, table)}
    noun = NOUNS[table]
    return Laid(
        key=noun.KEY[0],
        schema=row_schema(noun),
        files=lambda bucket: (parts[bucket],) if bucket in parts else (),
        bytes=sum(Path(part).stat().st_size for part in parts.values()),
    )


def _input(
    read: Read, by: str | None, place: Workplace, earlier: Mapping[str, Laid], position: int
) -> tuple[Read, Laid]:
    laid = earlier[read.table] if read.table in earlier else laid_table(place.run, read.table)
    if by is None or laid.key == by:
        return read, laid
    return read, _lay_anew(read, laid, by, place, name=f"{position}-{read.table}-by-{by}")


def _lay_anew(read: Read, laid: Laid, by: str, place: Workplace, name: str) -> Laid:
    """The wanted rows of an input, laid down by another key."""
    wanted = _wanted_schema(read, laid)
    folder = place.folder / name
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [_bucket_input(read, laid, bucket) for bucket in range(place.buckets)]
    tasks = [task for task in tasks if task.files]
    for number, start in enumerate(range(0, len(tasks), TASKS_PER_WAVE)):
        target = folder / f"wave-{number:04d}"
        if not target.exists():
            from paraloom.engine.sources import plain_source

            frame = plain_source(tasks[start : start + TASKS_PER_WAVE])
            frame = frame.with_column(BUCKET, _bucket_function(place.buckets)(frame[by]))
            _write_wave(frame, target)
    laid = laid_in(folder, by, wanted)
    return laid


def _bucket_function(buckets: int) -> Any:
    import daft

    @daft.func.batch(return_dtype=daft.DataType.int64(), use_process=False)
    def bucket(keys: daft.Series) -> Any:
        return bucketing.buckets_of(keys.to_arrow(), buckets)

    return bucket


def _wanted_schema(read: Read, laid: Laid) -> pa.Schema:
    import pyarrow as pa

    names = dict.fromkeys((*read.columns, *(("dropped_for",) if read.kept_only else ())))
    missing = [name for name in names if name not in laid.schema.names]
    if missing:
        raise EngineError(f"{read.table} has no column {', '.join(missing)}; it has {', '.join(laid.schema.names)}.")
    return pa.schema([laid.schema.field(name) for name in names])


def _bucket_input(read: Read, laid: Laid, bucket: int) -> BucketInput:
    from paraloom.engine.sources import BucketInput

    return BucketInput(
        name=read.table, files=laid.files(bucket), schema=_wanted_schema(read, laid), kept_only=read.kept_only
    )


def _run_wave(given: Pass, wave: Sequence[Any], target: Path, place: Workplace, *, parallel: bool) -> None:
    from paraloom.engine.sources import gathered_source, plain_source, record_source

    if not given.reads:
        frame = record_source(wave)
    elif given.by is None:
        frame = plain_source([inputs[0] for inputs in wave])
    else:
        frame = gathered_source(wave, given.by)
    worker = _worker(given, place, parallel=parallel)
    made = worker(*(frame[name] for name in frame.column_names))
    frame = frame.select(made.alias("row"))
    if given.by is not None:
        frame = frame.explode("row")
        frame = frame.where(~frame["row"].is_null())  # a key that made no rows comes back as one null row
    fields = [*row_schema(given.row).names, BUCKET]
    _write_wave(frame.select(*(frame["row"].get(name).alias(name) for name in fields)), target)


def _write_wave(frame: Any, target: Path) -> None:
    unfinished = target.with_name(f"{target.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)  # left by a killed run: nobody knows how whole it is
    unfinished.mkdir(parents=True)
    frame.write_parquet(str(unfinished), partition_cols=[BUCKET], compression="snappy")
    unfinished.rename(target)


def _worker(given: Pass, place: Workplace, *, parallel: bool) -> Any:
    import daft
    import pyarrow as pa

    schema = row_schema(given.row)
    laid = pa.struct([*schema, pa.field(BUCKET, pa.int64())])
    work, by, to, buckets = given.work, given.by, given.to, place.buckets

    def with_bucket(table: pa.Table) -> pa.StructArray:
        table = table.cast(schema)
        arrays = [_whole(column) for column in table.columns]
        return pa.StructArray.from_arrays([*arrays, bucketing.buckets_of(table.column(to), buckets)], fields=list(laid))

    class ByKey:
        """Calls the stage's function once a key."""

        def __init__(self) -> None:
            self.function = work()

        @daft.method.batch(return_dtype=daft.DataType.from_arrow_type(pa.list_(laid)))
        def __call__(self, keys: daft.Series, *lists: daft.Series) -> Any:
            inputs = [lists_to_members(_whole(column.to_arrow())) for column in lists]
            rows: list[Any] = []
            offsets = [0]
            for key, *members in zip(_whole(keys.to_arrow()).to_pylist(), *inputs, strict=True):
                rows.extend(self.function(key, *members))
                offsets.append(len(rows))
            return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), with_bucket(from_rows(rows, schema)))

    class ByBatch:
        """Calls the stage's function on a batch of rows; one row comes back for each."""

        def __init__(self) -> None:
            self.function = work()

        @daft.method.batch(return_dtype=daft.DataType.from_arrow_type(laid))
        def __call__(self, *columns: daft.Series) -> Any:
            batch = pa.table({column.name(): _whole(column.to_arrow()) for column in columns})
            made = self.function(batch)
            if len(made) != len(batch):  # Daft would spread a single value over the batch without a word
                raise EngineError(f"{given.name} gave {len(made)} rows for {len(batch)}.")
            return with_bucket(made)

    processes = parallel and place.processes
    wrapped = daft.cls(
        ByBatch if by is None else ByKey,
        use_process=processes,
        max_concurrency=place.workers if processes or place.on_ray else 1,
    )
    return wrapped()


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    combined = column.combine_chunks()
    return combined if isinstance(combined, pa.Array) else combined.chunk(0)

