"""The folder of a mined run in, its best pairs out, for people to judge: those that its identifier holds true.

However many there are, memory holds a part of the run and as many pairs as are wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.store import made_by_file, part_files, read_made_by
from paraloom.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

MOST_UNASKED = 5_000
"""More pairs are only taken where that is asked for."""
BEST_FIRST = [("score", "descending"), ("rank", "ascending")]


def is_mined(run: Path) -> bool:
    """Whether a run was made by mining: others have no vectors."""
    return made_by_file(run, "vectors").is_file()


def best_mined(run: Path, columns: Sequence[str], most: int | None = None) -> list[dict[str, Any]]:
    """So many pairs that are held true, or that are kept where no identifier was asked; by score, then by rank."""
    import pyarrow as pa
    import pyarrow.compute as pc

    labels = run / "labels" if _is_judged(run) else None
    best: pa.Table | None = None
    count, limit = 0, MOST_UNASKED if most is None else most
    for file in part_files(run, "pairs"):
        held = _held_true(file, labels / file.name if labels else None, columns)
        count += len(held)
        both = held if best is None else pa.concat_tables([best, held])
        best = both.take(pc.sort_indices(both, BEST_FIRST)[:limit])
    if most is None and count > limit:
        raise InputError(
            f"{run} has {count:,} pairs that are held true, more than people can judge. Take the best of them: --most "
            f"1000, or draw some of every kind: `paraloom mine sample {run} --out sample.tsv`, and import that file."
        )
    return [] if best is None else best.select(list(columns)).to_pylist()


def _is_judged(run: Path) -> bool:
    """Whether the run's identifier was asked when it was mined last: labels from before may still lie there."""
    if not made_by_file(run, "clusters").is_file():  # not yet ended
        return made_by_file(run, "labels").is_file()
    return "labels" in read_made_by(run, "clusters")["inputs"]


def _held_true(pairs_file: Path, labels_file: Path | None, columns: Sequence[str]) -> pa.Table:
    """The pairs of one part that are kept and held true, with their scores."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    pairs = pq.read_table(pairs_file, columns=list(columns), partitioning=None)
    pairs = pairs.filter(pc.is_null(pairs.column("dropped_for")))
    if labels_file is None or not labels_file.is_file():
        return pairs.append_column("score", pa.nulls(len(pairs), pa.float64()))
    labels = pq.read_table(labels_file, columns=["pair_id", "is_paraphrase", "score"], partitioning=None)
    labels = labels.filter(labels.column("is_paraphrase"))
    places = pc.index_in(pairs.column("pair_id"), value_set=labels.column("pair_id").combine_chunks())
    scores = labels.column("score").combine_chunks().take(places.combine_chunks())
    return pairs.append_column("score", scores).filter(pc.is_valid(places))
