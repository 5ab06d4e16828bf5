"""Graded pairs: what may be shown, what may be answered, and what follows from it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.judgments.tasks.grade import MEANINGS, GradeAnswer, GradeContent, GradeTask, Surroundings, rewritten
from paraloom.judgments.tasks.task import Shown, Vote
from paraloom.metrics.identification.graded import Grade

TASK = GradeTask()
PAIR = GradeContent(left="I worked hard for that money.", right="I toiled away.")

GOOD_CONTENTS: list[dict[str, Any]] = [
    {"left": "a", "right": "b"},
    {"left": "a", "right": "b", "left_document": None},
    {"left": "😀 hi", "right": "b", "left_document": {"text": "🎉🎉 😀 hi there", "start": 3, "end": 7}},
    {
        "left": "a",
        "right": "שלום",
        "right_document": {"text": "הוא אמר שלום.", "start": 8, "end": 12, "title": "כותרת"},
    },
    {"left": "two\r\nlines", "right": "b", "left_document": {"text": "x two\r\nlines", "start": 2, "end": 12}},
]
BAD_CONTENTS: list[tuple[dict[str, Any], str]] = [
    ({"left": "a"}, "`right`"),
    ({"left": " ", "right": "b"}, "`left` is empty"),
    ({"left": "a", "right": "b", "middle": "c"}, "'middle'"),
    ({"left": "a", "right": "b", "left_document": "text"}, "`left_document`"),
    ({"left": "a", "right": "b", "left_document": {"text": "a", "start": 0}}, "`left_document.end`"),
    ({"left": "a", "right": "b", "left_document": {"text": "a", "start": 1, "end": 1}}, "`left_document.end`"),
    ({"left": "a", "right": "b", "left_document": {"text": "a", "start": 0, "end": 2}}, "`left_document.end`"),
    ({"left": "a", "right": "b", "right_document": {"text": "a b", "start": 0, "end": 1}}, "`right_document` has 'a'"),
    ({"left": "hi", "right": "b", "left_document": {"text": "😀 hi", "start": 3, "end": 5}}, "`left_document.end`"),
    ({"left": "a", "right": "b", "left_document": {"text": "a", "start": 0, "end": 1, "url": ""}}, "'url'"),
]


@pytest.mark.parametrize("raw", GOOD_CONTENTS)
def test_a_pair_is_read_and_says_the_same_when_written(raw: dict[str, Any]) -> None:
    content = TASK.read_content(raw)
    assert TASK.read_content(asdict(content)) == content
    assert content.left == raw["left"]


@pytest.mark.parametrize(("raw", "named"), BAD_CONTENTS)
def test_what_is_wrong_with_a_pair_is_named(raw: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as raised:
        TASK.read_content(raw)
    assert named in str(raised.value)


LABELS = [
    *((label, label) for label in ("1", "2", "3", "4", "x", "4>", "4<", "4i", "4s", "4is", "4>is")),
    ("4s>", "4>s"),
    ("4si", "4is"),
    (" 4 ", "4"),
]
BAD_LABELS = ["", "0", "5", "4><", "4x", "3>", "2s", "x>", "4ss", "four", "44", ">", "4>s4", "٤"]


@pytest.mark.parametrize(("label", "canonical"), LABELS)
def test_a_label_is_kept_in_its_canonical_form(label: str, canonical: str) -> None:
    assert TASK.read_answer({"label": label}, PAIR) == GradeAnswer(label=canonical)


@pytest.mark.parametrize("label", BAD_LABELS)
def test_what_is_no_label_is_refused(label: str) -> None:
    with pytest.raises(InputError, match="`label`"):
        TASK.read_answer({"label": label}, PAIR)


BAD_ANSWERS: list[tuple[dict[str, Any], str]] = [
    ({}, "`label`"),
    ({"label": 4}, "`label`"),
    ({"lable": "4"}, "'lable'"),
    ({"label": "4", "unsure": "yes"}, "`unsure`"),
    ({"label": "4", "note": 3}, "`note`"),
    ({"label": "4", "note": "\x00"}, "`note`"),
    ({"label": "4", "rewrite_left": "Other."}, "`rewrite_left`"),
    ({"label": "x", "rewrite_right": "Other."}, "`rewrite_right`"),
    ({"label": "4>", "rewrite_right": PAIR.right}, "`rewrite_right` is the text as it was"),
    ({"label": "4>", "rewrite_right": f"  {PAIR.right}\n"}, "`rewrite_right` is the text as it was"),
    ({"label": "4>", "rewrite_left": "Other.", "rewrite_right": PAIR.right}, "`rewrite_right` is the text as it was"),
    ({"label": "3", "rewrite_left": PAIR.right}, "`rewrite_left` makes both texts the same"),
    ({"label": "3", "rewrite_left": "Other.", "rewrite_right": "Other."}, "makes both texts the same"),
    ({"label": "3", "rewrite_left": 1}, "`rewrite_left`"),
    ({"label": "3", "rewrite_left": "x" * 20_001}, "`rewrite_left`"),
]


@pytest.mark.parametrize(("raw", "named"), BAD_ANSWERS)
def test_what_is_wrong_with_an_answer_is_named(raw: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as raised:
        TASK.read_answer(raw, PAIR)
    assert named in str(raised.value)


def test_a_rewrite_makes_a_new_pair_of_what_was_changed_and_what_was_not() -> None:
    one = TASK.read_answer({"label": "4>", "rewrite_right": "I toiled away for it."}, PAIR)
    both = TASK.read_answer({"label": "3", "rewrite_left": "I worked.", "rewrite_right": "I toiled."}, PAIR)
    none = TASK.read_answer({"label": "3", "rewrite_left": "  ", "rewrite_right": None}, PAIR)
    assert rewritten(PAIR, one) == (PAIR.left, "I toiled away for it.")
    assert rewritten(PAIR, both) == ("I worked.", "I toiled.")
    assert rewritten(PAIR, none) is None


RIGHT = [
    ("4", "4", True),
    ("4", "4s", True),
    ("4>i", "4>s", True),
    ("4>", "4", False),
    ("4>", "4<", False),
    ("3", "4", False),
    ("x", "x", True),
    ("x", "1", False),
]


@pytest.mark.parametrize(("label", "expected", "right"), RIGHT)
def test_a_test_question_asks_for_base_and_direction(label: str, expected: str, right: bool) -> None:
    assert TASK.is_right(GradeAnswer(label=label), GradeAnswer(label=expected)) is right


def test_the_vote_is_the_whole_label() -> None:
    assert TASK.votes("item", PAIR, GradeAnswer(label="4>s", unsure=True)) == (Vote("item", "4>s"),)


def test_the_guide_tells_every_label_and_flag() -> None:
    told = TASK.instructions(Shown())
    for heading in ("## 4 –", "## 3 –", "## 2 –", "## 1 –", "## x –", "**> or <", "**s –", "**i –", "World knowledge"):
        assert heading in told


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=30).filter(
    lambda text: bool(text.strip())
)
labels = st.one_of(
    st.sampled_from(["1", "2", "3", "x"]),
    st.builds(
        lambda direction, minor, style: Grade(base="4", direction=direction, minor=minor, style=style).label,
        st.sampled_from(["", "<", ">"]),
        st.booleans(),
        st.booleans(),
    ),
)


@given(labels, st.none() | words, st.none() | words, st.booleans(), st.none() | words)
def test_an_answer_is_read_again_as_it_was(
    label: str, left: str | None, right: str | None, unsure: bool, note: str | None
) -> None:
    may_rewrite = label not in ("4", "x")
    raw = {
        "label": label,
        "rewrite_left": f"A {left}" if left and may_rewrite else None,
        "rewrite_right": f"B {right}" if right and may_rewrite else None,
        "unsure": unsure,
        "note": note,
    }
    answer = TASK.read_answer(raw, PAIR)
    assert asdict(answer) == raw
    assert TASK.read_answer(asdict(answer), PAIR) == answer


@given(words, words, words)
def test_a_text_is_found_where_its_document_has_it(before: str, text: str, behind: str) -> None:
    start = len(before)
    around = {"text": before + text + behind, "start": start, "end": start + len(text)}
    content = TASK.read_content({"left": text, "right": "b", "left_document": around})
    assert content.left_document == Surroundings(**around)  # type: ignore[arg-type]


def test_the_page_offers_each_label_with_its_meaning() -> None:
    assert [key.key for key in TASK.keys][:5] == list(MEANINGS)
