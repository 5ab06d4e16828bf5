"""One against ten: what may be shown and answered, and the votes that follow."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.choose import ChooseAnswer, ChooseTask
from paraloom.judgments.tasks.task import Shown, Vote

TASK = ChooseTask()
A, B, C = ({"id": name, "text": f"Sentence {name}."} for name in "abc")
ITEM = {"original": "The storm hit.", "candidates": [A, B, C]}
CONTENT = TASK.read_content(ITEM)
TEN = [{"id": str(number), "text": "Rain."} for number in range(10)]

BAD_CONTENTS: list[tuple[Any, str]] = [
    ({**ITEM, "original": " "}, "`original`"),
    ({"candidates": [A, B]}, "`original`"),
    ({**ITEM, "candidates": [A]}, "`candidates`"),
    ({**ITEM, "candidates": [{"id": str(number), "text": "x"} for number in range(21)]}, "`candidates`"),
    ({**ITEM, "candidates": "ab"}, "`candidates`"),
    ({**ITEM, "candidates": [A, "b"]}, r"`candidates\[1\]`"),
    ({**ITEM, "candidates": [A, {"id": "b"}]}, r"`candidates\[1\]\.text`"),
    ({**ITEM, "candidates": [A, {"id": 7, "text": "x"}]}, r"`candidates\[1\]\.id`"),
    ({**ITEM, "candidates": [A, {"id": "b" * 201, "text": "x"}]}, r"`candidates\[1\]\.id`"),
    ({**ITEM, "candidates": [A, {"id": "b", "text": "half \ud800"}]}, r"`candidates\[1\]\.text`"),
    ({**ITEM, "candidates": [A, B, A]}, r"`candidates\[2\]\.id` is 'a'"),
    ({**ITEM, "candidate": []}, "'candidate'"),
    ([ITEM], "original, candidates"),
]
BAD_ANSWERS: list[tuple[Any, str]] = [
    ({"chosen": ["a"]}, "`shown`"),
    ({"chosen": ["a"], "shown": ["a", "b"]}, "`shown`"),
    ({"chosen": ["a"], "shown": ["b", "a", "c"]}, "`shown`"),
    ({"shown": ["a", "b", "c"]}, "`chosen`"),
    ({"chosen": None, "shown": ["a", "b", "c"]}, "`chosen`"),
    ({"chosen": "a", "shown": ["a", "b", "c"]}, "`chosen`"),
    ({"chosen": ["d"], "shown": ["a", "b", "c"]}, "`chosen` holds 'd'"),
    ({"chosen": ["a", "a"], "shown": ["a", "b", "c"]}, "`chosen` holds the same"),
    ({"chosen": [1], "shown": ["a", "b", "c"]}, r"`chosen\[0\]`"),
    ({"chosen": [], "shown": ["a", "b", "c"], "none": True}, "'none'"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_CONTENTS)
def test_a_bad_content_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_content(raw)


@pytest.mark.parametrize(("raw", "named"), BAD_ANSWERS)
def test_a_bad_answer_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_answer(raw, CONTENT)


def test_two_to_twenty_candidates_can_be_shown() -> None:
    for count in (2, 10, 20):
        candidates = [{"id": str(number), "text": "مطر 🌧"} for number in range(count)]
        assert len(TASK.read_content({"original": "x", "candidates": candidates}).candidates) == count


@given(st.permutations(["a", "b", "c"]), st.integers(0, 3))
def test_contents_and_answers_come_back_the_same_from_json(order: list[str], count: int) -> None:
    assert TASK.read_content(json.loads(json.dumps(asdict(CONTENT)))) == CONTENT
    answer = TASK.read_answer({"chosen": order[:count], "shown": ["a", "b", "c"]}, CONTENT)
    assert TASK.read_answer(json.loads(json.dumps(asdict(answer))), CONTENT) == answer
    assert answer.chosen == tuple(sorted(order[:count]))


def test_every_candidate_gets_a_vote() -> None:
    answer = TASK.read_answer({"chosen": ["c", "a"], "shown": ["a", "b", "c"]}, CONTENT)
    assert TASK.votes("item", CONTENT, answer) == (Vote("item:a", "1"), Vote("item:b", "0"), Vote("item:c", "1"))


EXPECTED_CHOSEN_RIGHT = [
    ("0 1 2", "0 1 2", True),
    ("0 1 2", "2 0 1", True),
    ("0 1 2", "0 1", True),
    ("0 1 2", "0 1 2 3", True),
    ("0 1 2", "0 1 3", False),
    ("0", "", False),
    ("", "0", False),
    ("", "", True),
]


@pytest.mark.parametrize(("expected", "chosen", "right"), EXPECTED_CHOSEN_RIGHT)
def test_an_answer_is_right_up_to_one_candidate_in_ten(expected: str, chosen: str, right: bool) -> None:
    shown = tuple(one["id"] for one in TEN)
    answers = [ChooseAnswer(chosen=tuple(text.split()), shown=shown) for text in (chosen, expected)]
    assert TASK.is_right(*answers) is right


def test_fewer_than_ten_candidates_must_all_be_right() -> None:
    shown = ("a", "b", "c")
    assert not TASK.is_right(ChooseAnswer(chosen=("a", "b"), shown=shown), ChooseAnswer(chosen=("a",), shown=shown))


def test_the_instructions_follow_the_definition() -> None:
    loose, strict = (TASK.instructions(Shown(definition=definition)) for definition in ("loose", "strict"))
    assert "None of these" in loose
    assert "same main information" in loose
    assert "same main information" not in strict
    assert "would have to be checked" in strict


def test_it_is_known_by_its_name() -> None:
    assert isinstance(task_named("choose"), ChooseTask)
    assert TASK.scale == "nominal"
