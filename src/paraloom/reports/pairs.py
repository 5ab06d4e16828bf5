"""The pairs, labels and corpus tables in, their distributions, balance, splits and clusters out.

The three tables lie in buckets of the same ids, so they are read side by side, one bucket at a time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.store import read_parts
from paraloom.reports.columns import (
    PLACES,
    Count,
    add_values,
    counted,
    distinct,
    first_of_each,
    kept,
    share,
    short_ids,
    to_numpy,
)
from paraloom.reports.examples import ExamplePicker, Examples
from paraloom.reports.funnel import Drops, ReasonCounter
from paraloom.reports.histograms import HistogramCounter, TwoHistograms
from paraloom.tables import SPLITS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

MOST_LABELLERS = 10
PAIR_COLUMNS = ("pair_id", "group_id", "left", "right", "pinc", "jaccard", "similarity", "dropped_for")
LABEL_COLUMNS = ("pair_id", "is_paraphrase", "score", "labelled_by")
CORPUS_COLUMNS = (
    *("pair_id", "group_id", "left_id", "right_id", "is_paraphrase", "cluster_id", "split", "topic", "dropped_for"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """How the labels fall."""

    paraphrases: int
    others: int
    unlabelled: int
    share_of_paraphrases: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """What one split of the released corpus holds."""

    split: str
    rows: int
    paraphrases: int
    groups: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Splits:
    """The splits and the dates that cut them."""

    splits: tuple[Split, ...]
    dev_from: str | None
    test_from: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """Sentences of the released corpus that are joined by paraphrase links."""

    count: int
    sentences: int
    largest: int
    mean_size: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """What one pass over pairs, labels and corpus gives."""

    pair_drops: Drops
    corpus_drops: Drops
    balance: Balance
    released: Balance
    pinc: TwoHistograms
    jaccard: TwoHistograms
    similarity: TwoHistograms
    scores: TwoHistograms
    labelled_by: tuple[Count, ...]
    """Pairs by what or who labelled them."""
    topics: Counter[str]
    """Released rows by topic."""
    splits: Splits
    clusters: Clusters
    examples: Examples


def count_pairs(run: Path) -> PairCounts:
    """Count everything there is to count about the pairs of a run."""
    reasons, corpus_reasons = ReasonCounter("pairs"), ReasonCounter("corpus")
    shapes = {name: (HistogramCounter(), HistogramCounter()) for name in ("pinc", "jaccard", "similarity", "score")}
    labels: Counter[int] = Counter()
    labelled_by: Counter[str] = Counter()
    topics: Counter[str] = Counter()
    released = _ReleasedCounter()
    picker = ExamplePicker()
    for pairs, corpus in _side_by_side(run):
        reasons.add(pairs.column("dropped_for"))
        corpus_reasons.add(corpus.column("dropped_for"))
        is_paraphrase = to_numpy(pairs.column("is_paraphrase").cast("int8"), -1)
        for value in (1, 0, -1):
            labels[value] += int((is_paraphrase == value).sum())
        for name, (yes, no) in shapes.items():
            values = to_numpy(pairs.column(name), float("nan"))
            yes.add(values[is_paraphrase == 1])
            no.add(values[is_paraphrase == 0])
        add_values(labelled_by, pairs.column("labelled_by"))
        add_values(topics, kept(corpus).column("topic"))
        released.add(kept(corpus))
        picker.add(pairs)
    return PairCounts(
        pair_drops=reasons.result(),
        corpus_drops=corpus_reasons.result(),
        balance=_balance(labels[1], labels[0], labels[-1]),
        released=_balance(released.paraphrases, released.rows - released.paraphrases, 0),
        pinc=_both(*shapes["pinc"]),
        jaccard=_both(*shapes["jaccard"]),
        similarity=_both(*shapes["similarity"]),
        scores=_both(*shapes["score"]),
        labelled_by=counted(labelled_by, most=MOST_LABELLERS),
        topics=topics,
        splits=released.splits(run),
        clusters=released.clusters(),
        examples=picker.result(),
    )


def _both(paraphrases: HistogramCounter, others: HistogramCounter) -> TwoHistograms:
    return TwoHistograms(paraphrases=paraphrases.result(), others=others.result())


def _balance(paraphrases: int, others: int, unlabelled: int) -> Balance:
    return Balance(
        paraphrases=paraphrases,
        others=others,
        unlabelled=unlabelled,
        share_of_paraphrases=share(paraphrases, paraphrases + others),
    )


def _side_by_side(run: Path) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Bucket by bucket: the pairs with their label and their topic, and the corpus rows.

    Where a pair has labels under several definitions, the first by name counts.
    """
    parts = zip(
        read_parts(run, "pairs", PAIR_COLUMNS),
        read_parts(run, "labels", LABEL_COLUMNS),
        read_parts(run, "corpus", CORPUS_COLUMNS),
        strict=True,
    )
    for pairs, labels, corpus in parts:
        labels = labels.filter(first_of_each(labels.column("pair_id")))
        released = corpus.select(["pair_id", "topic", "dropped_for"])
        released = released.rename_columns(["pair_id", "topic", "left_out_for"])
        yield _looked_up(_looked_up(pairs, labels), released), corpus


