"""Pairs, labels, clusters and groups become the corpus's rows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from paraloom.corpus.assemble import LABEL_COLUMNS, PAIR_COLUMNS, corpus_of_group, labelled_pairs
from paraloom.corpus.options import CorpusOptions
from paraloom.engine.rows import Members, from_rows, members_of, row_schema
from paraloom.tables import CorpusPair, check

BEGAN = datetime(2020, 3, 5, tzinfo=UTC)
LEAST = {"url": 3, "trend": 4}


def is_rich(kind: str, paraphrases: int) -> bool:
    return paraphrases >= LEAST.get(kind, 1)


PAIR = {
    "group_id": "g", "left_id": "s1", "right_id": "s2", "left": "a storm", "right": "the storm",
    "created_at": BEGAN, "pinc": 0.5, "jaccard": 0.3,
}  # fmt: skip
LABEL = {
    "definition": "loose", "is_paraphrase": True, "score": 0.9, "labelled_by": "ngram", "grade": None, "left_id": None,
}  # fmt: skip
NONE = Members({}, 0, 0)


def one(row: dict[str, object], *columns: str) -> Members:
    return members_of(**{column: [row[column]] for column in columns})


PAIRS, LABELS = one(PAIR, *PAIR_COLUMNS), one(LABEL, *LABEL_COLUMNS)


def test_a_pair_is_joined_with_its_label_and_cluster() -> None:
    (joined,) = labelled_pairs("p", PAIRS, LABELS, members_of(cluster_id=["c"]))
    assert (joined.pair_id, joined.cluster_id, joined.score, joined.left) == ("p", "c", 0.9, "a storm")


def test_a_pair_without_a_cluster_has_none() -> None:
    (joined,) = labelled_pairs("p", PAIRS, LABELS, NONE)
    assert joined.cluster_id is None


TURNED_OR_NOT = [
    (None, None, None),
    ("4>s", None, "4>s"),
    ("4>s", "s1", "4>s"),
    ("4>s", "s2", "4<s"),
    ("3", "s2", "3"),
]


@pytest.mark.parametrize(("grade", "seen_first", "expected"), TURNED_OR_NOT)
def test_a_grade_is_that_of_left_and_right_in_this_order(
    grade: str | None, seen_first: str | None, expected: str | None
) -> None:
    labels = one({**LABEL, "definition": "graded", "grade": grade, "left_id": seen_first}, *LABEL_COLUMNS)
    (joined,) = labelled_pairs("p", PAIRS, labels, NONE)
    assert (joined.grade, joined.left_id) == (expected, "s1")


UNLABELLED = [(PAIRS, NONE), (NONE, LABELS), (PAIRS, one({**LABEL, "is_paraphrase": None}, *LABEL_COLUMNS))]


@pytest.mark.parametrize(("pairs", "labels"), UNLABELLED)
def test_a_pair_nobody_could_label_is_not_in_the_corpus(pairs: Members, labels: Members) -> None:
    assert list(labelled_pairs("p", pairs, labels, NONE)) == []


def corpus(verdicts: list[bool], kind: str = "url", *, is_across: bool = False, **options: bool) -> list[CorpusPair]:
    count = len(verdicts)
    labelled = members_of(
        pair_id=[f"p{number}" for number in range(count)],
        **{column: [PAIR[column]] * count for column in PAIR_COLUMNS if column != "group_id"},
        **{column: [LABEL[column]] * count for column in LABEL_COLUMNS if column not in ("is_paraphrase", "left_id")},
        is_paraphrase=verdicts,
        cluster_id=["c" if verdict else None for verdict in verdicts],
    )
    groups = members_of(kind=[kind] * 2, key=["k"] * 2, topic=["sports"] * 2)
    splits = members_of(split=["dev"], is_across=[is_across])
    chosen = CorpusOptions(**options)
    return list(corpus_of_group("9" * 32, labelled, groups, splits, options=chosen, worth_releasing=is_rich))


POOR_OR_NOT = [
    ("url", 2, {}, "few_paraphrases"),
    ("url", 3, {}, None),
    ("trend", 3, {}, "few_paraphrases"),
    ("trend", 4, {}, None),
    ("aligned", 0, {}, "few_paraphrases"),
    ("aligned", 1, {}, None),
    ("url", 0, {"keep_poor_groups": True}, None),
]


@pytest.mark.parametrize(("kind", "paraphrases", "options", "reason"), POOR_OR_NOT)
def test_a_group_with_too_few_paraphrases_stays_in_the_table_with_a_reason(kind, paraphrases, options, reason) -> None:
    verdicts = [True] * paraphrases + [False] * 2
    rows = corpus(verdicts, kind, **options)
    assert [row.is_paraphrase for row in rows] == verdicts
    assert {row.dropped_for for row in rows} == {reason}


def test_a_group_across_a_cut_stays_in_the_table_with_a_reason() -> None:
    assert {row.dropped_for for row in corpus([True], "aligned", is_across=True)} == {"across_splits"}
    assert {row.dropped_for for row in corpus([False], "aligned", is_across=True)} == {"few_paraphrases"}


def test_a_groups_rows_share_its_split_topic_kind_and_key() -> None:
    rows = corpus([True, True, True, False])
    assert {(row.split, row.topic, row.kind, row.key) for row in rows} == {("dev", "sports", "url", "k")}
    table = from_rows(rows, row_schema(CorpusPair))
    assert check(table, CorpusPair) == table


def test_a_group_without_labelled_pairs_has_no_rows() -> None:
    assert corpus([]) == []
