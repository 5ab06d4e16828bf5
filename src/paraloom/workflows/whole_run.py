"""A run's labelled pairs in, what shows only when all are seen out: clusters, and the dates that cut the splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from paraloom.corpus.options import CorpusOptions

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.corpus.splits import CutDates


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


def cut_dates(run: Path, options: CorpusOptions) -> CutDates:
    """The dates that cut the splits: those the run was given before, else drawn from its pairs and stored.

    A group's date counts once for every pair the group brings into the corpus, so that the shares are shares of pairs.
    """
    from paraloom.corpus.splits import draw_cut_dates, read_cut_dates, write_cut_dates
    from paraloom.pairs.propose import worth_judging

    file = run / "splits.json"
    if file.is_file():
        return read_cut_dates(file)
    kinds, began = _groups(run)
    pairs = Counter[str]()
    paraphrases = Counter[str]()
    for pair in labelled_ids(run):
        pairs[pair.group_id] += 1
        paraphrases[pair.group_id] += pair.is_paraphrase
    released = [
        group for group in sorted(pairs) if options.keep_poor_groups or worth_judging(kinds[group], paraphrases[group])
    ]
    cuts = draw_cut_dates((began[group] for group in released for _ in range(pairs[group])), options)
    write_cut_dates(file, cuts)
    return cuts


def _groups(run: Path) -> tuple[dict[str, str], dict[str, datetime | None]]:
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
