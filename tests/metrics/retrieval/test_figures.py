"""Figures of retrieval follow from places, part by part, and embedders are compared on the same draws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from paraloom.metrics.retrieval.figures import Found, measure_retrieval
from paraloom.metrics.retrieval.labels import in_order, part_of
from paraloom.metrics.retrieval.places import Places


def found(name: str, above: list[int], similarities: list[int] | None = None, candidates: int = 100) -> Found:
    places = Places(above=np.array(above), tied=np.zeros(len(above), np.int64), candidates=candidates)
    alike = np.array(similarities if similarities is not None else range(len(above), 0, -1), np.int64)
    return Found(name=name, made_by=f"embedder:{name}", places=places, forgiving=places, similarities=alike)


def test_each_label_is_measured_alone_and_paraphrases_together() -> None:
    labels = ["4", "4", "4</>", "3", "2", "1"]
    truth = np.array([True, True, True, True, False, False])
    (figures,), _ = measure_retrieval([found("one", [0, 10, 0, 20, 40, 60])], labels, truth, ks=(1, 20), resamples=20)
    assert figures.figures["top-1"].value == 0.5
    assert figures.figures["top-20"].value == 0.75
    assert figures.figures["average-rank"].value == 7.5
    assert figures.figures["mrr"].value == pytest.approx((1 + 1 / 11 + 1 + 1 / 21) / 4)
    told = [(part.label, part.pairs, part.figures["average-rank"].value) for part in figures.parts]
    assert told == [("1", 1, 60.0), ("2", 1, 40.0), ("3", 1, 20.0), ("4</>", 1, 0.0), ("4", 2, 5.0)]


def test_signatures_tell_what_decides_a_figure() -> None:
    groups = np.array([0, 0, 1])
    (figures,), _ = measure_retrieval(
        [found("one", [0, 1, 2])],
        ["paraphrase", "paraphrase", "other"],
        np.array([True, True, False]),
        groups=groups,
        settings="query:left",
        resamples=10,
        seed=7,
    )
    assert figures.figures["top-10"].signature == (
        "top-10|candidates:100|ties:mean|pairs:2|query:left|draws:groups|groups:1|bootstrap:10|seed:7|embedder:one"
    )
    assert figures.figures["average-rank"].signature.startswith("average-rank|unit:percent|candidates:100|")
    assert figures.as_json()["signature"]["roc-auc"].startswith("roc-auc|ties:together|pairs:3|")


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2).filter(
        lambda rows: len({truth for _, truth in rows}) == 2
    )
)
def test_the_area_is_sklearns(rows: list[tuple[int, bool]]) -> None:
    similarities, truth = (list(column) for column in zip(*rows, strict=True))
    labels = ["paraphrase" if one else "other" for one in truth]
    one = found("one", [0] * len(rows), similarities)
    (figures,), _ = measure_retrieval([one], labels, np.array(truth), resamples=2)
    assert figures.figures["roc-auc"].value == pytest.approx(roc_auc_score(truth, similarities))


def test_pairs_of_one_kind_have_no_area_and_are_said_to() -> None:
    (figures,), _ = measure_retrieval([found("one", [0, 3])], ["paraphrase"] * 2, np.array([True, True]), resamples=5)
    assert "roc-auc" not in figures.figures
    assert figures.not_measured == {"roc-auc": "every pair is a paraphrase"}
    (figures,), _ = measure_retrieval([found("one", [0, 3])], ["other"] * 2, np.array([False, False]), resamples=5)
    assert figures.figures == {}
    assert [part.label for part in figures.parts] == ["other"]


def test_two_embedders_are_compared_on_paraphrases() -> None:
    good, poor = found("good", [0] * 40), found("poor", [30] * 39 + [0])
    _, compared = measure_retrieval([good, poor], ["4"] * 39 + ["2"], np.array([True] * 39 + [False]), resamples=100)
    by_name = {one.bootstrap.name: one for one in compared}
    assert set(by_name) == {"top-1", "average-rank", "mrr", "roc-auc"}
    assert by_name["top-1"].bootstrap.difference == 1.0
    assert by_name["average-rank"].bootstrap.difference == -30.0
    assert by_name["top-1"].randomisation_p_value == pytest.approx(1 / 101)


PARTS = [("1", "1"), ("2", "2"), ("3", "3"), ("4", "4"), ("4i", "4"), ("4s<", "4</>"), ("4>i", "4</>")]


@pytest.mark.parametrize(("grade", "part"), PARTS)
def test_a_grade_is_measured_without_its_small_flags(grade: str, part: str) -> None:
    assert part_of(grade) == part


def test_parts_are_in_the_papers_order() -> None:
    assert in_order(["4", "3", "4</>", "1", "2"]) == ["1", "2", "3", "4</>", "4"]
