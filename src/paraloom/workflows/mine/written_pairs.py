"""Pairs, labels and clusters of a run in, one file for other programs out, the best pair first, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.given import format_of
from paraloom.engine.layout import laid_table
from paraloom.engine.passes import BucketPass, Read
from paraloom.engine.rows import row_schema
from paraloom.engine.steps import laid_aside
from paraloom.workflows.mine.ordering import LOOKED_AT
from paraloom.workflows.table_files import PARQUET, write_line_file, write_table_parts
from paraloom.workflows.table_lines import lines_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from paraloom.engine.layout import Laid
    from paraloom.engine.steps import Place

PAIR_COLUMNS = (
    "pair_id",
    "left_id",
    "right_id",
    "left",
    "right",
    "similarity",
    "margin",
    "lexical",
    "is_mutual",
    "rank",
)
JUDGED = ("score", "is_paraphrase")
"""Columns of the file where pairs were judged."""
DECIMALS = 1_000_000
"""Scores have six decimals."""
RANK_BITS = 40
"""There are fewer pairs than such numbers have values."""
LINES_AT_ONCE = 65_536
MOST_BYTES = 512 << 20
"""Of lines that are laid down together: an array of texts cannot hold more than four times as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPair:
    """A row of the file, and what it is ordered by."""

    range: int
    place: int
    left: str
    right: str
    score: float | None
    is_paraphrase: bool | None
    similarity: float
    margin: float
    lexical: float
    is_mutual: bool
    rank: int
    cluster_id: str | None
    left_id: str
    right_id: str
    pair_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenLine:
    """A row of a file of text as it is written there, and what it is ordered by."""

    range: int
    place: int
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A sentence of a pair that is written."""

    sentence_id: str
    pair_id: str
    is_left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SideCluster:
    """The cluster of a sentence of a pair that is written."""

    pair_id: str
    is_left: bool
    cluster_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which kept pairs are written."""

    is_judged: bool
    """Those that the identifier holds true, the best score first; else all, by rank."""
    with_negatives: bool
    """All the same, those that were not judged at the end."""

    @property
    def are_all_true(self) -> bool:
        """Whether every one of them is held true, and so has joined its sentences in a cluster."""
        return not (self.is_judged and self.with_negatives)

    def reads(self, columns: tuple[str, ...]) -> tuple[Read, ...]:
        """What of the run tells which these are."""
        pairs = Read(table="pairs", columns=columns)
        labels = Read(table="labels", columns=("pair_id", *JUDGED), kept_only=False)
        return (pairs, labels) if self.is_judged else (pairs,)

    def among(self, pairs: pa.Table, labels: pa.Table | None) -> pa.Table:
        """Those of some pairs, with what the labels say of each; null where it was not judged."""
        if labels is None:
            said = {"score": pa.nulls(len(pairs), pa.float64()), "is_paraphrase": pa.nulls(len(pairs), pa.bool_())}
        else:
            places = _places(pairs.column("pair_id"), labels.column("pair_id"))
            said = {name: labels.column(name).take(places) for name in JUDGED}
        for name, column in said.items():
            pairs = pairs.append_column(name, column)
        if labels is None or self.with_negatives:
            return pairs
        return pairs.filter(pc.fill_null(pairs.column("is_paraphrase"), False))


def write_pairs(place: Place, target: Path, unfinished: Path, *, is_judged: bool, with_negatives: bool = False) -> str:
    """Kept pairs that are held true, or all, by the identifier's score where there is one, then by rank.

    Gives the file's hash. Of a file of text the tasks write the lines, and they are only put in order here.
    """
    wanted = Wanted(is_judged=is_judged, with_negatives=with_negatives)
    schema = file_schema(is_judged=is_judged)
    lines_as = None if format_of(target) == PARQUET else format_of(target)
    planned = (
        BucketPass(
            name="sides",
            reads=wanted.reads(("pair_id", "left_id", "right_id")),
            work=partial(partial, _sides, wanted=wanted),
            row=Side,
            to="sentence_id",
        ),
        BucketPass(
            name="clustered",
            reads=(
                Read(table="sides", columns=("sentence_id", "pair_id", "is_left"), kept_only=False),
                Read(table="clusters", columns=("sentence_id", "cluster_id"), kept_only=False),
            ),
            work=partial(partial, _clustered),
            row=SideCluster,
            to="pair_id",
        ),
        BucketPass(
            name="written",
            reads=(
                Read(table="clustered", columns=("pair_id", "is_left", "cluster_id"), kept_only=False),
                *wanted.reads(PAIR_COLUMNS),
            ),
            work=partial(
                partial, _rows, wanted=wanted, cuts=_cuts(place.run, wanted), names=schema.names, lines_as=lines_as
            ),
            row=WrittenLine if lines_as else WrittenPair,
            to="range",
        ),
    )
    with laid_aside("file", planned, place) as laid:
        ranges = _told(place, laid["written"])
        if lines_as:
            lines = chain.from_iterable(map(_lines_in_order, ranges))
            written = write_line_file(lines, schema.names, target, unfinished)
        else:
            in_order = (rows.sort_by("place").select(schema.names).cast(schema) for rows in ranges)
            written = write_table_parts(in_order, schema, target, unfinished)
        place.progress("file", "joined", place.buckets, place.buckets)
    return written


def file_schema(*, is_judged: bool) -> pa.Schema:
    """The columns of the file."""
    left_out = ("range", "place") if is_judged else ("range", "place", *JUDGED)
    return pa.schema([field for field in row_schema(WrittenPair) if field.name not in left_out])


