"""A step in, a finished table out: its passes, its merge, its signature written last."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from paraloom.engine import passes, store
from paraloom.engine.layout import Laid
from paraloom.engine.passes import AnyPass, Workplace, lay_rows, run_pass
from paraloom.engine.places import import_daft
from paraloom.engine.rows import row_schema
from paraloom.engine.signatures import (
    MadeBy,
    hash_of_file,
    hash_of_source,
    library_versions,
    paraloom_version,
    plain_options,
)
from paraloom.engine.workers import told_plainly
from paraloom.tables import NOUNS, check

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.engine.foreign import Chunk

Merge = Callable[[list[dict[str, Any]]], dict[str, Any]]
"""Several rows with one key in, the one row that stands for them out."""
MergeTable = Callable[["pa.Table"], "pa.Table"]
"""Rows in the order of their key in, each key once and in the same order out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How one table of a run is made."""

    table: str
    passes: tuple[AnyPass | Callable[[Mapping[str, Laid]], AnyPass], ...]
    """In order; one that depends on what an earlier one found is a function of what was laid down so far."""
    options: Any = None
    stages: tuple[str, ...]
    """Source packages whose change makes the table another one."""
    inputs: tuple[str, ...] = ()
    """Tables of the run it reads."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """Files it reads, by the name they have in the signature."""
    weights: Mapping[str, Path] = field(default_factory=dict)
    libraries: tuple[str, ...] = ()
    """Packages that decide what comes out of this step, beside those that decide everywhere."""
    chunks: Sequence[Chunk] = ()
    prepared: Mapping[str, tuple[str, Callable[[], pa.Table]]] = field(default_factory=dict)
    """Rows worked out here, before the passes that read them: a name, their key, and how to make them."""
    merge: Merge | None = None
    """What to do with rows that share a key; None: such a table is an error."""
    merge_table: MergeTable | None = None
    """The same for all rows of a bucket at once, where very many share a key."""
    made_anew_for: tuple[str, ...] = ()
    """What may differ from how the table that is there was made (`options.threshold`, `inputs.labels`): it is soon made
    anew then, and takes that one's place. With any other difference it is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where steps run: the run folder, and what `places.at` gave."""

    run: Path
    buckets: int
    workers: int
    on_ray: bool = False
    progress: Callable[[str, str, int, int], None] = lambda table, name, done, total: None


def make(step: Step, place: Place) -> MadeBy:
    """Make the table, or resume making it, or see that it is there already."""
    place.progress(step.table, "looked for", 0, 1)
    made_by = how_made(step, place)
    place.progress(step.table, "looked for", 1, 1)
    if store.check_target(place.run, step.table, made_by, step.made_anew_for):
        store.clear_unfinished(place.run, step.table)  # left where a run was killed between its last two acts
        return made_by
    folder = store.unfinished_folder(place.run, step.table, made_by)
    folder.mkdir(parents=True, exist_ok=True)
    workplace = _workplace(place, step.table, folder, step.chunks)
    laid = {name: lay_rows(name, rows, key, workplace) for name, (key, rows) in step.prepared.items()}
    last = ""
    for planned in step.passes:
        given = planned(laid) if callable(planned) else planned
        last = given.name
        laid[last] = run_pass(given, workplace, laid)
    rows = _write_parts(step, laid[last], workplace)
    finish(place.run, made_by, folder, "parts", rows=rows)
    return made_by


@contextlib.contextmanager
def laid_aside(name: str, planned: Sequence[AnyPass], place: Place) -> Iterator[Mapping[str, Laid]]:
    """What passes make of a run's tables, by their names, to be read and forgotten: no table comes of it."""
    store.clear_unfinished(place.run, name)  # of a run that was killed: its tables may have been others
    folder = place.run / store.UNFINISHED / f"{name}-aside"
    folder.mkdir(parents=True)
    workplace = _workplace(place, name, folder)
    laid: dict[str, Laid] = {}
    try:
        for given in planned:
            laid[given.name] = run_pass(given, workplace, laid)
        yield laid
    finally:
        store.clear_unfinished(place.run, name)


def _workplace(place: Place, told: str, folder: Path, chunks: Sequence[Chunk] = ()) -> Workplace:
    return Workplace(
        run=place.run,
        folder=folder,
        buckets=place.buckets,
        workers=place.workers,
        on_ray=place.on_ray,
        chunks=chunks,
        progress=lambda name, done, total: place.progress(told, name, done, total),
    )


class Signed(Protocol):
    """What a signature is made of, of a step that makes a table or a folder."""

    @property
    def table(self) -> str:
        """The name of what is made."""

    @property
    def options(self) -> Any:
        """What it was told."""

    @property
    def stages(self) -> tuple[str, ...]:
        """Source packages whose change makes it another one."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """What of the run it reads."""

    @property
    def files(self) -> Mapping[str, Path]:
        """Files it reads."""

    @property
    def weights(self) -> Mapping[str, Path]:
        """Weights it uses."""

    @property
    def libraries(self) -> tuple[str, ...]:
        """Packages that decide what comes out."""

    @property
    def made_anew_for(self) -> tuple[str, ...]:
        """What may differ from how it was made before."""


def how_made(step: Signed, place: Place) -> MadeBy:
    """What the step's result will be made from, all that its signature depends on."""
    inputs = {name: str(store.read_made_by(place.run, name)["signature"]) for name in step.inputs}
    return _made_by(step, place, inputs | {name: hash_of_file(path) for name, path in step.files.items()})


