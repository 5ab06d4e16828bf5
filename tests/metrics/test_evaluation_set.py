"""Lists that do not fit are an error with its line, never a number."""

from __future__ import annotations

from typing import Any

import pytest

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet

REFUSED = [
    ("no source", [], [], "There is no source sentence"),
    ("a bare string as sources", "abc", [["a"], ["b"], ["c"]], "Sources are one string"),
    ("a bare string as references", ["a"], "a", "flat list"),
    ("a flat list of references", ["a b", "c d"], ["a b", "c d"], "flat list"),
    ("transposed", ["a", "b", "c"], [["1", "2", "3"], ["4", "5", "6"]], "transposed"),
    ("too few lists", ["a", "b", "c"], [["1"], ["2"]], "3 sources but 2 lists"),
    ("too many lists", ["a"], [["1"], ["2"]], "1 sources but 2 lists"),
    ("no reference for one", ["a", "b"], [["1"], []], r"Source 2 \('b'\) has no reference"),
    ("an empty reference", ["a", "b"], [["1"], ["2", "  "]], r"Reference 2 of source 2 \('b'\) is empty"),
    ("a source that is nothing", ["a", None], [["1"], ["2"]], "Source 2 is NoneType, not text"),
    ("a reference that is nothing", ["a", "b"], [["1"], ["2", None]], "Reference 2 of source 2 is NoneType, not text"),
    ("a reference that is a number", ["a", "b"], [["1"], [2]], "Reference 1 of source 2 is int, not text"),
    ("no list for one", ["a", "b"], [["1"], None], "The references of source 2 are NoneType"),
    ("no references", ["a", "b"], None, "References are NoneType, not a list"),
    ("no sources", None, [["1"]], "Sources are NoneType, not a list"),
    ("an empty source", ["a", " "], [["1"], ["2"]], "Source 2 is empty"),
]


@pytest.mark.parametrize(
    ("sources", "references", "why"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_what_cannot_be_measured_is_refused(sources: Any, references: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        EvaluationSet.of(sources, references)


def test_the_constructor_refuses_as_well() -> None:
    with pytest.raises(InputError, match="transposed"):
        EvaluationSet(("a", "b", "c"), (("1", "2", "3"),))


def test_streams_are_turned_round_and_may_have_holes() -> None:
    turned = EvaluationSet.of_streams(["a", "b"], [["1", "2"], [None, "3"], ["4", None]])
    assert turned.references == (("1", "4"), ("2", "3"))
    assert turned.reference_counts == (2, 2)


@pytest.mark.parametrize(
    ("streams", "why"),
    [([["1"]], "Stream 1 of references has 1 lines"), ([["1", "2"], ["3"]], "Stream 2"), ([], "has no reference")],
)
def test_streams_that_do_not_fit_are_refused(streams: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        EvaluationSet.of_streams(["a", "b"], streams)


@pytest.mark.parametrize(
    ("outputs", "why"),
    [
        (["x"], "1 outputs for 2 sources"),
        ("xy", "one string"),
        (["x", None], "Output 2 is NoneType"),
        ([], "0 outputs"),
    ],
)
def test_outputs_must_be_one_text_a_source(outputs: Any, why: str) -> None:
    evaluation_set = EvaluationSet.of(["a", "b"], [["1"], ["2"]])
    with pytest.raises(InputError, match=why):
        evaluation_set.check_outputs(outputs)


def test_an_empty_output_is_an_output() -> None:
    EvaluationSet.of(["a", "b"], [["1"], ["2"]]).check_outputs(["", "x"])


def test_rows_can_be_chosen_in_any_order_and_repeatedly() -> None:
    chosen = EvaluationSet.of(["a", "b"], [["1"], ["2", "3"]]).chosen([1, 1, 0])
    assert chosen.sources == ("b", "b", "a")
    assert chosen.reference_counts == (2, 2, 1)


def test_what_can_be_read_only_once_is_read_once() -> None:
    texts = EvaluationSet.of((text for text in "ab"), ((text, text.upper()) for text in "cd"))
    assert texts == EvaluationSet(("a", "b"), (("c", "C"), ("d", "D")))
    assert EvaluationSet.of_streams(iter("ab"), (iter(stream) for stream in ["cd", "CD"])) == texts
    assert texts.check_outputs(iter("xy")) == ("x", "y")


@pytest.mark.parametrize("sources", [["a"], None])
def test_streams_that_are_none_are_refused(sources: Any) -> None:
    with pytest.raises(InputError, match="NoneType"):
        EvaluationSet.of_streams(sources, None)  # type: ignore[arg-type]
