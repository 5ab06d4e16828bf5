"""The topic of a group: what may be shown and answered, and the vote that follows."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.task import Shown, Vote
from paraloom.judgments.tasks.topic import KEYS, TopicAnswer, TopicTask
from paraloom.tables import TOPICS

TASK = TopicTask()
ITEM = {"sentences": ["The Kings stay.", "ساكرامنتو"], "key": "#Kings"}
CONTENT = TASK.read_content(ITEM)
OWN = TASK.read_content({**ITEM, "topics": ["rain", "sun"]})

BAD_CONTENTS: list[tuple[Any, str]] = [
    ({**ITEM, "sentences": []}, "`sentences`"),
    ({"key": "#Kings"}, "`sentences`"),
    ({**ITEM, "sentences": ["a", ""]}, r"`sentences\[1\]`"),
    ({**ITEM, "sentences": ["a", None]}, r"`sentences\[1\]`"),
    ({**ITEM, "sentences": ["a"] * 101}, "`sentences`"),
    ({**ITEM, "key": 7}, "`key`"),
    ({**ITEM, "topics": "rain"}, "`topics`"),
    ({**ITEM, "topics": ["rain"]}, "`topics`"),
    ({**ITEM, "topics": [f"topic {number}" for number in range(len(KEYS) + 1)]}, "`topics`"),
    ({**ITEM, "topics": ["rain", "x" * 201]}, r"`topics\[1\]`"),
    ({**ITEM, "topics": ["rain", "rain"]}, "`topics` holds the same"),
    ({**ITEM, "topic": "rain"}, "'topic'"),
]
BAD_ANSWERS: list[tuple[Any, str]] = [
    ({}, "`topic`"),
    ({"topic": None}, "`topic`"),
    ({"topic": "Sports"}, "`topic` must be one of: science/tech"),
    ({"topic": ["sports"]}, "`topic`"),
    ({"topic": "sports", "sure": True}, "'sure'"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_CONTENTS)
def test_a_bad_content_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_content(raw)


@pytest.mark.parametrize(("raw", "named"), BAD_ANSWERS)
def test_a_bad_answer_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_answer(raw, CONTENT)


@given(st.sampled_from(TOPICS))
def test_contents_and_answers_come_back_the_same_from_json(topic: str) -> None:
    for content in (CONTENT, OWN):
        assert TASK.read_content(json.loads(json.dumps(asdict(content)))) == content
    answer = TASK.read_answer({"topic": topic}, CONTENT)
    assert TASK.read_answer(json.loads(json.dumps(asdict(answer))), CONTENT) == answer


def test_an_item_can_have_topics_of_its_own() -> None:
    assert CONTENT.choices == TOPICS
    assert TASK.read_answer({"topic": "sun"}, OWN) == TopicAnswer(topic="sun")
    with pytest.raises(InputError, match="`topic` must be one of: rain, sun"):
        TASK.read_answer({"topic": "sports"}, OWN)


def test_every_topic_has_a_key_of_its_own_and_none_is_the_pages() -> None:
    many = TASK.read_content({**ITEM, "topics": [str(number) for number in range(len(KEYS))]})
    keys = [key for key, _ in many.keyed]
    assert len(set(keys)) == len(many.choices)
    assert not {"g", "h", "?"} & set(keys)


def test_the_vote_is_the_topic() -> None:
    answer = TopicAnswer(topic="sports")
    assert TASK.votes("item", CONTENT, answer) == (Vote("item", "sports"),)
    assert TASK.is_right(answer, TopicAnswer(topic="sports"))
    assert not TASK.is_right(answer, TopicAnswer(topic="event"))


def test_the_guide_explains_every_topic() -> None:
    assert isinstance(task_named("topic"), TopicTask)
    text = TASK.instructions(Shown())
    assert all(f"| {topic} |" in text for topic in TOPICS)
