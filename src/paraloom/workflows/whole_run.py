"""A run's labelled pairs in, what shows only when all are seen out: clusters and splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from paraloom.corpus.options import CorpusOptions
from paraloom.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.corpus.splits import CutDates

SPLITS_FILE = "splits.parquet"


class LabelledIds(NamedTuple):
    """A pair with its label, by ids alone."""

    pair_id: str
    group_id: str
    left_id: str
    right_id: str
    is_paraphrase: bool


def labelled_ids(run: Path) -> Iterator[LabelledIds]:
    """Every pair of a run that has a label."""
    from paraloom.engine.store import read_parts

    pairs = read_parts(run, "pairs", ("pair_id", "group_id", "left_id", "right_id"))
    labels = read_parts(run, "labels", ("pair_id", "is_paraphrase"))
    for proposed, labelled in zip(pairs, labels, strict=True):  # both lie by pair_id, bucket by bucket
        label_of = dict(zip(*(column.to_pylist() for column in labelled.columns), strict=True))
        columns = (proposed.column(name).to_pylist() for name in ("pair_id", "group_id", "left_id", "right_id"))
        for pair_id, group_id, left_id, right_id in zip(*columns, strict=True):
            if (label := label_of.get(pair_id)) is not None:
                yield LabelledIds(pair_id, group_id, left_id, right_id, label)


def clusters(run: Path) -> pa.Table:
    """The cluster of every pair that is a paraphrase, by transitivity."""
    import pyarrow as pa

    from paraloom.graphs import clusters as clusters_of
    from paraloom.tables import make_id

    edges = [pair for pair in labelled_ids(run) if pair.is_paraphrase]
    found = clusters_of([(pair.left_id, pair.right_id) for pair in edges])
    names = {node: make_id("cluster", node) for node in sorted(set(found.values()))}
    return pa.table(
        {
            "pair_id": pa.array([pair.pair_id for pair in edges], pa.string()),
            "cluster_id": pa.array([names[found[pair.left_id]] for pair in edges], pa.string()),
        }
    )


class GivenSplit(NamedTuple):
    """What one group got."""

    split: str
    is_across: bool = False
    """Its documents are in different splits, so its pairs are in none."""


def assign_splits(run: Path, options: CorpusOptions) -> Path:
    """Put every group that has pairs into its split, once: a group that got one in an earlier build keeps it.

    `splits.json` holds the dates that cut, `splits.parquet`, whose path is given back, what each group got.
    """
    from paraloom.corpus.splits import draw_cut_dates

    kinds, began = kept_groups(run)
    pairs, released = pairs_of_groups(run, kinds, options)
    # A group's date counts once a pair, so that shares are shares of pairs.
    dates = (began[group] for group in released for _ in range(pairs[group]))
    cuts = cut_dates(run, lambda: draw_cut_dates(dates, options), options)
    before = given_splits(run)
    given = {group: GivenSplit(cuts.split_of(group, began[group])) for group in pairs if group not in before}
    return store_splits(run, before | given)


def given_splits(run: Path) -> dict[str, GivenSplit]:
    """What groups got in an earlier build."""
    import pyarrow.parquet as pq

    file = run / SPLITS_FILE
    rows = pq.read_table(file, partitioning=None).to_pylist() if file.is_file() else []
    return {row["group_id"]: GivenSplit(row["split"], row.get("is_across", False)) for row in rows}


def store_splits(run: Path, given: Mapping[str, GivenSplit]) -> Path:
    """Write what every group got, where it is not what is written already."""
    import pyarrow as pa

    from paraloom.engine.store import write_part

    file = run / SPLITS_FILE
    if not file.is_file() or given_splits(run) != given:
        rows = [{"group_id": group, **given[group]._asdict()} for group in sorted(given)]
        schema = pa.schema(
            [
                pa.field("group_id", pa.string(), nullable=False),
                pa.field("split", pa.string(), nullable=False),
                pa.field("is_across", pa.bool_(), nullable=False),
            ]
        )
        write_part(pa.Table.from_pylist(rows, schema=schema), file)
    return file


def cut_dates(run: Path, draw: Callable[[], CutDates], options: CorpusOptions) -> CutDates:
    """The dates the run has, else drawn now."""
    from paraloom.corpus.splits import read_cut_dates, write_cut_dates

    file = run / "splits.json"
    if not file.is_file():
        cuts = draw()
        write_cut_dates(file, cuts)
        return cuts
    cuts = read_cut_dates(file)
    if (cuts.train_share, cuts.dev_share) != (options.train_share, options.dev_share):
        raise InputError(
            f"{file} was drawn for shares of {cuts.train_share} and {cuts.dev_share}; {options.train_share} and "
            f"{options.dev_share} are asked for. Ask for the same, or delete it to have the splits drawn anew."
        )
    return cuts


def pairs_of_groups(run: Path, kinds: Mapping[str, str], options: CorpusOptions) -> tuple[Counter[str], list[str]]:
    """How many pairs each group has, and which groups have enough paraphrases to be released."""
    from paraloom.pairs.propose import worth_judging

    pairs, paraphrases = Counter[str](), Counter[str]()
    for pair in labelled_ids(run):
        pairs[pair.group_id] += 1
        paraphrases[pair.group_id] += pair.is_paraphrase
    released = [
        group for group in sorted(pairs) if options.keep_poor_groups or worth_judging(kinds[group], paraphrases[group])
    ]
    return pairs, released


def kept_groups(run: Path) -> tuple[dict[str, str], dict[str, datetime | None]]:
    """The kind of every kept group, and when it began."""
    from paraloom.engine.rows import to_python
    from paraloom.engine.store import read_parts

    kinds: dict[str, str] = {}
    began: dict[str, datetime | None] = {}
    for part in read_parts(run, "groups", ("group_id", "kind", "created_at", "dropped_for")):
        kept = part.filter(part.column("dropped_for").is_null())
        ids = kept.column("group_id").to_pylist()
        kinds.update(zip(ids, kept.column("kind").to_pylist(), strict=True))
        began.update(zip(ids, to_python(kept.column("created_at")), strict=True))
    return kinds, began
