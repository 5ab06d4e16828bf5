"""Plain answers tell by themselves whether they are grades or yes and no."""

from __future__ import annotations

import pytest

from paraloom.errors import InputError
from paraloom.workflows.label.answer_kinds import kind_of

KINDS = [
    (["1", "2", "4>", "x"], None, True),
    (["1", "2", "4>", "5", "?"], None, True),  # what is neither decides nothing
    (["2"] + ["perhaps"] * 9, None, True),
    (["1", "0"], None, False),
    (["yes", "no", "perhaps"], None, False),
    (["Yes", "FALSE", "x"], None, False),
    (["1", "1"], None, False),
    (["1", "x"], None, True),
    (["x"], None, True),
    (["perhaps"], None, False),
    ([], None, False),
    (["1", "2", "3"], "loose", True),
    (["1", "0"], "strict", False),
    (["1"], "graded", True),
    (["4", "yes"], "graded", True),
]


@pytest.mark.parametrize(("answers", "definition", "are_grades"), KINDS)
def test_answers_are_what_only_one_kind_could_say(answers: list[str], definition: str | None, are_grades: bool) -> None:
    assert kind_of(answers, definition).are_grades is are_grades


@pytest.mark.parametrize("definition", [None, "loose", "implication"])
@pytest.mark.parametrize("answers", [["4>", "no"], ["2", "0", "1"], ["yes"] * 20 + ["3"]])
def test_a_mix_is_refused_with_what_to_do(answers: list[str], definition: str | None) -> None:
    with pytest.raises(InputError, match=r"Some answers are grades.*yes or no.*--where.*--definition graded"):
        kind_of(answers, definition)


def test_yes_and_no_are_no_grades_even_if_the_definition_says_so() -> None:
    with pytest.raises(InputError, match=r"yes and no, as '0' \(2 times\).*another --definition"):
        kind_of(["1", "0", "0"], "graded")


NOTES = [
    (["1", "1"], None, "Every answer is 1, which was read as yes"),
    (["1", "1"], "loose", "Every answer is 1, which was read as yes"),
    (["1", "x"], None, "Every answer is 1 or x, which were read as grades."),
    (["1", "1"], "graded", None),
    (["1", "0"], None, None),
    (["1", "2"], None, None),
    (["x"], None, None),
]


@pytest.mark.parametrize(("answers", "definition", "note"), NOTES)
def test_it_is_said_how_answers_were_read_that_do_not_tell(answers, definition, note: str | None) -> None:
    found = kind_of(answers, definition).note
    assert found is None if note is None else note in (found or "")


@pytest.mark.parametrize(
    ("answers", "read"),
    [
        (["4s>", "1", "X", "yes?"], ["4>s", "1", "x", None]),
        (["Yes", "0", "TRUE", "x"], ["1", "0", "1", None]),
    ],
)
def test_an_answer_is_read_as_its_kind(answers: list[str], read: list[str | None]) -> None:
    kind = kind_of(answers)
    assert [kind.read(answer) for answer in answers] == read
