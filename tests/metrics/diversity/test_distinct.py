"""Distinct-n against a plain count, and what holds for all outputs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.diversity.distinct import Distinct, distinct
from paraloom.metrics.evaluation_set import EvaluationSet

OUTPUTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join), min_size=1, max_size=6)


def counted(outputs: list[str], n: int) -> float:
    grams = [tuple(text.split()[i : i + n]) for text in outputs for i in range(len(text.split()) - n + 1)]
    return len(set(grams)) / len(grams) if grams else 0.0


@given(OUTPUTS, st.integers(1, 4))
def test_the_value_is_distinct_over_all_and_an_item_is_its_own(outputs: list[str], n: int) -> None:
    measured = Distinct(n).prepare(EvaluationSet.of(["s"] * len(outputs), [["r"]] * len(outputs)))(outputs)
    assert measured.value == distinct(outputs, n) == pytest.approx(counted(outputs, n))
    assert measured.items.tolist() == pytest.approx([counted([text], n) for text in outputs])
    assert measured.name == f"distinct-{n}"


@given(OUTPUTS)
def test_saying_everything_twice_halves_it(outputs: list[str]) -> None:
    assert distinct(outputs + outputs) == pytest.approx(distinct(outputs) / 2)


CASES = [
    (["I do not know", "I do not care"], 1, 5 / 8),
    (["I do not know", "I do not care"], 2, 4 / 6),
    (["A b", "a B"], 1, 2 / 4),
    ([""], 1, 0.0),
    (["one"], 2, 0.0),
    (["嵐嵐が", "😀 😀"], 1, 3 / 5),
    (["a " * 10_000], 1, 1 / 10_000),
]


@pytest.mark.parametrize(("outputs", "n", "expected"), CASES)
def test_repeating_lowers_it(outputs: list[str], n: int, expected: float) -> None:
    assert distinct(outputs, n) == pytest.approx(expected)


def test_there_are_no_statistics_as_types_do_not_add_up() -> None:
    measured = Distinct(2).prepare(EvaluationSet.of(["s"], [["r"]]))(["a b c"])
    assert measured.statistics is None
    assert measured.combine is None
    assert measured.better == "higher"
    assert measured.signature == "distinct-2|case:lc|tok:paraloom"


def test_a_length_below_1_is_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        Distinct(0)


def test_one_string_is_no_list_of_outputs() -> None:
    with pytest.raises(InputError, match="one string"):
        distinct("hello world")
    with pytest.raises(InputError, match="at least 1"):
        distinct(["hello world"], 0)
