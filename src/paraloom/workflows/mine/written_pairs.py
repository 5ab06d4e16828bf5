"""Pairs, labels and clusters of a run in, one file for other programs out, the best pair first, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.layout import laid_table
from paraloom.engine.passes import BucketPass, Read
from paraloom.engine.rows import row_schema
from paraloom.engine.steps import laid_aside
from paraloom.engine.store import made_by_file
from paraloom.workflows.mine.ordering import Bounds, bounds_of
from paraloom.workflows.table_files import write_table_parts

if TYPE_CHECKING:
    from paraloom.engine.steps import Place

PAIR_COLUMNS = ("pair_id", "left_id", "left", "right", "similarity", "margin", "is_mutual", "lexical", "rank")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPair:
    """A row of the file."""

    range: int
    left: str
    right: str
    score: float | None
    is_paraphrase: bool | None
    similarity: float
    margin: float
    lexical: float
    is_mutual: bool
    rank: int
    pair_id: str


def write_pairs(place: Place, target: Path, *, with_negatives: bool = False) -> None:
    """Kept pairs that are held true, or all, by the identifier's score where there is one, then by rank."""
    has_labels = made_by_file(place.run, "labels").is_file()
    bounds = _bounds(place.run, has_labels)
    reads = [Read(table="pairs", columns=PAIR_COLUMNS)]
    if has_labels:
        reads.append(Read(table="labels", columns=("pair_id", "is_paraphrase", "score"), kept_only=False))
    planned = BucketPass(
        name="written",
        reads=tuple(reads),
        work=partial(partial, _rows, bounds=bounds, with_negatives=with_negatives),
        row=WrittenPair,
        to="range",
    )
    names = [name for name in row_schema(WrittenPair).names if name != "range"]
    schema = pa.schema([row_schema(WrittenPair).field(name) for name in names])
    with laid_aside("file", [planned], place) as laid:
        ranges = (laid["written"].read(number, names) for number in range(place.buckets))
        write_table_parts((_in_order(rows).cast(schema) for rows in ranges), schema, target)


def _bounds(run: Path, has_labels: bool) -> Bounds:
    laid = laid_table(run, "pairs")
    if has_labels:
        return Bounds(tuple(np.linspace(1, 0, laid.buckets + 1)[1:-1].tolist()))
    return bounds_of(laid, "margin")


def _rows(
    bucket: int, pairs: pa.Table, labels: pa.Table | None = None, *, bounds: Bounds, with_negatives: bool
) -> Iterator[pa.Table]:
    if not len(pairs):
        return
    if labels is None:
        scores = truths = pa.nulls(len(pairs))
        ordered_by = pairs.column("margin").to_numpy()
    else:
        places = pc.index_in(pairs.column("pair_id"), value_set=labels.column("pair_id").combine_chunks())
        scores = labels.column("score").take(places)
        truths = labels.column("is_paraphrase").take(places)
        ordered_by = pc.fill_null(scores, 0.0).to_numpy()
    made = {name: pairs.column(name) for name in PAIR_COLUMNS if name != "left_id"}
    made |= {"score": scores, "is_paraphrase": truths, "range": bounds.ranges_of(ordered_by)}
    rows = pa.table(made)
    yield rows if with_negatives or labels is None else rows.filter(pc.fill_null(truths, False))


def _in_order(rows: pa.Table) -> pa.Table:
    return rows.take(pc.sort_indices(rows, [("score", "descending"), ("rank", "ascending")]))