def refuse_ahead(step: Signed, place: Place) -> None:
    """`TargetTaken` now, not when the step has its turn, where the result that is there was made another way; of what
    the step reads nothing need be there yet."""
    if store.made_by_file(place.run, step.table).is_file():
        before = store.read_made_by(place.run, step.table)
        store.check_target(place.run, step.table, _made_by(step, place, before["inputs"]), step.made_anew_for)


def _made_by(step: Signed, place: Place, inputs: Mapping[str, str]) -> MadeBy:
    return MadeBy(
        step=step.table,
        options=plain_options(step.options),
        inputs=inputs,
        weights={name: hash_of_file(path) for name, path in step.weights.items()},
        source=hash_of_source(step.stages),
        paraloom=paraloom_version(),
        buckets=place.buckets,
        libraries=library_versions(step.libraries),
    )


def _write_parts(step: Step, laid: Laid, place: Workplace) -> int:
    """Every bucket sorted, merged, checked and written; on Ray each on the node that has the time."""
    parts = place.folder / "parts"
    parts.mkdir(exist_ok=True)
    store.clear_leftovers(parts)
    write = PartWriter(table=step.table, merge=step.merge, merge_table=step.merge_table, laid=laid, folder=str(parts))
    if not place.on_ray or laid.bytes <= passes.SMALL_INPUT:
        rows = 0
        with ThreadPoolExecutor(place.workers) as pool:  # Arrow sorts and packs outside Python's lock
            for done, written in enumerate(pool.map(write, range(place.buckets))):
                place.progress("parts", done, place.buckets)
                rows += written
        place.progress("parts", place.buckets, place.buckets)
        return rows
    daft = import_daft()
    frame = daft.from_pydict({"bucket": list(range(place.buckets))}).into_partitions(place.buckets)
    call = daft.func(write, return_dtype=daft.DataType.int64(), use_process=False)
    with told_plainly(step.table):
        written = frame.select(call(frame["bucket"]).alias("rows")).to_pydict()
    return sum(written["rows"])


@dataclass(frozen=True, slots=True, kw_only=True)
class PartWriter:
    """Writes one bucket of a table; a part that is there already is whole and is left alone."""

    table: str
    merge: Merge | None
    merge_table: MergeTable | None = None
    laid: Laid
    folder: str
    __name__: str = "write_part"

    def __call__(self, bucket: int) -> int:
        import pyarrow.parquet as pq

        noun = NOUNS[self.table]
        target = Path(self.folder) / f"part-{bucket:02d}.parquet"
        if target.exists():
            return int(pq.read_metadata(target).num_rows)
        rows = self.laid.read(bucket, row_schema(noun).names)
        rows = rows.sort_by([(column, "ascending") for column in noun.KEY])
        if self.merge is not None:
            rows = merge_rows(rows, noun.KEY, self.merge)
        if self.merge_table is not None:
            rows = self.merge_table(rows)
        store.write_part(check(rows, noun), target)
        return len(rows)


def merge_rows(rows: pa.Table, key: tuple[str, ...], merge: Merge) -> pa.Table:
    """Rows sorted by their key, each key once; only rows that share one are looked at in Python."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(rows) < 2:
        return rows
    same = np.ones(len(rows) - 1, bool)
    for column in key:
        values = rows.column(column).combine_chunks()
        same &= pc.equal(values.slice(1), values.slice(0, len(rows) - 1)).to_numpy(zero_copy_only=False)
    if not same.any():
        return rows
    repeated = np.concatenate([same, [False]]) | np.concatenate([[False], same])
    starts = np.flatnonzero(repeated & ~np.concatenate([[False], same]))
    stops = np.append(starts[1:], len(rows))
    merged = []
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        length = 1 + int(np.argmin(np.append(same[start : stop - 1], False)))
        alike = rows.slice(start, length).to_pylist()
        merged.append(merge(sorted(alike, key=lambda row: json.dumps(row, sort_keys=True, default=str))))
    single = rows.filter(pa.array(~repeated))
    together = pa.concat_tables([single, pa.Table.from_pylist(merged, schema=rows.schema)])
    return together.sort_by([(column, "ascending") for column in key])


def finish(run: Path, made_by: MadeBy, folder: Path, whole: str, *, rows: int) -> None:
    """Put what is whole in its place, then say how it was made, then clear away what was left on the way."""
    target = run / made_by.step
    store.made_by_file(run, made_by.step).unlink(missing_ok=True)  # what is replaced does not exist from here on
    if target.exists():  # it is, or was renamed by a run that was killed before it could say so
        shutil.rmtree(target)
    (folder / whole).rename(target)
    written = {**asdict(made_by), "signature": made_by.signature, "rows": rows}
    store.write_text(store.made_by_file(run, made_by.step), json.dumps(written, indent=2, sort_keys=True) + "\n")
    store.clear_unfinished(run, made_by.step)
