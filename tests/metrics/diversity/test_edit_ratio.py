"""The edit ratio against Levenshtein's table written out, and what holds for all texts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.diversity.edit_ratio import EditRatio, edit_ratio
from paraloom.metrics.evaluation_set import EvaluationSet

TEXTS = st.lists(st.sampled_from(["ab", "cd", "é", "嵐", "😀", "."]), max_size=8).map(" ".join)


def edits(left: Sequence[str], right: Sequence[str]) -> int:
    row = list(range(len(right) + 1))
    for i, old in enumerate(left, start=1):
        before, row[0] = row[0], i
        for j, new in enumerate(right, start=1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (old != new))
    return row[-1]


@given(TEXTS, TEXTS)
def test_it_is_the_fewest_edits_over_the_longer(left: str, right: str) -> None:
    words = edits(left.split(), right.split()) / max(len(left.split()), len(right.split()), 1)
    characters = edits(left, right) / max(len(left), len(right), 1)
    assert edit_ratio(left, right) == pytest.approx(words)
    assert edit_ratio(left, right, "character") == pytest.approx(characters)


@given(st.text(max_size=60), st.text(max_size=60))
def test_it_is_symmetric_and_lies_between_0_and_1(left: str, right: str) -> None:
    assert edit_ratio(left, right) == edit_ratio(right, left)
    assert 0 <= edit_ratio(left, right) <= 1
    assert edit_ratio(left, left) == 0


CASES = [
    ("the storm hit the coast", "The storm struck the coast", 0.2),
    ("the storm", "", 1.0),
    ("", "", 0.0),
    ("a " * 10_000, "a " * 5_000, 0.5),
]


@pytest.mark.parametrize(("source", "output", "expected"), CASES)
def test_less_kept_is_more(source: str, output: str, expected: float) -> None:
    assert edit_ratio(source, output) == pytest.approx(expected)


def test_the_metric_is_the_mean_and_the_signature_names_the_unit() -> None:
    evaluation_set = EvaluationSet.of(["the storm", "coast"], [["x"], ["y"]])
    by_words = EditRatio().prepare(evaluation_set)(["a storm", "Coast"])
    by_characters = EditRatio(unit="character").prepare(evaluation_set)(["a storm", "Coasts"])
    assert by_words.items.tolist() == [0.5, 0.0]
    assert by_words.value == 0.25
    assert by_words.signature == "edit-ratio|unit:word|case:lc|tok:paraloom"
    assert by_characters.items.tolist() == pytest.approx([3 / 9, 1 / 6])
    assert by_characters.signature == "character-edit-ratio|unit:character|case:lc"
    assert by_characters.name == "character-edit-ratio"
    assert (by_words.name, by_words.better) == ("edit-ratio", "higher")


def test_an_unknown_unit_is_refused() -> None:
    with pytest.raises(InputError, match="word, character"):
        EditRatio(unit="line")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="word, character"):
        edit_ratio("a", "b", "words")  # type: ignore[arg-type]