def _looked_up(rows: pa.Table, other: pa.Table) -> pa.Table:
    """The rows with the other table's columns, null where it has no such pair; unlike a join, in the same order."""
    import pyarrow.compute as pc

    places = pc.index_in(rows.column("pair_id"), value_set=other.column("pair_id").combine_chunks())
    for name in other.column_names:
        if name != "pair_id":
            rows = rows.append_column(name, other.column(name).take(places))
    return rows


class _ReleasedCounter:
    """Splits and clusters of the released rows, counted part by part."""

    def __init__(self) -> None:
        self.rows = 0
        self.paraphrases = 0
        self._rows: Counter[str] = Counter()
        self._paraphrases: Counter[str] = Counter()
        self._groups: dict[str, list[npt.NDArray[np.uint64]]] = {}
        self._clusters: list[npt.NDArray[np.uint64]] = []
        self._sentences: list[npt.NDArray[np.uint64]] = []

    def add(self, rows: pa.Table) -> None:
        """Count released rows."""
        paraphrases = rows.filter(rows.column("is_paraphrase"))
        self.rows += len(rows)
        self.paraphrases += len(paraphrases)
        add_values(self._rows, rows.column("split"))
        add_values(self._paraphrases, paraphrases.column("split"))
        for split in sorted(rows.column("split").unique().to_pylist()):
            of_split = rows.filter(_equal(rows.column("split"), split))
            self._groups.setdefault(split, []).append(distinct([short_ids(of_split.column("group_id"))]))
        clustered = paraphrases.filter(_valid(paraphrases.column("cluster_id")))
        for side in ("left_id", "right_id"):
            self._clusters.append(short_ids(clustered.column("cluster_id")))
            self._sentences.append(short_ids(clustered.column(side)))

    def splits(self, run: Path) -> Splits:
        """The splits in their usual order, and their cut dates where the run has them."""
        names = [*SPLITS, *sorted(set(self._rows) - set(SPLITS))]
        file = run / "splits.json"
        cuts: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        return Splits(
            splits=tuple(
                Split(
                    split=name,
                    rows=self._rows[name],
                    paraphrases=self._paraphrases[name],
                    groups=distinct(self._groups.get(name, [])).size,
                    share=share(self._rows[name], self.rows),
                )
                for name in names
            ),
            dev_from=cuts.get("dev_from"),
            test_from=cuts.get("test_from"),
        )

    def clusters(self) -> Clusters:
        """How many clusters there are and how large."""
        import numpy as np

        none = np.empty(0, np.uint64)
        clusters, sentences = np.concatenate([none, *self._clusters]), np.concatenate([none, *self._sentences])
        order = np.lexsort((sentences, clusters))
        clusters, sentences = clusters[order], sentences[order]
        is_new = np.ones(clusters.size, bool)
        is_new[1:] = (clusters[1:] != clusters[:-1]) | (sentences[1:] != sentences[:-1])
        sizes = np.unique(clusters[is_new], return_counts=True)[1]
        return Clusters(
            count=int(sizes.size),
            sentences=int(sizes.sum()),
            largest=int(sizes.max()) if sizes.size else 0,
            mean_size=round(float(sizes.mean()), PLACES) if sizes.size else None,
        )


def _equal(column: pa.ChunkedArray, value: str) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    return pc.equal(column, value)


def _valid(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    return pc.is_valid(column)
