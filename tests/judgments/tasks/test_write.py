"""The game: what may be given, what may be written."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.tasks.task import Shown
from paraloom.judgments.tasks.write import WriteAnswer, WriteContent, WriteTask
from paraloom.text.normalise import bare

TASK = WriteTask()
CONTENT = WriteContent(source="The storm hit the coast.")

BAD_CONTENTS: list[tuple[dict[str, Any], str]] = [
    ({}, "`source`"),
    ({"source": " "}, "`source` is empty"),
    ({"source": "🎉 !!"}, "`source` holds no word"),
    ({"source": "a", "text": "b"}, "'text'"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_CONTENTS)
def test_what_is_wrong_with_a_source_is_named(raw: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as raised:
        TASK.read_content(raw)
    assert named in str(raised.value)


BAD_ANSWERS: list[tuple[dict[str, Any], str]] = [
    ({}, "`text`"),
    ({"text": ""}, "`text` is empty"),
    ({"text": "?! 😀"}, "`text` holds no word"),
    ({"text": CONTENT.source}, "`text` is the given sentence"),
    ({"text": " the STORM hit the coast!!! "}, "`text` is the given sentence"),
    ({"text": "Ｔｈｅ storm hit the coast"}, "`text` is the given sentence"),  # wide letters
    ({"text": "Coastal storm.", "gave_up": True}, "`text` must be empty"),
    ({"text": "Coastal storm.", "gave_up": 0}, "`gave_up`"),
    ({"gave_up": True}, "`text`"),
    ({"text": "Coastal storm.", "reward": 1}, "'reward'"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_ANSWERS)
def test_what_is_wrong_with_an_answer_is_named(raw: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as raised:
        TASK.read_answer(raw, CONTENT)
    assert named in str(raised.value)


def test_giving_up_leaves_no_text() -> None:
    assert TASK.read_answer({"text": " ", "gave_up": True}, CONTENT) == WriteAnswer(text="", gave_up=True)


def test_nothing_is_voted_on() -> None:
    assert TASK.votes("item", CONTENT, WriteAnswer(text="A coastal storm.")) == ()


def test_a_test_question_asks_that_something_is_written() -> None:
    wrote, gave_up = WriteAnswer(text="A coastal storm."), WriteAnswer(text="", gave_up=True)
    assert TASK.is_right(wrote, wrote)
    assert not TASK.is_right(gave_up, wrote)
    assert TASK.is_right(gave_up, gave_up)


def test_the_guide_tells_the_task_in_the_papers_words() -> None:
    assert "infer the given sentence from it" in TASK.instructions(Shown())


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40))
def test_a_text_is_accepted_if_it_has_other_words_and_is_read_again_as_it_was(text: str) -> None:
    if not bare(text) or bare(text) == bare(CONTENT.source):
        with pytest.raises(InputError, match="`text`"):
            TASK.read_answer({"text": text}, CONTENT)
        return
    answer = TASK.read_answer({"text": text}, CONTENT)
    assert answer == WriteAnswer(text=text)
    assert TASK.read_answer(asdict(answer), CONTENT) == answer
