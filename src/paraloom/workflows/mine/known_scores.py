"""Pairs and runs that were judged before in, the scores that these have of the pairs out: nothing is judged twice.

A score is known where a run had it from the same weights, by the same definition, for the same two texts: which of its
copies stands for a sentence may be another one in another run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.buckets import bucket_of
from paraloom.engine.layout import Laid, laid_table
from paraloom.engine.signatures import hash_of_file, paraloom_version
from paraloom.engine.store import made_by_file, read_made_by

if TYPE_CHECKING:
    from paraloom.labels.options import LabelOptions

JUDGED = ("score", "grade", "labelled_by")
"""What is known of a pair."""
FROM = "known_from"
"""The column that says which run it is known from, by its place among them."""


def judged_alike(runs: Sequence[Path], options: LabelOptions, weights: Mapping[str, Path]) -> tuple[Path, ...]:
    """Those of these runs whose labels are by the same identifier and definition, each once and in their order."""
    hashes = {name: hash_of_file(path) for name, path in weights.items()}
    alike = []
    for run in dict.fromkeys(run.resolve() for run in runs):
        if not made_by_file(run, "labels").is_file() or not made_by_file(run, "pairs").is_file():
            continue
        made_by = read_made_by(run, "labels")
        is_same = made_by["options"].get("definition") == options.definition and made_by["weights"] == hashes
        if is_same and made_by["paraloom"] == paraloom_version():
            alike.append(run)
    return tuple(alike)


class KnownScores:
    """The scores that runs have of pairs; the first run that has one is asked."""

    def __init__(self, runs: Sequence[Path]) -> None:
        self.laid = [(laid_table(run, "labels"), laid_table(run, "pairs")) for run in runs]

    def beside(self, pairs: pa.Table) -> pa.Table:
        """The pairs with what is known of each (`JUDGED`, `FROM`); null where nothing is."""
        columns: dict[str, pa.Array] = {
            "score": pa.nulls(len(pairs), pa.float64()),
            "grade": pa.nulls(len(pairs), pa.string()),
            "labelled_by": pa.nulls(len(pairs), pa.string()),
            FROM: pa.nulls(len(pairs), pa.int64()),
        }
        for number, (labels, texts) in enumerate(self.laid):
            for known in _near(labels, texts, pairs):
                found = _found(pairs, known)
                for name in JUDGED:
                    columns[name] = pc.coalesce(columns[name], known.column(name).combine_chunks().take(found))
                is_new = pc.and_(pc.is_valid(found), pc.is_null(columns[FROM]))
                columns[FROM] = pc.if_else(is_new, number, columns[FROM])
        for name, column in columns.items():
            pairs = pairs.append_column(name, column)
        return pairs


def _found(pairs: pa.Table, known: pa.Table) -> pa.Array:
    """The place of each pair among those that are known, both texts the same; null where it is not there."""
    places = pc.index_in(pairs.column("pair_id"), value_set=known.column("pair_id").combine_chunks()).combine_chunks()
    left, right = (
        pc.equal(pairs.column(side).combine_chunks(), known.column(side).combine_chunks().take(places))
        for side in ("left", "right")
    )
    return pc.if_else(pc.fill_null(pc.and_(left, right), False), places, pa.scalar(None, places.type))


def _near(labels: Laid, texts: Laid, pairs: pa.Table) -> Iterator[pa.Table]:
    """The judged pairs of a run with their texts, part by part, where those that are asked about can lie."""
    if not len(pairs):
        return
    ends = pc.min_max(pairs.column("pair_id")).as_py()
    first, last = (bucket_of(ends[end], labels.buckets) for end in ("min", "max"))
    for bucket in range(first, last + 1):
        judged = labels.read(bucket, ("pair_id", *JUDGED))
        judged = judged.filter(pc.is_valid(judged.column("score")))
        beside = texts.read(bucket, ("pair_id", "left", "right"))
        places = pc.index_in(judged.column("pair_id"), value_set=beside.column("pair_id").combine_chunks())
        for side in ("left", "right"):
            judged = judged.append_column(side, beside.column(side).take(places))
        yield judged
