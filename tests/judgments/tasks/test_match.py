"""Two documents at a glance: what may be shown and answered, and the vote that follows."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.match import MatchAnswer, MatchTask
from paraloom.judgments.tasks.reading import MOST_DOCUMENT_LETTERS
from paraloom.judgments.tasks.task import Shown, Vote

TASK = MatchTask()
ITEM = {"left": {"title": "Water in it", "text": "It does not drain.\n\nHelp!"}, "right": {"text": "Vesi ei poistu."}}
CONTENT = TASK.read_content(ITEM)

BAD_CONTENTS: list[tuple[Any, str]] = [
    ({"left": ITEM["left"]}, "`right`"),
    ({**ITEM, "right": "text"}, "`right`"),
    ({**ITEM, "right": {"title": "x"}}, r"`right\.text`"),
    ({**ITEM, "right": {"text": " \n"}}, r"`right\.text`"),
    ({**ITEM, "right": {"text": "a\x00b"}}, r"`right\.text`"),
    ({**ITEM, "right": {"text": "x" * (MOST_DOCUMENT_LETTERS + 1)}}, r"`right\.text`"),
    ({**ITEM, "left": {"text": "x", "title": 7}}, r"`left\.title`"),
    ({**ITEM, "left": {"text": "x", "titel": "x"}}, "'titel'"),
    ({**ITEM, "middle": {}}, "'middle'"),
]
BAD_ANSWERS: list[tuple[Any, str]] = [
    ({}, "`accept`"),
    ({"accept": None}, "`accept`"),
    ({"accept": 1}, "`accept`"),
    ({"accept": "yes"}, "`accept`"),
    ({"accept": True, "note": "x"}, "'note'"),
    (True, "accept"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_CONTENTS)
def test_a_bad_content_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_content(raw)


@pytest.mark.parametrize(("raw", "named"), BAD_ANSWERS)
def test_a_bad_answer_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_answer(raw, CONTENT)


@given(st.booleans())
def test_contents_and_answers_come_back_the_same_from_json(accept: bool) -> None:
    assert TASK.read_content(json.loads(json.dumps(asdict(CONTENT)))) == CONTENT
    answer = TASK.read_answer({"accept": accept}, CONTENT)
    assert TASK.read_answer(json.loads(json.dumps(asdict(answer))), CONTENT) == answer


def test_a_whole_document_can_be_shown() -> None:
    content = TASK.read_content({**ITEM, "left": {"text": "x" * MOST_DOCUMENT_LETTERS}})
    assert len(content.left.text) == MOST_DOCUMENT_LETTERS
    assert content.left.title is None


def test_the_vote_is_one_or_zero() -> None:
    assert TASK.votes("item", CONTENT, MatchAnswer(accept=True)) == (Vote("item", "1"),)
    assert TASK.votes("item", CONTENT, MatchAnswer(accept=False)) == (Vote("item", "0"),)
    assert TASK.is_right(MatchAnswer(accept=True), MatchAnswer(accept=True))
    assert not TASK.is_right(MatchAnswer(accept=True), MatchAnswer(accept=False))


def test_it_is_known_by_its_name_and_asks_for_a_glance() -> None:
    assert isinstance(task_named("match"), MatchTask)
    assert "first few sentences" in TASK.instructions(Shown())
