"""Where sentences end, case by case, and that the spans are exact for every text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.text.split import split

ENDS = {
    "plain": ["The storm hit.", "People left!", "Did you?", "Yes"],
    "no stop at all": ["the storm hit the coast"],
    "lower case goes on after a long word": ["the storm has passed.", "people are back"],
    "titles": ["Dr. Lee met Sen. Cruz, Rep. @ann and Lt. Gen. Brent Roe.", "They spoke."],
    "acronyms": ["The U.S. Senate met at 5 p.m. on Monday in Washington, D.C. again.", "It voted."],
    "an acronym can be last": ["She moved to the U.S.", "The rest stayed."],
    "initials": ["George W. Bush and J. Smith met.", "They left."],
    "months and numbers": ["It opens Oct. 16 for H.R. 5068 and H.Res. 1153.", "Come at 3.5 or 1,000.5 times."],
    "no. and no": ["He was no. 5.", "No.", "I was."],
    "a year can be last": ["It ended in 2020.", "We went on."],
    "ellipsis goes on": ["Well... that is it.", "Hmm…", "Now we know"],
    "closing marks": ["He said “I will go.”", "She said (it is true.)", "'Really?' he asked.", "So"],
    "quoted question inside": ['"Who?" she asked.', "Nobody."],
    "run of marks": ["What?!!", "No way!!!", "Yes."],
    "double mark": ["Let me know‼️", "It is late."],
    "links are whole": ["See https://example.org/a.b?c=D!e and Example.com today.", "Then go."],
    "a link behind": ["Storm hits. https://example.org/a", "Then it left."],
    "tags behind": ["Storm hits. #storm #news @ann https://example.org/a"],
    "a tag begins": ["Storm hits.", "#Storm is big.", "@ann is there."],
    "emoji behind": ["Storm hits! 🌊🌊", "We left. :)", "Bye!👍🏽", "So long"],
    "thread counter": ["Storm hits the coast. (2/4)"],
    "no space after a mark": ["Great!", "Now go."],
    "french": ["M. Dupont a dit « Non ! »", "Il part !", "Pourquoi ?"],
    "spanish": ["La Sra. Pérez salió.", "¿Y tú?", "¡Sí!", "Bien"],
    "german": ["Am 3. Oktober kam z. B. Frau Dr. Roth, usw. und so fort.", "Dann ging sie."],
    "finnish": ["Tämä on esim. hyvä 3. luokan työ.", "Se riittää."],
    "swedish": ["Det gäller t.ex. bilar, osv. och annat.", "Vi får se."],
}


@pytest.mark.parametrize("sentences", ENDS.values(), ids=ENDS.keys())
def test_a_line_is_cut_where_its_sentences_end(sentences):
    text = " ".join(sentences)
    assert [text[start:end] for start, end in split(text)] == sentences


WITHOUT_SPACES_BETWEEN = {
    "chinese": ["我爱北京。", "你呢？", "「好！」", "走吧"],
    "hindi": ["यह सच है।", "वह गया।"],
    "arabic": ["كيف حالك؟", "بخير"],
    "missing space": ["Great!", "Now go."],
}


@pytest.mark.parametrize("sentences", WITHOUT_SPACES_BETWEEN.values(), ids=WITHOUT_SPACES_BETWEEN.keys())
def test_stops_that_need_no_space_behind_them_end_sentences_too(sentences):
    text = "".join(sentences)
    assert [text[start:end] for start, end in split(text)] == sentences


LINES = [
    ("First line\nSecond line", ["First line", "Second line"]),
    ("First.\r\n\r\nSecond", ["First.", "Second"]),
    ("Storm hits\n\n#storm #news\nhttps://example.org/a", ["Storm hits\n\n#storm #news\nhttps://example.org/a"]),
    ("Storm hits!\n🌊🌊\nNext", ["Storm hits!\n🌊🌊", "Next"]),
    ("1. Go home\n2. Stay there", ["1. Go home", "2. Stay there"]),
    ("So true RT @ann: the storm hits", ["So true", "RT @ann: the storm hits"]),
    ("Nice https://example.org/a QT @ann The storm hits", ["Nice https://example.org/a", "QT @ann The storm hits"]),
    ("Please RT @ann today", ["Please RT @ann today"]),
    ("... and then it came.", ["... and then it came."]),
    ("La victoria en la #F1 . Pero no", ["La victoria en la #F1 .", "Pero no"]),
    ("It came. |", ["It came. |"]),
    ("", []),
    (" \n ", []),
    ("!!!", ["!!!"]),
]


@pytest.mark.parametrize(("text", "sentences"), LINES)
def test_line_breaks_and_retweet_marks_end_sentences_and_tag_lines_stay_with_them(text, sentences):
    assert [text[start:end] for start, end in split(text)] == sentences


PIECES = st.sampled_from(
    [
        ". ",
        "! ",
        "?",
        "…",
        "...",
        "\n",
        "\r\n",
        "。",
        "।",
        "Dr.",
        "U.S.",
        "a",
        "The ",
        "5",
        " ",
        "#tag",
        "@ann",
        "https://a.b/c?D",
        "👍🏽",
        "🇫🇮",
        ":)",
        '"',
        "”",
        ")",
        "«",
        " »",
        "RT @ann: ",
        "QT @b ",
        "(1/2)",
        "\u200d",
        "�",
        "\x00",
        "\x85",
        "É",
        "|",
    ]
)


@settings(max_examples=250, deadline=None)
@given(st.one_of(st.text(st.characters(), max_size=80), st.lists(PIECES, max_size=25).map("".join)))
def test_spans_are_in_order_trimmed_and_hold_every_visible_character(text):
    reached = 0
    for start, end in split(text):
        assert reached <= start < end
        assert not text[reached:start].strip()
        assert text[start:end] == text[start:end].strip()
        reached = end
    assert not text[reached:].strip()


LONG = [
    "!\n" * 500_000,
    "." * 1_000_000,
    ". " * 500_000,
    "a. " * 300_000,
    "A. #b " * 150_000,
    "\n#a" * 300_000,
    "a" * 1_000_000,
]
LONG += [
    "x. " + "#a-" * 300_000 + "b",
    "! 👍🏽" * 200_000,
    '."' * 500_000,
    "x. " + "http://a-#b " * 80_000,
    " " * 1_000_000,
]
LONG += ["QT @a" * 200_000, " QT @a" * 150_000, "?A" * 400_000, "a.\n" * 300_000, "." + '"' * 1_000_000 + "a"]


@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[:8]))
def test_a_megabyte_of_anything_is_split_in_seconds(text):
    started = time.perf_counter()
    split(text)
    assert time.perf_counter() - started < 10
