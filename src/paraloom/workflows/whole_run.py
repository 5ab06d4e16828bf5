"""A run's labelled pairs in, what shows only when all are seen out: clusters and splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from paraloom.corpus.options import CorpusOptions
from paraloom.errors import InputError

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


def assign_splits(run: Path, options: CorpusOptions) -> Path:
    """Put every group that has pairs into its split, once: a group that got one in an earlier build keeps it.

    `splits.json` holds the dates that cut, `splits.parquet`, whose path is given back, what each group got.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from paraloom.engine.store import write_part

    kinds, began = _groups(run)
    families = _families(run, kinds, began)
    pairs, paraphrases = _pairs_of_groups(run)
    released = (group for group in sorted(pairs) if _is_released(kinds[group], paraphrases[group], options))
    cuts = _cut_dates(run / "splits.json", (began[group] for group in released for _ in range(pairs[group])), options)
    file = run / "splits.parquet"
    before = pq.read_table(file, partitioning=None).to_pylist() if file.is_file() else []
    splits = {row["group_id"]: row["split"] for row in before}
    missing = {group: cuts.split_of(families.get(group, group), began[group]) for group in pairs if group not in splits}
    if missing or not file.is_file():
        rows = [{"group_id": group, "split": split} for group, split in sorted((splits | missing).items())]
        schema = pa.schema([pa.field(name, pa.string(), nullable=False) for name in ("group_id", "split")])
        write_part(pa.Table.from_pylist(rows, schema=schema), file)
    return file


def _cut_dates(file: Path, began: Iterable[datetime | None], options: CorpusOptions) -> CutDates:
    """The dates the run has, else drawn now: a group's date counts once a pair, so that shares are shares of pairs."""
    from paraloom.corpus.splits import draw_cut_dates, read_cut_dates, write_cut_dates

    if not file.is_file():
        cuts = draw_cut_dates(began, options)
        write_cut_dates(file, cuts)
        return cuts
    cuts = read_cut_dates(file)
    if (cuts.train_share, cuts.dev_share) != (options.train_share, options.dev_share):
        raise InputError(
            f"{file} was drawn for shares of {cuts.train_share} and {cuts.dev_share}; {options.train_share} and "
            f"{options.dev_share} are asked for. Ask for the same, or delete it to have the splits drawn anew."
        )
    return cuts


def _is_released(kind: str, paraphrases: int, options: CorpusOptions) -> bool:
    from paraloom.pairs.propose import worth_judging

    return options.keep_poor_groups or worth_judging(kind, paraphrases)


def _pairs_of_groups(run: Path) -> tuple[Counter[str], Counter[str]]:
    """How many pairs, and how many paraphrases, each group has."""
    pairs, paraphrases = Counter[str](), Counter[str]()
    for pair in labelled_ids(run):
        pairs[pair.group_id] += 1
        paraphrases[pair.group_id] += pair.is_paraphrase
    return pairs, paraphrases


def _families(run: Path, kinds: Mapping[str, str], began: dict[str, datetime | None]) -> dict[str, str]:
    """By aligned pair of documents, the id of all pairs that share a document, a work or a series with it.

    They all go into one split, and began when the first of them did: `began` is changed to say so.
    """
    from paraloom.engine.store import read_parts
    from paraloom.graphs import clusters as clusters_of
    from paraloom.tables import make_id

    if "aligned" not in kinds.values():
        return {}
    edges: list[tuple[str, str]] = []
    for part in read_parts(run, "groups", ("group_id", "document_id")):
        rows = zip(*(column.to_pylist() for column in part.columns), strict=True)
        edges += [(group, document) for group, document in rows if kinds.get(group) == "aligned"]
    grouped = {document for _, document in edges}
    for part in read_parts(run, "documents", ("document_id", "work", "series")):
        for document, *whole in zip(*(column.to_pylist() for column in part.columns), strict=True):
            if document in grouped:
                edges += [(document, f"{number} {name}") for number, name in enumerate(whole) if name is not None]
    members: dict[str, list[str]] = {}
    for node, cluster in clusters_of(edges).items():
        if node in kinds:
            members.setdefault(cluster, []).append(node)
    family: dict[str, str] = {}
    for groups in members.values():
        beginnings = [date for group in groups if (date := began[group]) is not None]
        # Hashed anew: the smallest of several ids is a small number, and undated families would all be for training.
        family |= dict.fromkeys(groups, make_id("family", min(groups)))
        began |= dict.fromkeys(groups, min(beginnings, default=None))
    return family


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
