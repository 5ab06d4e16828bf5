"""An English text in, the words it comes down to out: no case, no punctuation, contractions and numbers written out."""

from __future__ import annotations

import re
from typing import NamedTuple

from paraloom.metrics.diversity.copying import POINT, wording
from paraloom.metrics.diversity.grammar.spelled_numbers import SPELLED, in_figures
from paraloom.text.normalise import repair


class Words(NamedTuple):
    """The words of one text, in order, as they are compared."""

    forms: list[str]
    marks: dict[int, str]
    """By position, for words that stand otherwise in the text: `contraction` or `numeral`."""


_APOSTROPHE = "ʹ"
"""A letter to Unicode (a prime), so that apostrophes inside words outlive the removal of punctuation."""
_APOSTROPHES = "'’‘ʼ＇`´"
_SPLIT_OFF = re.compile(rf"(?<=\w)\s+(?=(?:n[{_APOSTROPHES}]t|[{_APOSTROPHES}](?:s|re|ve|ll|d|m))\b)", re.IGNORECASE)
_INNER_APOSTROPHE = re.compile(rf"(?<=\w)[{_APOSTROPHES}](?=\w)")
_PERCENT = re.compile(r"(?<=[0-9])\s?%|\bper cent\b", re.IGNORECASE)

_ENDINGS = {"re": "are", "ve": "have", "ll": "will", "m": "am", "s": "'s", "d": "'d"}
"""What follows an apostrophe, written out; 's and 'd stay, as they may be several words."""
_WHOLE = {
    "canʹt": ("can", "not"),
    "wonʹt": ("will", "not"),
    "shanʹt": ("shall", "not"),
    "ainʹt": ("is", "not"),
    "letʹs": ("let", "us"),
    "yʹall": ("you", "all"),
    "cannot": ("can", "not"),
}
_WITHOUT_APOSTROPHE = """
    aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't shouldn't wasn't weren't won't wouldn't ain't
    i'm i've you're you've you'll you'd they're they've they'll they'd we've he's she's it'll that's that'll there's
    here's where's what's who's how's could've should've would've might've must've
"""
"""Contractions that people also write without the apostrophe and that are no other word then ("its" and "were" are)."""


def plain_words(text: str) -> Words:
    """The words of a text as they are compared; a word of a contraction or number keeps a mark that it was one.

    >>> plain_words("They don't have twenty-one dogs!").forms
    ['they', 'do', 'not', 'have', '21', 'dogs']
    >>> plain_words("They don't have twenty-one dogs!").marks
    {2: 'contraction', 4: 'numeral'}
    """
    if "&" in text:
        text = repair(text)
    if any(mark in text for mark in _APOSTROPHES):
        text = _INNER_APOSTROPHE.sub(_APOSTROPHE, _SPLIT_OFF.sub("", text))
    percent = "%" in text or "er cent" in text
    if percent:
        text = _PERCENT.sub(" percent", text)
    forms = wording(text).split()
    marks: dict[int, str] = {}
    if any(form in _EXPANDED or _APOSTROPHE in form for form in forms):
        forms, marks = _without_contractions(forms)
    if percent or not SPELLED.isdisjoint(forms) or any(form[0].isdigit() for form in forms):
        forms, marks = _with_figures(forms, marks)
    return Words(forms, marks)


def _without_contractions(forms: list[str]) -> tuple[list[str], dict[int, str]]:
    expanded: list[str] = []
    marks: dict[int, str] = {}
    for form in forms:
        parts = _EXPANDED.get(form) or tuple(part for part in _parts(form) if part)
        expanded += parts
        if len(parts) > 1 and form != "cannot":
            marks[len(expanded) - 1] = "contraction"
    return expanded, marks


def _parts(form: str) -> tuple[str, ...]:
    if _APOSTROPHE not in form:
        return (form,)
    if form.endswith("nʹt") and len(form) > 3:
        return (form[:-3], "not")
    base, _, ending = form.rpartition(_APOSTROPHE)
    if ending in _ENDINGS:
        return (*_parts(base), _ENDINGS[ending])  # "shouldn't've"
    return (form.replace(_APOSTROPHE, ""),)


def _with_figures(forms: list[str], marks: dict[int, str]) -> tuple[list[str], dict[int, str]]:
    written = in_figures([form.replace(POINT, ".") for form in forms])
    if len(written) != len(forms):
        # Positions move where several words make one number; a mark moves with its word.
        moved: dict[int, str] = {}
        position = 0
        for index, word in enumerate(written):
            if position in marks:
                moved[index] = marks[position]
            position += word.length
        marks = moved
    for index, word in enumerate(written):
        if word.spelled:
            marks[index] = "numeral"
    return [word.word for word in written], marks


_EXPANDED = _WHOLE | {
    word.replace("'", ""): _WHOLE.get(word.replace("'", _APOSTROPHE)) or _parts(word.replace("'", _APOSTROPHE))
    for word in _WITHOUT_APOSTROPHE.split()
}
