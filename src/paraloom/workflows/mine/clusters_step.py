"""Mined pairs and their labels in, clusters of sentences out, by transitivity over the pairs that are held true."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.folders import ASIDE, FolderStep, Round
from paraloom.engine.rows import row_schema
from paraloom.engine.store import part_files, write_part
from paraloom.models.neighbours.lists import read_array
from paraloom.tables import Cluster, check, make_id
from paraloom.workflows.mine.numbers import Numbers, keys_of

if TYPE_CHECKING:
    import pyarrow as pa

EDGES, TOPS, SIZES = "edges", "tops.npy", "sizes.npy"
SMALL_PAIRS, SMALL_SENTENCES = 64 << 20, 500_000
"""Below so many bytes of pairs, and so many sentences, helper processes take longer to start than they save."""


def clusters_step(run: Path, *, is_judged: bool) -> FolderStep:
    """Pairs, and labels where they are judged → clusters."""
    return FolderStep(
        table="clusters",
        rounds=(
            partial(_edges_round, run=run, is_judged=is_judged),
            partial(_tops_round, run=run),
            partial(_parts_round, run=run),
        ),
        stages=("pairs",),
        inputs=("vectors", "pairs", *(("labels",) if is_judged else ())),
        rows=_count_rows,
        made_anew_for=("inputs.labels",),
    )


def _count_rows(folder: Path) -> int:
    import pyarrow.parquet as pq

    return sum(pq.read_metadata(file).num_rows for file in folder.glob("part-*.parquet"))


def held_true(run: Path, part: int, columns: tuple[str, ...], *, is_judged: bool) -> pa.Table:
    """The kept pairs of one part that the identifier holds true, or all kept ones where none was asked."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    pairs = pq.read_table(_file(run, "pairs", part), columns=["pair_id", *columns, "dropped_for"], partitioning=None)
    pairs = pairs.filter(pc.is_null(pairs.column("dropped_for")))
    if is_judged:
        labels = pq.read_table(_file(run, "labels", part), columns=["pair_id", "is_paraphrase"], partitioning=None)
        true = labels.filter(labels.column("is_paraphrase")).column("pair_id")
        pairs = pairs.filter(pc.is_in(pairs.column("pair_id"), value_set=true.combine_chunks()))
    return pairs.select(list(columns))


def _file(run: Path, table: str, part: int) -> Path:
    return run / table / f"part-{part:02d}.parquet"


def _edges_round(folder: Path, *, run: Path, is_judged: bool) -> Round:
    files = part_files(run, "pairs")
    return Round(
        name="joined",
        files=tuple(f"{EDGES}/{_edges_file(part)}" for part in range(len(files))),
        work=partial(partial, _write_edges, run, is_judged),
        is_kept=False,
        is_small=sum(file.stat().st_size for file in files) < SMALL_PAIRS,
    )


def _edges_file(part: int) -> str:
    return f"part-{part:05d}.npy"


def _write_edges(run: Path, is_judged: bool, part: int, target: Path) -> None:
    pairs = held_true(run, part, ("left_id", "right_id"), is_judged=is_judged)
    numbers = Numbers.of(run / "vectors")
    sides = [numbers.find(keys_of(pairs.column(side))) for side in ("left_id", "right_id")]
    with target.open("wb") as file:
        np.save(file, np.stack(sides), allow_pickle=False)


def _tops_round(folder: Path, *, run: Path) -> Round:
    return Round(
        name="linked",
        files=("linked",),
        work=partial(partial, _link, run, folder / ASIDE / EDGES),
        is_kept=False,
        is_small=True,
    )


def _link(run: Path, edges: Path, number: int, target: Path) -> None:
    from paraloom.pairs.cluster_loops import flatten, link

    count = len(Numbers.of(run / "vectors"))
    parents = np.arange(count)
    for part in range(len(part_files(run, "pairs"))):
        left, right = read_array(edges / _edges_file(part))
        link(parents, left, right)
    flatten(parents)
    target.mkdir()
    np.save(target / TOPS, parents)
    np.save(target / SIZES, np.bincount(parents, minlength=count))


def _parts_round(folder: Path, *, run: Path) -> Round:
    numbers = Numbers.of(run / "vectors")
    return Round(
        name="parts",
        files=tuple(f"part-{part:02d}.parquet" for part in range(len(numbers.starts) - 1)),
        work=partial(partial, _write_part, run, folder / ASIDE / "linked"),
        is_small=len(numbers) < SMALL_SENTENCES,
    )


def _write_part(run: Path, linked: Path, part: int, target: Path) -> None:
    import pyarrow as pa

    numbers = Numbers.of(run / "vectors")
    start, stop = numbers.starts[part : part + 2].tolist()
    tops = read_array(linked / TOPS, in_memory=False)[start:stop]
    sizes = read_array(linked / SIZES, in_memory=False)[tops]
    members = np.flatnonzero(sizes > 1)
    present, place = np.unique(tops[members], return_inverse=True)
    names = np.array([make_id("cluster", top) for top in numbers.ids(present)], object)
    rows = pa.table(
        {
            "sentence_id": pa.array(numbers.ids(start + members), pa.string()),
            "cluster_id": pa.array(names[place].tolist(), pa.string()),
            "size": pa.array(sizes[members], pa.int64()),
        }
    )
    write_part(check(rows.cast(row_schema(Cluster)), Cluster), target)
