"""The Turku scheme: reading, merging, collapsing and agreement of graded labels."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score

from paraloom.corpus.known import read_corpus
from paraloom.corpus.label_counts import LabelReader
from paraloom.errors import InputError
from paraloom.judgments.tasks.grade import GradeContent, GradeTask
from paraloom.labels.graded import (
    SKIP,
    MergedLabels,
    differences,
    graded_agreement,
    is_paraphrase,
    merge,
    written,
)
from paraloom.labels.votes_of_answer import votes_of_answer
from paraloom.metrics.agreement.ratings import Ratings
from paraloom.metrics.identification.graded import is_label
from paraloom.workflows.label.answer_kinds import kind_of

LABELS = [
    "1",
    "2",
    "3",
    *(f"4{way}{minor}{style}" for way in ("", "<", ">") for minor in ("", "i") for style in ("", "s")),
    SKIP,
]
ANY = st.sampled_from(LABELS)


def test_there_are_sixteen_labels_and_each_is_written_one_way() -> None:
    assert len(LABELS) == 16
    assert [written(label) for label in LABELS] == LABELS


@pytest.mark.parametrize("label", LABELS)
def test_three_and_four_are_paraphrases(label: str) -> None:
    assert is_paraphrase(label) is {"1": False, "2": False, "3": True, "4": True, "x": None}[label[0]]


MERGES = [
    (["4>", "4>"], MergedLabels(label="4>")),
    (["4is", "4si", "4is"], MergedLabels(label="4is")),
    (["x", "X"], MergedLabels(label="x")),
    (["2"], MergedLabels(label="2")),
    (["4>", "4<"], MergedLabels(label=None, differs=("direction",))),
    (["4>", "4"], MergedLabels(label=None, differs=("direction",))),
    (["4s", "4i"], MergedLabels(label=None, differs=("style", "minor"))),
    (["4>is", "3"], MergedLabels(label=None, differs=("base",))),
    (["4", "x"], MergedLabels(label=None, differs=("skip",))),
    (["4", "4s", "2", "x"], MergedLabels(label=None, differs=("skip", "base", "style"))),
]


@pytest.mark.parametrize(("labels", "merged"), MERGES)
def test_labels_are_merged_or_it_is_told_what_differs(labels: list[str], merged: MergedLabels) -> None:
    assert merge(labels) == merged
    assert merge(labels[::-1]) == merged
    assert merged.is_conflict == bool(merged.differs)


def test_nothing_cannot_be_merged() -> None:
    with pytest.raises(InputError, match="no labels to merge"):
        merge([])


@given(one=ANY, other=ANY)
def test_two_labels_differ_in_something_unless_they_are_the_same(one: str, other: str) -> None:
    assert differences(one, other) == differences(other, one)
    assert (differences(one, other) == ()) == (one == other)


def simplified(label: str, part: str) -> str:
    if part == "base":
        return label[0]
    return label if part == "full" else label.replace("i", "").replace("s", "")


@settings(max_examples=30, deadline=None)
@given(labels=st.lists(st.tuples(ANY, ANY, ANY), min_size=5, max_size=40))
def test_figures_of_two_annotators_and_a_consensus_are_scikit_learns(labels) -> None:
    items = [f"p{place}" for place in range(len(labels))]
    ann, bob, settled = (list(column) for column in zip(*labels, strict=True))
    ratings = Ratings.of(items + items, ["ann"] * len(items) + ["bob"] * len(items), ann + bob)
    found = {one.part: one for one in graded_agreement(ratings, dict(zip(items, settled, strict=True)))}
    for part in ("full", "base-and-direction", "base"):
        one, other, right = ([simplified(label, part) for label in column] for column in (ann, bob, settled))
        assert found[part].agreement == pytest.approx(accuracy_score(one, other))
        assert_kappa(found[part].kappa, one, other)
        assert found[part].consensus.labels == 2 * len(items)
        assert found[part].consensus.accuracy == pytest.approx(accuracy_score(right + right, one + other))
        assert_kappa(found[part].consensus.kappa, one + other, right + right)
        assert_kappa(found[part].annotators["bob"].kappa, other, right)
    for part, flags in {"direction": "<>", "style": "s", "minor": "i"}.items():
        fours = [(a, b) for a, b in zip(ann, bob, strict=True) if a[0] == b[0] == "4"]
        first, second = (
            ([next((f for f in flags if f in label), "") for label in side] for side in zip(*fours, strict=True))
            if fours
            else ([], [])
        )
        assert found[part].pairs == len(fours)
        if fours:
            assert found[part].agreement == pytest.approx(np.mean([a == b for a, b in zip(first, second, strict=True)]))
            assert_kappa(found[part].kappa, first, second)


def assert_kappa(kappa: float | None, one: list[str], other: list[str]) -> None:
    if len({*one, *other}) == 1:
        assert kappa is None
    else:
        assert kappa == pytest.approx(cohen_kappa_score(one, other))


def test_the_mean_kappa_counts_annotators_by_the_pairs_they_share() -> None:
    rows = [("ann", "bob", list("4443"), list("4433")), ("ann", "eve", list("42"), list("24"))]
    items, people, labels = [], [], []
    for number, (one, other, first, second) in enumerate(rows):
        for place, (mine, theirs) in enumerate(zip(first, second, strict=True)):
            items += [f"{number}-{place}"] * 2
            people += [one, other]
            labels += [mine, theirs]
    found = graded_agreement(Ratings.of(items, people, labels))[0]
    assert found.kappa == pytest.approx((4 * 0.5 + 2 * -1) / 6)
    assert found.pairs == 6
    assert found.consensus is None


def test_the_consensus_of_items_nobody_labelled_says_nothing() -> None:
    ratings = Ratings.of(["a", "b"], ["ann", "ann"], ["4", "2"])
    full = graded_agreement(ratings, {"a": "4s", "z": "1"})[0]
    assert (full.consensus.labels, full.consensus.accuracy) == (1, 0.0)
    assert (full.agreement, full.kappa, full.pairs) == (None, None, 0)


TEXTS = ["".join(letters) for length in range(4) for letters in itertools.product("0134x<is>", repeat=length)]


def test_everything_that_reads_labels_takes_the_same_ones(tmp_path: Path) -> None:
    right = [text for text in TEXTS if is_label(text)]
    assert set(right) > {"1", "3", "4", "x", "4<s", "4s<", "4i"}

    def taken(read: Callable[[str], object]) -> list[str]:
        found = []
        for text in TEXTS:
            with contextlib.suppress(InputError):
                found += [text] if read(text) is not None else []
        return found

    pair = GradeContent(left="The storm hit.", right="A gale came.")
    assert taken(lambda text: GradeTask().read_answer({"label": text}, pair)) == right
    assert taken(lambda text: votes_of_answer("grade", "p", {"label": text})) == right
    assert taken(kind_of(["2"]).read) == right
    reader = LabelReader("graded", ("unreadable",))
    assert [text for text in TEXTS if reader.group(text) != "unreadable"] == right
    # A file with more bad rows than good ones is refused as a whole, so there are as many good ones beside them.
    both = [("", text, "4") for text in TEXTS] + [("is", text, text) for text in TEXTS]
    items = [{"txt1": name, "txt2": text, "label": label} for name, text, label in both]
    (tmp_path / "dev.json").write_text(json.dumps(items), encoding="utf-8")
    dev = read_corpus("turku", tmp_path).splits["dev"]
    assert [text for name, text in zip(dev.left, dev.right, strict=True) if name == "is"] == right
