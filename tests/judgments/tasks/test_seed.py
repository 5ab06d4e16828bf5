"""The seed of a group: what may be shown and answered, and the vote that follows."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.seed import RightSeeds, SeedAnswer, SeedTask
from paraloom.judgments.tasks.task import Shown, Vote

TASK = SeedTask()


def group(count: int) -> dict[str, Any]:
    return {"sentences": [{"id": f"s{number}", "text": f"Sentence {number}."} for number in range(count)]}


CONTENT = TASK.read_content(group(11))

BAD_CONTENTS: list[tuple[Any, str]] = [
    (group(2), "`sentences`"),
    (group(12), "`sentences`"),
    ({}, "`sentences`"),
    ({"sentences": [*group(3)["sentences"], {"id": "s0", "text": "again"}]}, r"`sentences\[3\]\.id` is 's0'"),
    ({"sentences": [*group(3)["sentences"], {"id": "skip", "text": "x"}]}, "`sentences` has the id 'skip'"),
    ({"sentences": [*group(3)["sentences"], {"id": "x", "text": ""}]}, r"`sentences\[3\]\.text`"),
    ({**group(3), "original": "x"}, "'original'"),
    (None, "sentences"),
]
BAD_ANSWERS: list[tuple[Any, str]] = [
    ({}, "`seed` or `skip`"),
    ({"seed": None}, "`seed` or `skip`"),
    ({"skip": False}, "`seed` or `skip`"),
    ({"seed": "s1", "skip": True}, "`seed` or `skip`"),
    ({"seed": "s11"}, "`seed`"),
    ({"seed": 1}, "`seed`"),
    ({"skip": "yes"}, "`skip`"),
    ({"sead": "s1"}, "'sead'"),
    ("s1", "seed, skip"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_CONTENTS)
def test_a_bad_content_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_content(raw)


@pytest.mark.parametrize(("raw", "named"), BAD_ANSWERS)
def test_a_bad_answer_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_answer(raw, CONTENT)


@given(st.one_of(st.integers(0, 10).map(lambda number: {"seed": f"s{number}"}), st.just({"skip": True})))
def test_contents_and_answers_come_back_the_same_from_json(raw: dict[str, Any]) -> None:
    assert TASK.read_content(json.loads(json.dumps(asdict(CONTENT)))) == CONTENT
    answer = TASK.read_answer(raw, CONTENT)
    assert TASK.read_answer(json.loads(json.dumps(asdict(answer))), CONTENT) == answer


def test_the_vote_is_the_seed_or_skip() -> None:
    assert TASK.votes("item", CONTENT, SeedAnswer(seed="s3")) == (Vote("item", "s3"),)
    assert TASK.votes("item", CONTENT, SeedAnswer(skip=True)) == (Vote("item", "skip"),)


def test_only_the_same_seed_is_right() -> None:
    assert TASK.is_right(SeedAnswer(seed="s3"), SeedAnswer(seed="s3"))
    assert not TASK.is_right(SeedAnswer(seed="s3"), SeedAnswer(seed="s4"))
    assert not TASK.is_right(SeedAnswer(skip=True), SeedAnswer(seed="s4"))


def test_a_test_question_may_have_several_right_seeds() -> None:
    expected = TASK.read_expected({"seed": ["s4", "s3", "s4"]}, CONTENT)
    assert expected == RightSeeds(seed=("s3", "s4"))
    assert TASK.read_expected(json.loads(json.dumps(asdict(expected))), CONTENT) == expected
    assert [TASK.is_right(SeedAnswer(seed=one), expected) for one in ("s2", "s3", "s4")] == [False, True, True]
    assert not TASK.is_right(SeedAnswer(skip=True), expected)


@pytest.mark.parametrize("raw", [{"seed": "s3"}, {"seed": ["s3"]}, {"seed": ["s3", "s3"], "skip": False}])
def test_one_right_seed_is_an_answer_like_any_other(raw: Any) -> None:
    assert TASK.read_expected(raw, CONTENT) == SeedAnswer(seed="s3")


BAD_EXPECTED: list[tuple[Any, str]] = [
    *BAD_ANSWERS,
    ({"seed": []}, "`seed`"),
    ({"seed": ["s1", "s11"]}, "`seed`"),
    ({"seed": ["s1", 2]}, "`seed`"),
    ({"seed": ["s1", "s2"], "skip": True}, "`seed` or `skip`"),
    ({"seed": ["s1", "s2"], "sead": 1}, "'sead'"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_EXPECTED)
def test_a_bad_right_answer_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_expected(raw, CONTENT)


def test_people_choose_one() -> None:
    with pytest.raises(InputError, match="`seed` must be one of"):
        TASK.read_answer({"seed": ["s3", "s4"]}, CONTENT)


def test_it_is_known_by_its_name_and_says_what_a_seed_is() -> None:
    assert isinstance(task_named("seed"), SeedTask)
    assert "at least 3 of the others" in TASK.instructions(Shown())


def test_every_sentence_has_a_key() -> None:
    assert [key.key for key in TASK.keys] == [*"1234567890-s", "Enter"]
