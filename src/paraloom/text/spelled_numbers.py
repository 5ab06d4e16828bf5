"""English words in, the same words out with numbers in figures: "twenty one" is "21", "fifth" is "5th"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple


def _numbered(words: str, values: range) -> dict[str, int]:
    return dict(zip(words.split(), values, strict=True))


_UNITS = _numbered(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
    range(20),
)
_TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", range(20, 100, 10))
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_ORDINALS = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth",
    range(1, 20),
)
_TENTHS = _numbered("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth", range(20, 100, 10))
_ORDINALS_BELOW_TEN = {word: value for word, value in _ORDINALS.items() if value < 10}
_MULTIPLIERS = (["hundred"], *([scale] for scale in _SCALES))
_FIGURES = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_ORDINAL_FIGURES = re.compile(r"([0-9]+)(?:st|nd|rd|th)")

SPELLED = frozenset(_UNITS) | frozenset(_TENS) | frozenset(_SCALES) | frozenset(_ORDINALS) | frozenset(_TENTHS)
"""Words that are numbers or end one; where a text has none of them and no figures, there is nothing to do."""


class Written(NamedTuple):
    """A word as it is compared, and whether it was spelled out where others write figures."""

    word: str
    spelled: bool = False
    length: int = 1
    """How many of the words given it stands for."""


def in_figures(words: list[str]) -> list[Written]:
    """Lower-cased words without hyphens, numbers in figures. An ordinal always ends in "th", so that "21st" has a twin.

    >>> [written.word for written in in_figures("twenty one of two hundred and five on the third".split())]
    ['21', 'of', '205', 'on', 'the', '3th']
    >>> [written.word for written in in_figures("3.5 million or a hundred or 1st".split())]
    ['3500000', 'or', '100', 'or', '1th']
    """
    written: list[Written] = []
    position = 0
    while position < len(words):
        word = words[position]
        found = _ordinal(words, position) or _cardinal(words, position)
        if found is None:
            written.append(Written(word))
            position += 1
            continue
        text, end = found
        written.append(Written(text, end - position > 1 or not word[0].isdigit(), end - position))
        position = end
    return written


def _ordinal(words: list[str], start: int) -> tuple[str, int] | None:
    word = words[start]
    after = words[start + 1] if start + 1 < len(words) else ""
    if word in _TENS and after in _ORDINALS_BELOW_TEN:
        return f"{_TENS[word] + _ORDINALS_BELOW_TEN[after]}th", start + 2
    if word in _ORDINALS or word in _TENTHS:
        return f"{_ORDINALS.get(word) or _TENTHS[word]}th", start + 1
    figures = _ORDINAL_FIGURES.fullmatch(word)
    return (f"{figures[1]}th", start + 1) if figures else None


def _cardinal(words: list[str], start: int) -> tuple[str, int] | None:
    total = Decimal(0)
    position, last_scale = start, 10**15
    while last_scale > 1:
        part = _part(words, position, first=position == start)
        if part is None or part[1] >= last_scale:
            break
        value, last_scale, position = part
        total += value * last_scale
    return (format(total.normalize(), "f"), position) if position > start else None


def _part(words: list[str], start: int, *, first: bool) -> tuple[Decimal, int, int] | None:
    """A number below a thousand, what it is to be multiplied by, and where both end."""
    if not first and words[start : start + 1] == ["and"]:
        behind = _below_a_hundred(words, start + 1)  # "a thousand and one", but not "a thousand and two hundred"
        if behind is None or words[behind[1] : behind[1] + 1] in _MULTIPLIERS:
            return None
        return Decimal(behind[0]), 1, behind[1]
    if first and start + 1 < len(words) and words[start + 1] in _SCALES and _FIGURES.fullmatch(words[start]):
        return Decimal(words[start]), _SCALES[words[start + 1]], start + 2
    small = _below_a_thousand(words, start)
    if small is None:
        return None
    value, end = small
    scale = _SCALES.get(words[end], 1) if end < len(words) else 1
    return Decimal(value), scale, end + (scale > 1)


def _below_a_thousand(words: list[str], start: int) -> tuple[int, int] | None:
    hundreds = _below_a_hundred(words, start)
    if hundreds is None or words[hundreds[1] : hundreds[1] + 1] != ["hundred"]:
        return hundreds
    end = hundreds[1] + 1
    rest = _below_a_hundred(words, end + (words[end : end + 1] == ["and"]))
    if rest is None or words[rest[1] : rest[1] + 1] == ["hundred"]:  # "five hundred and six hundred" are two
        return hundreds[0] * 100, end
    return hundreds[0] * 100 + rest[0], rest[1]


def _below_a_hundred(words: list[str], start: int) -> tuple[int, int] | None:
    word = words[start] if start < len(words) else ""
    if word in _UNITS:
        return _UNITS[word], start + 1
    if word in _TENS:
        unit = _UNITS.get(words[start + 1], 0) if start + 1 < len(words) else 0
        return (_TENS[word] + unit, start + 2) if 0 < unit < 10 else (_TENS[word], start + 1)
    if word in ("a", "an") and words[start + 1 : start + 2] in _MULTIPLIERS:
        return 1, start + 1
    return None
