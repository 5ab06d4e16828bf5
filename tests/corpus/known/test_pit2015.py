"""PIT-2015 is read in its official form, and its train set also without topics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.known import read_corpus
from paraloom.errors import InputError
from paraloom.labels.votes import targets_for_definition

TAGS = "A/O/DT/B-NP/O\tA/O/DT/B-NP/O"


def line(topic: int, name: str, left: str, right: str, label: str) -> str:
    return f"{topic}\t{name}\t{left}\t{right}\t{label}\t{TAGS}"


VOTED = [line(1, "Norland", f"storm {yes}", f"gale {yes}", f"({yes}, {5 - yes})") for yes in range(6)]
JUDGED = [line(2, "Caldera", f"sold {grade}", f"bought {grade}", str(grade)) for grade in range(6)]


def test_votes_become_targets_and_two_of_five_is_left_out(write, tmp_path: Path) -> None:
    write("pit2015/dev.data", VOTED)
    dev = read_corpus("pit2015", tmp_path).splits["dev"]
    assert np.array_equal(dev.targets, [0, 0, np.nan, 1, 1, 1], equal_nan=True)
    assert dev.votes is not None
    assert dev.votes.tolist() == [[yes, 5] for yes in range(6)]
    assert dev.topics == ["Norland"] * 6
    assert len(set(dev.groups)) == 1
    assert np.array_equal(dev.targets, targets_for_definition(dev.votes, "loose"), equal_nan=True)


def test_an_experts_number_becomes_a_target_and_three_is_left_out(write, tmp_path: Path) -> None:
    write("test.data", JUDGED)
    test = read_corpus("pit2015", tmp_path).splits["test"]
    assert np.array_equal(test.targets, [0, 0, 0, np.nan, 1, 1], equal_nan=True)
    assert test.grades == list("012345")
    assert test.votes is None


def test_labels_that_the_test_file_lacks_are_taken_from_the_file_beside_it(write, tmp_path: Path) -> None:
    write("test.data", [line(2, "Caldera", f"sold {n}", f"bought {n}", "") for n in range(3)])
    write("test.label", ["true\t0.8000", "----\t0.6000", "false\t0.0000"])
    test = read_corpus("pit2015", tmp_path).splits["test"]
    assert np.array_equal(test.targets, [1, np.nan, 0], equal_nan=True)


def test_labels_of_the_test_file_itself_come_first(write, tmp_path: Path) -> None:
    write("test.data", JUDGED)
    write("test.label", ["true\t1.0000"] * 6)
    assert read_corpus("pit2015", tmp_path).splits["test"].grades == list("012345")


def test_a_test_file_without_any_label_is_an_error(write, tmp_path: Path) -> None:
    write("pit2015/test.data", [line(2, "Caldera", "sold", "bought", "")])
    with pytest.raises(InputError, match=r"not in the published form.*7 tab-separated columns"):
        read_corpus("pit2015", tmp_path)


DERIVED = [
    "sentence1\tsentence2\tlabel\tvote_fraction_if_known",
    "storm hits\tit blew\t1\t0.8",
    "storm hits\tso sad\t0\t",
    "sold\tbought\tdebatable\t0.4",
    "sold\tgone\t1\t0.0",
]


def test_the_train_set_without_topics_has_votes_where_they_are_known_and_agree(write, tmp_path: Path) -> None:
    write("pit2015/train_derived_3way.tsv", DERIVED)
    train = read_corpus("pit2015", tmp_path).splits["train"]
    assert np.array_equal(train.targets, [1, 0, np.nan, 1], equal_nan=True)
    assert train.votes is not None
    assert train.votes.tolist() == [[4, 5], [0, 0], [2, 5], [0, 0]]
    assert train.topics is None
    assert train.groups[0] == train.groups[1] != train.groups[2] == train.groups[3]


def test_the_official_train_set_comes_before_the_derived_one(write, tmp_path: Path) -> None:
    write("pit2015/train_derived_3way.tsv", DERIVED)
    write("pit2015/train.data", VOTED)
    assert len(read_corpus("pit2015", tmp_path).splits["train"]) == 6


BAD = [
    ("1\tNorland\tstorm", "3 columns instead of 7"),
    (line(1, "Norland", "a", "b", "(4, 4)"), "the votes are not of 5"),
    (line(1, "Norland", "a", "b", "maybe"), "neither (yes, no) votes nor a number from 0 to 5"),
    (line(1, "Norland", "a", "b", "7"), "neither (yes, no) votes nor a number from 0 to 5"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD)
def test_a_bad_row_is_counted_and_the_rest_is_read(write, tmp_path: Path, bad: str, reason: str) -> None:
    write("dev.data", [VOTED[0], bad, VOTED[1]])
    corpus = read_corpus("pit2015", tmp_path)
    assert len(corpus.splits["dev"]) == 2
    assert any(reason in note and "line 2" in note for note in corpus.notes)
