"""Labels are read by the scheme that nearly all of them follow, and counted in full and merged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.label_counts import DISTINCT, LabelCounter, LabelReader, label_figures, told_label
from paraloom.metrics.corpus_figures import LabelFigures


def counted(labels: list[str | None]) -> LabelCounter:
    counter = LabelCounter()
    for label in labels:
        counter.add(label)
    return counter


def figures(labels: list[str | None]) -> LabelFigures:
    counter = counted(labels)
    return label_figures(counter, LabelReader.of(counter))


SCHEMES = [
    (["4", "3", "2", "4>s", "x"], "graded"),
    (["1", "2", "1", "4"], "graded"),
    (["1", "0", "0"], "yes-no"),
    (["1", "1"], "yes-no"),
    (["True", "false"], "yes-no"),
    (["0", "1", "2"], "other"),
    (["3.2", "0.5"], "other"),
    (["entailment", "neutral"], "other"),
    (["x", "x"], "graded"),
    (["4>s"] * 9 + ["?"], "graded"),
    (["4>s"] * 8 + ["?"] * 2, "other"),
    ([None, None], "none"),
    ([], "none"),
]


@pytest.mark.parametrize(("labels", "scheme"), SCHEMES)
def test_a_corpus_follows_the_scheme_of_nearly_all_its_labels(labels: list[str | None], scheme: str) -> None:
    assert LabelReader.of(counted(labels)).scheme == scheme


def test_answers_that_a_table_of_floats_wrote_are_yes_and_no() -> None:
    found = figures([told_label(value) for value in ("1.0", "0.0", "1.0", "0.0", "")])
    assert (found.scheme, found.paraphrases, found.unlabelled) == ("yes-no", 2, 1)


def test_graded_labels_are_told_in_full_by_number_and_direction_and_by_flag() -> None:
    found = figures(["4s>", "4>s", "4>", "4", "4i", "3", "2", "2", "x", "what", *["4<is"] * 10, None])
    assert [(part.name, part.count) for part in found.full] == [
        ("2", 2),
        ("3", 1),
        ("4<is", 10),
        ("4>", 1),
        ("4>s", 2),
        ("4", 1),
        ("4i", 1),
        ("x", 1),
        ("unreadable", 1),
    ]
    assert [(part.name, part.count, part.share) for part in found.merged] == [
        ("2", 2, 0.1),
        ("3", 1, 0.05),
        ("4<", 10, 0.5),
        ("4>", 3, 0.15),
        ("4", 2, 0.1),
        ("x", 1, 0.05),
        ("unreadable", 1, 0.05),
    ]
    assert {part.name: part.count for part in found.flags} == {"i": 11, "s": 12}
    assert (found.paraphrases, found.labelled, found.unlabelled, found.unreadable) == (16, 20, 1, 1)


def test_yes_and_no_are_counted_whatever_they_are_written_as() -> None:
    found = figures(["1", "0", "yes", "TRUE", "no", "1", "false", "0", "1", "maybe"])
    assert [(part.name, part.count) for part in found.merged] == [("no", 4), ("yes", 5), ("unreadable", 1)]
    assert found.paraphrases == 5
    assert found.flags == ()


def test_labels_of_no_known_scheme_say_nothing_of_paraphrases_and_the_rare_ones_are_counted_together() -> None:
    labels: list[str | None] = [f"topic {number:02d}" for number in range(20) for _ in range(number + 1)]
    found = figures(labels)
    assert found.paraphrases is None
    assert len(found.merged) == 12
    assert found.merged[-1].name == "other"
    assert found.merged[-1].count == sum(range(1, 10))
    assert sum(part.count for part in found.merged) == len(labels) == found.labelled


def test_a_column_with_endless_values_takes_no_endless_memory() -> None:
    counter = counted([str(number) + "?" for number in range(DISTINCT + 500)])
    assert len(counter.counts) == DISTINCT + 1
    assert counter.labelled == DISTINCT + 500


@given(st.lists(st.sampled_from(["1", "2", "3", "4", "4<", "4>", "4is", "4>s", "x", None, "0", "yes", "?"])))
def test_every_label_is_counted_once_in_full_and_once_merged(labels: list[str | None]) -> None:
    counter = counted(labels)
    reader = LabelReader.of(counter)
    found = label_figures(counter, reader)
    labelled = [label for label in labels if label is not None]
    assert sum(part.count for part in found.full) == sum(part.count for part in found.merged) == len(labelled)
    assert found.unlabelled == len(labels) - len(labelled)
    assert {reader.group(label) for label in labels} <= set(reader.shown)
    if found.paraphrases is not None:
        assert found.paraphrases == sum(reader.is_paraphrase(label) is True for label in labels)


WRITTEN = [
    (1, "1"),
    (1.0, "1"),
    (0.5, "0.5"),
    (False, "0"),
    ("  4>", "4>"),
    ("  ", None),
    (None, None),
    (4, "4"),
    ("1.0", "1"),
    ("0.0", "0"),
    (" 4.0 ", "4"),
    ("0.50", "0.50"),
]


@pytest.mark.parametrize(("value", "label"), WRITTEN)
def test_a_value_of_a_file_is_told_as_a_label(value: object, label: str | None) -> None:
    assert told_label(value) == label
