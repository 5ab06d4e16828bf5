"""Pairs, labels, clusters and groups in, the corpus's rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from paraloom.corpus.options import CorpusOptions
from paraloom.engine.rows import Members
from paraloom.metrics.identification.graded import turned
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
    grade: str | None
    score: float
    cluster_id: str | None
    created_at: datetime | None
    pinc: float
    jaccard: float
    labelled_by: str


PAIR_COLUMNS = ("group_id", "left_id", "right_id", "left", "right", "created_at", "pinc", "jaccard")
FEW_PARAPHRASES = "few_paraphrases"
ACROSS_SPLITS = "across_splits"
"""The group's documents are in different splits."""
LABEL_COLUMNS = ("definition", "is_paraphrase", "score", "labelled_by", "grade", "left_id")


def labelled_pairs(pair_id: str, pairs: Members, labels: Members, clusters: Members) -> Iterator[LabelledPair]:
    """A pair joined with its label; pairs nobody could label are not in the corpus."""
    if not len(pairs) or not len(labels) or labels["is_paraphrase"][0] is None:
        return
    pair = {column: pairs.only(column) for column in PAIR_COLUMNS}
    label = {column: labels[column][0] for column in LABEL_COLUMNS}
    seen_first = label.pop("left_id")
    label["grade"] = grade_of_sides(label["grade"], seen_first, pair["right_id"])
    yield LabelledPair(
        pair_id=pair_id, cluster_id=clusters.only("cluster_id") if len(clusters) else None, **pair, **label
    )


def grade_of_sides(grade: str | None, seen_first: str | None, right_id: str | None) -> str | None:
    """The grade of a pair's left and right in this order, whichever was on the left when it was given.

    >>> grade_of_sides("4>s", "storm", "gale"), grade_of_sides("4>s", "gale", "gale"), grade_of_sides("3", None, None)
    ('4>s', '4<s', '3')
    """
    return turned(grade) if grade is not None and seen_first is not None and seen_first == right_id else grade


def corpus_of_group(
    group_id: str,
    labelled: Members,
    groups: Members,
    splits: Members,
    *,
    options: CorpusOptions,
    worth_releasing: Callable[[str, int], bool],
) -> Iterator[CorpusPair]:
    """The rows of one group, all in one split; left out together where the group has too few paraphrases, or lies
    across a cut between splits."""
    if not len(labelled):
        return
    kind, key, topic = (groups[column][0] for column in ("kind", "key", "topic"))
    poor = not options.keep_poor_groups and not worth_releasing(kind, sum(labelled["is_paraphrase"]))
    reason = FEW_PARAPHRASES if poor else ACROSS_SPLITS if splits.only("is_across") else None
    split = splits.only("split")
    columns = {column: labelled[column] for column in labelled.columns}
    for place in range(len(labelled)):
        yield CorpusPair(
            group_id=group_id,
            split=split,
            topic=topic,
            kind=kind,
            key=key,
            dropped_for=reason,
            **{column: values[place] for column, values in columns.items()},
        )
