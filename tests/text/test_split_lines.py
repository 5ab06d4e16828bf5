"""Line breaks inside a sentence become blanks, and every place stays where it is."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paraloom.text.split_lines import join_captions, join_wrapped

CAPTIONS = [
    ("He must be gone, with the baby's bones\nby now.", "He must be gone, with the baby's bones by now."),
    ("I have\n50 men.", "I have 50 men."),
    ("Where is he?\n- Gone.\n– Where to?", "Where is he?\n- Gone.\n– Where to?"),
    ("It was...\n...the best.", "It was...    the best."),
    ("It was…\n…the best.", "It was…  the best."),
    ("It was the\n...best.", "It was the    best."),
    ("It is over.\n...said he.", "It is over.\n...said he."),
    ("Wait...\n...Ann?", "Wait...    Ann?"),
    ("No stop\nNew line.", "No stop\nNew line."),
    ("He came,\nThen left.", "He came, Then left."),
    ("Here comes Robert.\nI was sure that\nRobert had heard.", "Here comes Robert. I was sure that Robert had heard."),
    ("We know Will well.\nI think\nWill you come?\nYou will.", "We know Will well. I think\nWill you come? You will."),
    ('He said\n"go on" to me.', 'He said "go on" to me.'),
    ("It ends.\n\nAnd begins", "It ends.  And begins"),
    ("one\n♪ la la", "one\n♪ la la"),
    ("今天天气很好\n我们去散步\n然后回家", "今天天气很好\n我们去散步\n然后回家"),
    ("今天天气很好，\n我们去散步。\n然后回家。", "今天天气很好， 我们去散步。 然后回家。"),
    ("", ""),
    ("\n", "\n"),
]


@pytest.mark.parametrize(("text", "joined"), CAPTIONS)
def test_a_caption_goes_on_or_ends(text: str, joined: str) -> None:
    assert join_captions(text) == joined


WRAPPED = [
    (
        "The storm had come over\nnight, and nobody in the\ntown had slept.",
        "The storm had come over night, and nobody in the town had slept.",
    ),
    (
        "The storm had come over\n\nnight, and nobody in the\ntown had slept.",
        "The storm had come over\n\nnight, and nobody in the town had slept.",
    ),
    (
        "Storm\nThe storm had come over\nnight, and all of the\ntown had slept.",
        "Storm\nThe storm had come over night, and all of the town had slept.",
    ),
    ("We bought bread for them\n- and some butter for us\n- and a little of the tea", None),
    ("The storm came.\nIt went.\nNobody slept.", None),
    (
        "A paragraph that is a line of its own and far too long to have been wrapped by anybody, it seems to me, "
        "at whatever column they like\nand so is this",
        None,
    ),
    ("one line", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "joined"), WRAPPED)
def test_only_texts_that_are_wrapped_are_joined(text: str, joined: str | None) -> None:
    assert join_wrapped(text) == (text if joined is None else joined)


@given(st.text(alphabet="aB .…,-\n\"'1å今。", max_size=60))
@example("a\n...")
@example("...\n...\n...")
def test_nothing_changes_but_breaks_and_the_ellipses_behind_them(text: str) -> None:
    for join in (join_captions, join_wrapped):
        joined = join(text)
        assert len(joined) == len(text)
        assert all(new == old or (new == " " and old in "\n .…") for new, old in zip(joined, text, strict=True))