def _told(place: Place, laid: Laid) -> Iterator[pa.Table]:
    """The rows of every range, the best range first; it is told at which one we are."""
    for number in range(place.buckets):
        place.progress("file", "joined", number, place.buckets)
        yield laid.read(number, [name for name in laid.schema.names if name != laid.key])


def _lines_in_order(rows: pa.Table) -> Iterator[pa.Array]:
    """The lines of a range, many at a time."""
    order = pc.sort_indices(rows.column("place"))
    lines = rows.column("line").cast(pa.large_string()).combine_chunks()  # all of a range may have more than 2 GB
    for start in range(0, len(order), LINES_AT_ONCE):
        yield lines.take(order.slice(start, LINES_AT_ONCE))


def places_of(scores: pa.ChunkedArray, ranks: pa.ChunkedArray) -> NDArray[np.int64]:
    """Where each pair stands, as a number: by score from high to low, then by rank; those without a score at the end.

    >>> places = places_of(pa.chunked_array([[0.5, 0.9, None, 0.9]]), pa.chunked_array([[1, 2, 3, 4]]))
    >>> np.argsort(places).tolist()
    [1, 3, 0, 2]
    """
    from_best = np.rint((1 - pc.fill_null(scores.cast(pa.float64()), -1.0).to_numpy()) * DECIMALS).astype(np.int64)
    places: NDArray[np.int64] = (from_best << RANK_BITS) + ranks.to_numpy()
    return places


def cuts_between(places: NDArray[np.int64], ranges: int) -> NDArray[np.int64]:
    """Where to cut so that each of so many ranges has about as many of these places."""
    if not len(places):
        return np.empty(0, np.int64)
    ends = np.linspace(0, len(places), ranges + 1)[1:-1].astype(np.int64)
    return np.asarray(np.sort(places)[ends])


def _cuts(run: Path, wanted: Wanted) -> NDArray[np.int64]:
    """Where the pairs of a run are cut: pairs lie by their ids, which are hashes, so the first of them are a sample."""
    pairs, labels = laid_table(run, "pairs"), laid_table(run, "labels") if wanted.is_judged else None
    looked_at, found = [np.empty(0, np.int64)], 0
    for bucket in range(pairs.buckets):
        kept = pairs.read(bucket, ("pair_id", "rank", "dropped_for"))
        kept = kept.filter(pc.is_null(kept.column("dropped_for")))
        rows = wanted.among(kept, labels.read(bucket, ("pair_id", *JUDGED)) if labels else None)
        looked_at.append(places_of(rows.column("score"), rows.column("rank")))
        found += len(rows)
        if found >= LOOKED_AT:
            break
    return cuts_between(np.concatenate(looked_at), pairs.buckets)


def _sides(bucket: int, pairs: pa.Table, labels: pa.Table | None = None, *, wanted: Wanted) -> Iterator[pa.Table]:
    """The sentences of each pair; of one that is held true the left one, since both are in one cluster."""
    rows = wanted.among(pairs, labels)
    for is_left in (True,) if wanted.are_all_true else (True, False):
        ids = rows.column("left_id" if is_left else "right_id")
        yield pa.table(
            {"sentence_id": ids, "pair_id": rows.column("pair_id"), "is_left": pa.repeat(is_left, len(rows))}
        )


def _clustered(bucket: int, sides: pa.Table, clusters: pa.Table) -> Iterator[pa.Table]:
    ids = clusters.column("cluster_id").take(_places(sides.column("sentence_id"), clusters.column("sentence_id")))
    sides = sides.select(["pair_id", "is_left"]).append_column("cluster_id", ids)
    yield sides.filter(pc.is_valid(ids))


def _rows(
    bucket: int,
    clustered: pa.Table,
    pairs: pa.Table,
    labels: pa.Table | None = None,
    *,
    wanted: Wanted,
    cuts: NDArray[np.int64],
    names: list[str],
    lines_as: str | None,
) -> Iterator[pa.Table]:
    """The rows of the file, in columns, or as lines in this format."""
    rows = wanted.among(pairs, labels)
    if not len(rows):
        return
    places = places_of(rows.column("score"), rows.column("rank"))
    rows = rows.append_column("place", pa.array(places))
    rows = rows.append_column("range", pa.array(np.searchsorted(cuts, places, side="right")))
    is_left = clustered.column("is_left")
    left = _clusters_of(rows, clustered.filter(is_left))
    right = left if wanted.are_all_true else _clusters_of(rows, clustered.filter(pc.invert(is_left)))
    rows = rows.append_column("cluster_id", _common(left, right))
    if lines_as is None:
        yield rows
        return
    at_once = len(rows) // (rows.nbytes // MOST_BYTES + 1) + 1
    for start in range(0, len(rows), at_once):
        some = rows.slice(start, at_once)
        lines = pa.chunked_array(lines_of(some.select(names), lines_as))
        yield some.select(["range", "place"]).append_column("line", lines)


def _clusters_of(pairs: pa.Table, sides: pa.Table) -> pa.ChunkedArray:
    return sides.column("cluster_id").take(_places(pairs.column("pair_id"), sides.column("pair_id")))


def _common(left: pa.ChunkedArray, right: pa.ChunkedArray) -> pa.ChunkedArray:
    """The cluster that both sentences of each pair are in; null where there is none."""
    return pc.if_else(pc.fill_null(pc.equal(left, right), False), left, pa.scalar(None, pa.string()))


def _places(of: pa.ChunkedArray, among: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.index_in(of, value_set=among.combine_chunks())
