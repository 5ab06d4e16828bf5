"""Ratings from 1 to 5: what may be shown and answered, the votes that follow, and how near is right."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.rate import SCALES, GeneratedContent, PhraseContent, RateAnswer, RateTask, cut
from paraloom.judgments.tasks.task import Shown, Vote

TASK = RateTask()
SENTENCES = {"source": "The storm hit.", "generated": "It stormed."}
PHRASES = {"left": "steps down", "right": "resigns", "sentence_left": "She steps down today."}
GENERATED = TASK.read_content(SENTENCES)
PHRASE = TASK.read_content(PHRASES)
FULL = {"fluency": 5, "similarity": 4, "diversity": 3}

BAD_CONTENTS: list[tuple[Any, str]] = [
    ({}, "`source`"),
    ({"source": "x"}, "`generated`"),
    ({**SENTENCES, "generated": ""}, "`generated`"),
    ({**SENTENCES, "aspects": []}, "`aspects`"),
    ({**SENTENCES, "aspects": "fluency"}, "`aspects`"),
    ({**SENTENCES, "aspects": ["beauty"]}, "`aspects` holds 'beauty'"),
    ({**SENTENCES, "aspects": ["kept"]}, "`aspects` holds 'kept'"),
    ({**SENTENCES, "aspects": [1]}, r"`aspects\[0\]`"),
    ({**SENTENCES, "sentence_left": "x"}, "'sentence_left'"),
    ({"left": "x"}, "`right`"),
    ({**PHRASES, "left": 3}, "`left`"),
    ({**PHRASES, "sentence_right": 3}, "`sentence_right`"),
    ({**PHRASES, **SENTENCES}, "'generated'"),
    ({**PHRASES, "aspects": ["fluency"]}, "'aspects'"),
    (7, "source, generated"),
]
BAD_ANSWERS: list[tuple[Any, Any, str]] = [
    (GENERATED, {}, "`fluency`"),
    (GENERATED, {"fluency": 5, "similarity": 4}, "`diversity`"),
    (GENERATED, {**FULL, "diversity": 0}, "`diversity`"),
    (GENERATED, {**FULL, "diversity": 6}, "`diversity`"),
    (GENERATED, {**FULL, "similarity": 4.0}, "`similarity`"),
    (GENERATED, {**FULL, "similarity": "4"}, "`similarity`"),
    (GENERATED, {**FULL, "similarity": True}, "`similarity`"),
    (GENERATED, {**FULL, "kept": 3}, "`kept` was not asked"),
    (GENERATED, {**FULL, "beauty": 3}, "'beauty'"),
    (PHRASE, {}, "`kept`"),
    (PHRASE, FULL, "`fluency` was not asked"),
    (TASK.read_content({**SENTENCES, "aspects": ["fluency"]}), FULL, "`similarity` was not asked"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_CONTENTS)
def test_a_bad_content_is_refused_and_its_field_named(raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_content(raw)


@pytest.mark.parametrize(("content", "raw", "named"), BAD_ANSWERS)
def test_a_bad_answer_is_refused_and_its_field_named(content: Any, raw: Any, named: str) -> None:
    with pytest.raises(InputError, match=named):
        TASK.read_answer(raw, content)


RATINGS = st.integers(1, 5)


@given(
    st.one_of(
        st.tuples(st.just(GENERATED), st.fixed_dictionaries(dict.fromkeys(FULL, RATINGS))),
        st.tuples(st.just(PHRASE), st.fixed_dictionaries({"kept": RATINGS})),
    )
)
def test_contents_and_answers_come_back_the_same_from_json(shown_and_raw: tuple[Any, dict[str, int]]) -> None:
    content, raw = shown_and_raw
    assert TASK.read_content(json.loads(json.dumps(asdict(content)))) == content
    answer = TASK.read_answer(raw, content)
    assert TASK.read_answer(json.loads(json.dumps(asdict(answer))), content) == answer
    assert answer.ratings() == raw


def test_the_shape_of_the_item_decides_what_is_rated() -> None:
    assert isinstance(GENERATED, GeneratedContent)
    assert [scale.aspect for scale in GENERATED.scales] == ["fluency", "similarity", "diversity"]
    assert isinstance(PHRASE, PhraseContent)
    assert [scale.aspect for scale in PHRASE.scales] == ["kept"]


def test_aspects_come_in_the_pages_order() -> None:
    content = TASK.read_content({**SENTENCES, "aspects": ["diversity", "fluency", "fluency"]})
    assert [scale.aspect for scale in content.scales] == ["fluency", "diversity"]


def test_every_aspect_gets_a_vote() -> None:
    answer = TASK.read_answer(FULL, GENERATED)
    assert TASK.votes("item", GENERATED, answer) == (
        Vote("item:fluency", "5"),
        Vote("item:similarity", "4"),
        Vote("item:diversity", "3"),
    )
    assert TASK.votes("item", PHRASE, RateAnswer(kept=2)) == (Vote("item:kept", "2"),)
    assert TASK.scale == "ordinal"


EXPECTED_GIVEN_RIGHT = [
    ({"kept": 4}, {"kept": 4}, True),
    ({"kept": 4}, {"kept": 3}, True),
    ({"kept": 4}, {"kept": 2}, False),
    ({"kept": 1}, {}, False),
    (FULL, {"fluency": 4, "similarity": 5, "diversity": 2}, True),
    (FULL, {"fluency": 5, "similarity": 4, "diversity": 1}, False),
]


@pytest.mark.parametrize(("expected", "given_ratings", "right"), EXPECTED_GIVEN_RIGHT)
def test_a_rating_is_right_within_one_step(
    expected: dict[str, int], given_ratings: dict[str, int], right: bool
) -> None:
    answer = RateAnswer(**given_ratings)
    assert TASK.is_right(answer, RateAnswer(**expected)) is right


SENTENCE_PHRASE_PARTS = [
    ("She steps down today.", "steps down", ("She ", "steps down", " today.")),
    ("Steps down: she.", "steps down", ("", "Steps down", ": she.")),
    ("The party said art.", "art", ("The party said ", "art", ".")),
    ("外は雨です", "雨", ("外は", "雨", "です")),
    ("What (not)? this.*", "(not)?", ("What ", "(not)?", " this.*")),
    ("Nothing here.", "rain", ("Nothing here.", "", "")),
]


@pytest.mark.parametrize(("sentence", "phrase", "parts"), SENTENCE_PHRASE_PARTS)
def test_a_phrase_is_found_in_its_sentence(sentence: str, phrase: str, parts: tuple[str, str, str]) -> None:
    assert cut(sentence, phrase) == parts


@given(st.text(), st.text(min_size=1))
def test_cutting_a_sentence_loses_nothing(sentence: str, phrase: str) -> None:
    parts = cut(sentence, phrase)
    assert parts is not None
    assert "".join(parts) == sentence


def test_every_scale_has_five_levels_and_the_guide_names_them() -> None:
    assert isinstance(task_named("rate"), RateTask)
    text = TASK.instructions(Shown())
    for scale in SCALES.values():
        assert [level.rating for level in scale.levels] == [5, 4, 3, 2, 1]
        assert all(level.name in text for level in scale.levels)
