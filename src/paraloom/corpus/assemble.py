"""Pairs, labels, clusters and groups in, the corpus's rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from paraloom.corpus.options import CorpusOptions
from paraloom.engine.rows import Members
from paraloom.tables import CorpusPair


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPair:
    """A pair with its label and cluster, before its group is known."""

    group_id: str
    pair_id: str
    left_id: str
    right_id: str
    left: str
    right: str
    definition: str
    is_paraphrase: bool
    score: float
    cluster_id: str | None
    created_at: datetime | None
    pinc: float
    jaccard: float
    labelled_by: str


PAIR_COLUMNS = ("group_id", "left_id", "right_id", "left", "right", "created_at", "pinc", "jaccard")
LABEL_COLUMNS = ("definition", "is_paraphrase", "score", "labelled_by")


def labelled_pairs(pair_id: str, pairs: Members, labels: Members, clusters: Members) -> Iterator[LabelledPair]:
    """A pair joined with its label; pairs nobody could label are not in the corpus."""
    if not len(pairs) or not len(labels) or labels["is_paraphrase"][0] is None:
        return
    yield LabelledPair(
        pair_id=pair_id,
        cluster_id=clusters.only("cluster_id") if len(clusters) else None,
        **{column: pairs.only(column) for column in PAIR_COLUMNS},
        **{column: labels[column][0] for column in LABEL_COLUMNS},
    )


def corpus_of_group(
    group_id: str,
    labelled: Members,
    groups: Members,
    splits: Members,
    *,
    options: CorpusOptions,
    worth_releasing: Callable[[str, int], bool],
) -> Iterator[CorpusPair]:
    """The rows of one group, all in one split; left out together where the group has too few paraphrases."""
    if not len(labelled):
        return
    kind, key, topic = (groups[column][0] for column in ("kind", "key", "topic"))
    poor = not options.keep_poor_groups and not worth_releasing(kind, sum(labelled["is_paraphrase"]))
    split = splits.only("split")
    columns = {column: labelled[column] for column in labelled.columns}
    for place in range(len(labelled)):
        yield CorpusPair(
            group_id=group_id,
            split=split,
            topic=topic,
            kind=kind,
            key=key,
            dropped_for="few_paraphrases" if poor else None,
            **{column: values[place] for column, values in columns.items()},
        )
