"""Texts of nothing but one mark over and over are cut in one go: a pattern that starts anew everywhere would hang."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paraloom.text import clauses as of_clauses
from paraloom.text import split_lines
from paraloom.text.clauses import clauses
from paraloom.text.split_lines import join_captions, join_wrapped

LONG = 1_000_000
BREAKS_BY_DEFINITION = re.compile(r"[^\S\n]*\n\s*")


def by_definition() -> re.Pattern[str]:
    pattern = of_clauses._CUT.pattern
    for guard in (r"(?<![,;:…])", r"(?<!\.)", r"(?<!\s)"):
        assert guard in pattern
        pattern = pattern.replace(guard, "")
    return re.compile(pattern.replace("++", "+").replace("*+", "*").replace("}+", "}"))


@settings(max_examples=300)
@given(st.text("a \t\n\u00a0", max_size=16))
def test_line_breaks_are_where_the_short_pattern_has_them(text: str) -> None:
    assert [found.span() for found in split_lines._BREAK.finditer(text)] == [
        found.span() for found in BREAKS_BY_DEFINITION.finditer(text)
    ]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(["a", " ", ",", ".", "…", "-", "and", "'", "、", "\n"]), max_size=16).map("".join))
@example("a  - and and a")
@example("a,, 'a... a")
def test_cuts_are_where_the_short_pattern_has_them(text: str) -> None:
    assert [found.span() for found in of_clauses._CUT.finditer(text)] == [
        found.span() for found in by_definition().finditer(text)
    ]


PIECES = [" ", "\t", "\n", " \n", "a \n", ".", "..", ",", ", ", ":'", "-", " -", "- ", "'", "…", "a", "A ", "*", "and "]


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_run_is_read_once(piece: str) -> None:
    text = "Ann" + piece * (LONG // len(piece)) + "x"
    assert len(join_captions(text)) == len(text)
    assert len(join_wrapped(text)) == len(text)
    assert clauses(text, 0, len(text))
