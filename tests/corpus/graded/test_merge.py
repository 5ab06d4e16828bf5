"""A pair's label is one that all gave or that was decided; what people differ on goes as it is told to."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.graded.judged import JudgedPair, MadeLabel
from paraloom.corpus.graded.merge import LabelsOfPair, labels_of
from paraloom.metrics.identification.graded import SCHEMES

GRADES = ["1", "2", "3", "4", "4>", "4<", "4i", "4>s", "4<is", "x"]


def pair(*said: str, **more: object) -> JudgedPair:
    found = JudgedPair(pair_id="p", left="a", right="b", **more)  # type: ignore[arg-type]
    for label in said:
        found.say(label)
    return found


def told(found: LabelsOfPair) -> object:
    assert (found.dropped_for is None) == bool(found.labels)
    return found.dropped_for or [one.label for one in found.labels]


CASES = [
    (("4>", "4>"), "full", "drop", ["4>"]),
    (("4>s", "4>"), "full", "drop", "differing"),
    (("4>s", "4>"), "base-and-direction", "drop", ["4>"]),
    (("4>", "4<"), "base-and-direction", "drop", "differing"),
    (("4>", "4<"), "base", "drop", ["4"]),
    (("3", "4"), "base", "drop", "differing"),
    (("3", "4"), "binary", "drop", ["1"]),
    (("2", "1"), "binary", "drop", ["0"]),
    (("2", "3"), "binary", "drop", "differing"),
    (("4>", "4>"), "full", "vote", ["4>"]),
    (("4>", "3"), "full", "vote", "differing"),
    (("x", "3"), "full", "drop", "differing"),
    (("x", "x"), "full", "drop", "skipped"),
    (("x",), "full", "keep-all", "skipped"),
    (("4>", "3", "x", "3"), "full", "keep-all", ["3", "4>"]),
    ((), "full", "drop", "unlabelled"),
]


@pytest.mark.parametrize(("said", "scheme", "differing", "expected"), CASES)
def test_what_people_say_is_merged_under_the_scheme(
    said: tuple[str, ...], scheme: str, differing: str, expected: object
) -> None:
    assert told(labels_of(pair(*said), scheme, differing)) == expected


def test_a_decision_counts_before_everybody() -> None:
    (found,) = labels_of(pair("4>", "3", decided="4s"), "full", "drop").labels
    assert (found.label, found.grade, found.votes_for, found.votes, found.labelled_by) == ("4s", "4s", 2, 2, "decision")
    assert told(labels_of(pair("4>", "3", decided="x"), "full", "keep-all")) == "skipped"


def test_the_whole_grade_is_told_where_all_agree_on_it() -> None:
    assert [one.grade for one in labels_of(pair("4>s", "4>"), "base", "drop").labels] == [None]
    assert [one.grade for one in labels_of(pair("4>s", "4>s"), "base", "drop").labels] == ["4>s"]


def made(
    grade: str | None, votes_for: int | None, votes: int | None, says: bool | None = None, by: str = "dawid-skene"
) -> MadeLabel:
    return MadeLabel(grade=grade, is_paraphrase=says, votes_for=votes_for, votes=votes, labelled_by=by)


JOINED = [
    (made("4>", 3, 3), "full", "drop", ["4>"]),
    (made("4>", 2, 3), "full", "drop", "differing"),
    (made("4>", 2, 3), "full", "vote", ["4>"]),
    (made(None, 2, 2, says=True), "full", "vote", "tied"),
    (made(None, 2, 2, says=True), "binary", "drop", ["1"]),
    (made(None, 1, 2), "binary", "vote", "tied"),
    (made("x", 0, 0), "full", "vote", "skipped"),
    (made("4>", 2, 3, by="decision|definition:graded"), "full", "drop", ["4>"]),
    (made("2", None, None), "full", "drop", ["2"]),
]


@pytest.mark.parametrize(("joined", "scheme", "differing", "expected"), JOINED)
def test_votes_that_were_joined_before_are_taken_as_far_as_they_tell(
    joined: MadeLabel, scheme: str, differing: str, expected: object
) -> None:
    assert told(labels_of(pair(joined=joined), scheme, differing)) == expected


def test_where_it_comes_to_a_vote_labels_that_were_joined_count() -> None:
    (found,) = labels_of(pair("4>", "3", joined=made("3", 2, 2)), "full", "vote").labels
    assert (found.label, found.labelled_by) == ("3", "dawid-skene")
    assert told(labels_of(pair("4>", "4>", joined=made("3", 2, 2)), "full", "vote")) == ["4>"]
    settled = made("4", 2, 2, by="decision|definition:graded")
    assert told(labels_of(pair("4>", "3", joined=settled), "full", "drop")) == ["4"]


def test_what_is_presumed_counts_only_where_nobody_judged_the_pair() -> None:
    presumed = made("4", 1, 1)
    assert told(labels_of(pair(presumed=presumed), "full", "drop")) == ["4"]
    assert told(labels_of(pair("3", "3", presumed=presumed), "full", "vote")) == ["3"]
    assert told(labels_of(pair("3", "4", presumed=presumed), "full", "vote")) == "differing"


@pytest.mark.parametrize(("least", "expected"), [(1, ["2"]), (2, ["2"]), (3, "below_least_grade")])
def test_pairs_below_the_least_grade_are_left_out(least: int, expected: object) -> None:
    assert told(labels_of(pair("2"), "full", "drop", least)) == expected


def test_the_lowest_of_those_who_agree_decides_what_is_below_the_least_grade() -> None:
    assert told(labels_of(pair("3", "4"), "binary", "drop", 3)) == ["1"]
    assert told(labels_of(pair("3", "4"), "binary", "drop", 4)) == "below_least_grade"


@given(st.lists(st.sampled_from(GRADES), max_size=6), st.randoms(), st.sampled_from(sorted(SCHEMES)))
def test_the_order_of_people_decides_nothing(said: list[str], random, scheme: str) -> None:
    mixed = random.sample(said, len(said))
    for differing in ("drop", "vote", "keep-all"):
        one, other = labels_of(pair(*said), scheme, differing), labels_of(pair(*mixed), scheme, differing)
        assert one == other


@given(st.lists(st.sampled_from(GRADES), min_size=1, max_size=5))
def test_who_agrees_under_a_finer_scheme_agrees_under_a_coarser_one(said: list[str]) -> None:
    schemes = list(SCHEMES)
    for fine, coarse in pairwise(schemes):
        if labels_of(pair(*said), fine, "drop").labels:
            assert labels_of(pair(*said), coarse, "drop").labels
