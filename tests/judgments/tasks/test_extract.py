"""Document pairs: what may be shown, which spans may be marked, and what follows from them."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.tasks.extract import (
    ExtractAnswer,
    ExtractContent,
    ExtractTask,
    Side,
    SpanPair,
    Suggestion,
    segments,
)
from paraloom.judgments.tasks.task import Shown

TASK = ExtractTask()
CONTENT = ExtractContent(left=Side(text="Hi 😀! I'm broke."), right=Side(text="I have no money 😢 at all"))


def spans(left_start: Any, left_end: Any, right_start: Any, right_end: Any, **more: Any) -> dict[str, Any]:
    return {"left_start": left_start, "left_end": left_end, "right_start": right_start, "right_end": right_end, **more}


def finished(*pairs: Any) -> dict[str, Any]:
    return {"pairs": list(pairs), "state": "finished", "suggestions_shown": False}


def test_documents_and_suggestions_are_read() -> None:
    content = TASK.read_content(
        {
            "left": {"text": "One two.", "title": "News", "id": "d1"},
            "right": {"text": "1 2."},
            "suggestions": [spans(0, 3, 0, 1, score=1), spans(4, 7, 2, 3)],
        }
    )
    assert content.left == Side(text="One two.", title="News", id="d1")
    assert content.suggestions[1] == Suggestion(left_start=4, left_end=7, right_start=2, right_end=3)
    assert TASK.read_content(asdict(content)) == content
    assert TASK.read_content(json.loads(json.dumps(asdict(content)))) == content


BAD_CONTENTS: list[tuple[dict[str, Any], str]] = [
    ({"left": {"text": "a"}}, "`right`"),
    ({"left": "a", "right": {"text": "b"}}, "`left`"),
    ({"left": {"text": ""}, "right": {"text": "b"}}, "`left.text` is empty"),
    ({"left": {"text": "a"}, "right": {"text": "b\x00"}}, "`right.text`"),
    ({"left": {"text": "a"}, "right": {"text": "b", "lang": "fi"}}, "'lang'"),
    ({"left": {"text": "a"}, "right": {"text": "b" * 400_001}}, "`right.text`"),
    ({"left": {"text": "a"}, "right": {"text": "b"}, "suggestions": {}}, "`suggestions`"),
    ({"left": {"text": "a"}, "right": {"text": "b"}, "suggestions": [3]}, "`suggestions[0]`"),
    ({"left": {"text": "a"}, "right": {"text": "b"}, "suggestions": [spans(0, 1, 0, 2)]}, "`suggestions[0].right_end`"),
    ({"left": {"text": "a"}, "right": {"text": "b"}, "suggestions": [spans(0, 1, 0, 1, score="1")]}, "[0].score`"),
    (
        {"left": {"text": "a"}, "right": {"text": "b"}, "suggestions": [spans(0, 1, 0, 1, score=float("nan"))]},
        ".score`",
    ),
]


@pytest.mark.parametrize(("raw", "named"), BAD_CONTENTS)
def test_what_is_wrong_with_documents_is_named(raw: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as raised:
        TASK.read_content(raw)
    assert named in str(raised.value)


BAD_ANSWERS: list[tuple[dict[str, Any], str]] = [
    ({}, "`pairs`"),
    (finished(), "`state` is finished, but no pair"),
    ({**finished(spans(0, 2, 0, 6)), "state": "empty"}, "`state` is empty, but 1 pair"),
    ({**finished(spans(0, 2, 0, 6)), "state": "done"}, "`state`"),
    ({"pairs": [], "state": "empty"}, "`suggestions_shown`"),
    ({**finished(spans(0, 2, 0, 6)), "note": ""}, "'note'"),
    (finished(spans(0, 2, 0, 26)), "`pairs[0].right_end`"),
    (finished(spans(-1, 2, 0, 6)), "`pairs[0].left_start`"),
    (finished(spans(2, 2, 0, 6)), "`pairs[0].left_end`"),
    (finished(spans(0, 2, 6, 0)), "`pairs[0].right_end`"),
    (finished(spans(0, 2, 0, 6), spans(2, 3, 0, 6)), "`pairs[1].left_start`"),
    (finished(spans(0, 2.0, 0, 6)), "`pairs[0].left_end`"),
    (finished(spans(0, True, 0, 6)), "`pairs[0].left_end`"),
    (finished({"left_start": 0}), "`pairs[0].left_end`"),
    (finished(spans(0, 2, 0, 6, score=1)), "'score'"),
    (finished(spans(0, 2, 0, 6), spans(6, 9, 0, 6), spans(0, 2, 0, 6)), "`pairs[2]` marks the same as `pairs[0]`"),
    (finished(*[spans(0, 2, 0, 6)] * 2001), "`pairs`"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_ANSWERS)
def test_what_is_wrong_with_an_answer_is_named(raw: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as raised:
        TASK.read_answer(raw, CONTENT)
    assert named in str(raised.value)


def test_segments_are_the_texts_at_code_points_in_the_order_of_marking() -> None:
    raw = finished(spans(6, 16, 0, 15), spans(3, 4, 16, 17), spans(6, 9, 0, 6))
    answer = TASK.read_answer(raw, CONTENT)
    found = [(segment.left, segment.right) for segment in segments(CONTENT, answer)]
    assert found == [("I'm broke.", "I have no money"), ("😀", "😢"), ("I'm", "I have")]
    assert segments(CONTENT, answer)[1].left_start == 3


def test_nothing_is_found_in_an_empty_pair() -> None:
    answer = TASK.read_answer({"pairs": [], "state": "empty", "suggestions_shown": True}, CONTENT)
    assert segments(CONTENT, answer) == ()
    assert TASK.votes("item", CONTENT, answer) == ()


def answered(*pairs: tuple[int, int, int, int]) -> ExtractAnswer:
    found = tuple(SpanPair(**spans(*pair)) for pair in pairs)
    return ExtractAnswer(pairs=found, state="finished" if found else "empty", suggestions_shown=False)


RIGHT = [
    (answered(), answered(), True),
    (answered((0, 5, 0, 5)), answered(), False),
    (answered(), answered((0, 5, 0, 5)), False),
    (answered((0, 10, 0, 10)), answered((0, 10, 0, 10)), True),
    (answered((20, 30, 0, 9), (0, 8, 0, 10)), answered((0, 10, 0, 10)), True),  # more was found
    (answered((0, 4, 0, 10)), answered((0, 10, 0, 10)), False),  # too short on one side
    (answered((0, 10, 10, 20)), answered((0, 10, 0, 10)), False),  # another passage on the right
    (answered((0, 10, 0, 10)), answered((0, 10, 0, 10), (50, 60, 50, 60)), False),  # one was overlooked
]


@pytest.mark.parametrize(("answer", "expected", "right"), RIGHT)
def test_a_test_question_asks_for_every_expected_pair_roughly(
    answer: ExtractAnswer, expected: ExtractAnswer, right: bool
) -> None:
    assert TASK.is_right(answer, expected) is right


def test_the_guide_tells_what_to_mark() -> None:
    assert "as long as possible" in TASK.instructions(Shown()).lower()


document = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=40).filter(
    lambda text: bool(text.strip())
)


@given(st.data(), document, document)
def test_spans_within_the_documents_are_accepted_and_read_again_as_they_were(
    data: st.DataObject, left: str, right: str
) -> None:
    content = ExtractContent(left=Side(text=left), right=Side(text=right))

    def drawn_span(text: str) -> tuple[int, int]:
        start = data.draw(st.integers(0, len(text) - 1))
        return start, data.draw(st.integers(start + 1, len(text)))

    pairs = data.draw(st.lists(st.builds(lambda: (*drawn_span(left), *drawn_span(right))), max_size=4, unique=True))
    told = [left[a:b].strip() and right[c:d].strip() for a, b, c, d in pairs]
    raw = {
        "pairs": [spans(*pair) for pair in pairs],
        "state": "finished" if pairs else "empty",
        "suggestions_shown": data.draw(st.booleans()),
    }
    if not all(told):
        with pytest.raises(InputError, match=r"`pairs\[\d\]\..* white space"):
            TASK.read_answer(raw, content)
        return
    answer = TASK.read_answer(raw, content)
    assert TASK.read_answer(asdict(answer), content) == answer
    assert TASK.read_answer(json.loads(json.dumps(asdict(answer))), content) == answer
    assert [(one.left, one.right) for one in segments(content, answer)] == [
        (left[a:b], right[c:d]) for a, b, c, d in pairs
    ]
