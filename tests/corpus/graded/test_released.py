"""Rows of a graded corpus: what belongs together stays together, and a turned pair says the same."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.graded.judged import JudgedPair, Place
from paraloom.corpus.graded.merge import labels_of
from paraloom.corpus.graded.released import (
    GradedRow,
    both_ways,
    families,
    in_order,
    row_of,
    splits_of,
    with_texts_around,
)
from paraloom.metrics.identification.graded import turned


def pair(pair_id: str, *said: str, **more: object) -> JudgedPair:
    found = JudgedPair(pair_id=pair_id, left=f"left {pair_id}", right=f"right {pair_id}", **more)  # type: ignore[arg-type]
    for label in said:
        found.say(label)
    return found


def row(judged: JudgedPair, scheme: str = "full") -> GradedRow:
    (one,) = labels_of(judged, scheme, "drop").labels
    return row_of(judged, one, "g", "dev")


def test_a_turned_row_has_all_of_both_sides_swapped() -> None:
    judged = pair("p", "4>s", left_place=Place(document_id="d", start=3, end=5))
    one = with_texts_around(row(judged), {"d": "ab cd ef"}, 2)
    assert (one.left_before, one.left_after, one.right_before) == ("b ", " e", None)
    other = one.swapped("full")
    assert (other.left, other.right, other.label, other.grade, other.said) == (
        "right p",
        "left p",
        "4<s",
        "4<s",
        "4<s",
    )
    assert (other.right_document_id, other.right_start, other.right_end, other.right_before, other.right_after) == (
        "d",
        3,
        5,
        "b ",
        " e",
    )
    assert (other.left_document_id, other.left_start, other.left_after) == (None, None, None)
    assert (other.pair_id, other.is_turned, other.group, other.split) == ("p-turned", True, "g", "dev")


@given(st.sampled_from(["2", "3", "4", "4>", "4<i", "4is"]), st.sampled_from(["full", "base-and-direction", "base"]))
def test_what_is_turned_twice_is_what_it_was(label: str, scheme: str) -> None:
    one = row(pair("p", label, label), scheme)
    again = one.swapped(scheme).swapped(scheme)
    assert dataclasses.replace(again, pair_id="p", is_turned=False) == one
    assert one.swapped(scheme).label == turned(one.label)


def test_yes_and_no_have_no_direction() -> None:
    (_, twin) = both_ways([row(pair("p", "2"), "binary")], "binary")
    assert (twin.label, twin.grade) == ("0", "2")


def test_texts_around_end_with_the_document() -> None:
    judged = pair("p", "3", left_place=Place(document_id="d", start=0, end=2), right_place=Place(document_id="gone"))
    found = with_texts_around(row(judged), {"d": "abcd"}, 100)
    assert (found.left_before, found.left_after, found.right_before) == ("", "cd", None)


def test_pairs_of_a_document_a_work_or_a_group_and_rewrites_are_one_family() -> None:
    pairs = [
        pair("a", links=["document 1", "work film"]),
        pair("b", links=["document 2", "work film"]),
        pair("c", links=["document 3"]),
        pair("d", rewrite_of="c"),
        pair("e", rewrite_of="unknown"),
        pair("f"),
    ]
    found = families(pairs)
    assert found["a"] == found["b"]
    assert found["c"] == found["d"]
    assert len(set(found.values())) == 4
    assert families(pairs[::-1]) == found


def test_a_rewrite_that_was_rewritten_again_is_in_the_same_family() -> None:
    chain = [("p", None), ("q", "p"), ("r", "q"), ("s", "not given")]
    pairs = [JudgedPair(pair_id=name, left=name, right="z", rewrite_of=of) for name, of in chain]
    found = families(pairs)
    assert found["p"] == found["q"] == found["r"] != found["s"]
    assert found == families(pairs[::-1])
    assert found["p"] == families(pairs[:1])["p"]


def test_a_family_is_called_the_same_with_and_without_its_rewrites() -> None:
    alone = families([pair("k")])
    for rewrite in ("a", "z"):
        assert families([pair("k"), pair(rewrite, rewrite_of="k")])["k"] == alone["k"]


def test_a_split_that_is_given_stays_and_others_follow_their_family() -> None:
    pairs = [
        pair("a", links=["document 1"], split="test"),
        pair("b", links=["document 1"]),
        pair("c", links=["document 1"], rewrite_of="a"),
        pair("d"),
    ]
    found, parted = splits_of(pairs, families(pairs), 0.0, 1.0)
    assert (found, parted) == ({"a": "test", "b": "test", "c": "test", "d": "dev"}, 0)


def test_splits_that_part_a_family_are_kept_and_told() -> None:
    pairs = [pair("a", links=["g"], split="dev"), pair("b", links=["g"], split="train"), pair("c", links=["g"])]
    rewrite = pair("d", rewrite_of="a")
    found, parted = splits_of([*pairs, rewrite], families([*pairs, rewrite]), 0.8, 0.1)
    assert (found, parted) == ({"a": "dev", "b": "train", "c": "train", "d": "dev"}, 1)


@pytest.mark.parametrize(("train", "dev"), [(0.8, 0.1), (0.5, 0.5), (0.0, 0.0)])
def test_families_without_a_split_are_dealt_in_the_shares(train: float, dev: float) -> None:
    pairs = [pair(str(number)) for number in range(3000)]
    found, _ = splits_of(pairs, families(pairs), train, dev)
    shares = [list(found.values()).count(split) / 3000 for split in ("train", "dev", "test")]
    assert shares == pytest.approx([train, dev, 1 - train - dev], abs=0.03)


def test_rewrites_stand_behind_their_pair() -> None:
    pairs = [pair("r2", rewrite_of="b"), pair("a"), pair("b"), pair("r1", rewrite_of="a"), pair("r3", rewrite_of="?")]
    assert [one.pair_id for one in in_order(pairs)] == ["a", "r1", "b", "r2", "r3"]
