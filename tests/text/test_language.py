"""Scripts and languages of short texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.text.language import detect, script

SCRIPTS = [
    ("Storm hits the coast", "latin"),
    ("Ærø søndag", "latin"),
    ("Буря на побережье today", "cyrillic"),
    ("Καταιγίδα", "greek"),
    ("عاصفة", "arabic"),
    ("סערה", "hebrew"),
    ("तूफान आया", "devanagari"),
    ("พายุ", "thai"),
    ("폭풍이 왔다", "hangul"),
    ("暴风雨来了", "han"),
    ("東京は雨です", "kana"),
    ("12:30 — !!! 👍", None),
    ("", None),
    ("\ud800", None),
]


@pytest.mark.parametrize(("text", "expected"), SCRIPTS)
def test_a_text_is_in_the_script_of_most_of_its_letters(text, expected):
    assert script(text) == expected


LANGUAGES = [
    ("The storm hit the coast on Monday night and people left their homes", "en"),
    ("Myrsky iski rannikolle maanantaina ja ihmiset lähtivät kodeistaan", "fi"),
    ("La tempête a frappé la côte lundi soir et les gens sont partis", "fr"),
    ("Буря обрушилась на побережье в понедельник вечером", "ru"),
    ("폭풍이 해안을 강타했다", "ko"),
    ("暴风雨星期一晚上袭击了海岸", "zh"),
    ("ok", None),
    ("@ann #storm https://example.org/the-storm-hit-the-coast", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "expected"), LANGUAGES)
def test_a_language_is_told_where_there_is_enough_text(text, expected):
    assert detect(text) == expected


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(), max_size=60))
def test_no_text_is_too_strange_to_be_asked_about(text):
    assert detect(text) is None or len(detect(text)) in (2, 3)
    assert script(text) is None or script(text).islower()
