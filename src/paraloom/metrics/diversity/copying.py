"""A source and an output in; out comes whether the output is the source again, and how many of a system's outputs are.

The diversity scale of Dou et al. (2022, figure 14) gives a 1 where the source is copied completely, and ignores letter
case and punctuation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import eq

from paraloom.metrics.diversity.source_against_output import mean_over_pairs
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured
from paraloom.text.normalise import bare, repair

_SPLIT_AMPERSAND = re.compile(r"& ?amp ?;")
"""As a tokeniser leaves what was escaped for HTML."""
RULES = 2
"""Number of the set of rules, for the signature: a change of theirs changes values."""

POINT = "ꞏ"
"""A letter to Unicode, so that it outlives the removal of punctuation: "1.5" must not be "15"."""
SIGN = "ꟷ"
"""Another, before the name of a sign that is no punctuation: "$5" is not "£5"."""
_CURRENCY = "$¢£¤¥฿৳﷼₠-\u20cf＄￠￡￥￦"
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{2,3})*,\d{3}(?![\d,])")
"""Commas that part a number's thousands say nothing; any other within digits is a decimal one, or parts a list."""
_POINT_FIRST = re.compile(r"(?<![\w.])\.(?=\d)")
_POINT_WITHIN = re.compile(r"(?<=\d)[.,](?=\d)")
_MINUS = re.compile(rf"(?<![^\s(\[\"'“‘])(?<!\d\s)[-−–](?=[{_CURRENCY}]?[.,]?\d)")
"""A hyphen before a number that does not belong to the word or number before it."""
_AMOUNT = re.compile(rf"[{_CURRENCY}](?=\s?[.,]?\d)|(?<=\d)\s?[{_CURRENCY}%％‰]")
_IN_A_NAME = re.compile(r"(?<=\w)\++(?![^\W\d_])|(?<=[^\W\d_])#(?!\w)")
"""As in "C++", "C#", "18+"."""


def wording(text: str) -> str:
    """The words of a text with nothing around them: what two texts must share for one to be a copy of the other.

    As `bare` of `paraloom.text.normalise`, but entities are decoded, and what makes another number or name is kept:
    decimal points, the minus, currencies and per cent, the signs of "C++". A text of nothing but punctuation, symbols
    and emoji is its own wording.

    >>> wording("The U.S. won – 1.5 &amp; counting!") == wording("the us WON 1.5 counting")
    True
    >>> wording("It rose by 1.5 points") == wording("It rose by 15 points")
    False
    >>> wording("They paid $5,000") == wording("they paid £5000"), wording("-5 °C") == wording("5 °C")
    (False, False)
    """
    if "&" in text:
        text = repair(_SPLIT_AMPERSAND.sub("&", text))
    return bare(_with_signs_named(text)) or " ".join(text.split())


def _with_signs_named(text: str) -> str:
    """The same text, where signs that are no punctuation are letters."""
    if "," in text:
        text = _GROUPED.sub(lambda number: number[0].replace(",", ""), text)
    if "." in text or "," in text:
        text = _POINT_WITHIN.sub(POINT, _POINT_FIRST.sub("0" + POINT, text))
    if "+" in text or "#" in text:
        text = _IN_A_NAME.sub(lambda signs: "".join(map(_named, signs[0])), text)
    text = _MINUS.sub(_named("−"), text)
    return _AMOUNT.sub(lambda sign: f" {_named(sign[0].strip())} ", text)


@cache
def _named(sign: str) -> str:
    """The sign as letters.

    >>> _named("$")
    'ꟷdollarsign'
    """
    name = unicodedata.name(unicodedata.normalize("NFKC", sign)[0], "")
    return SIGN + "".join(letter for letter in name.lower() if letter.isalpha())


def is_copy(source: str, output: str, *, exact: bool = False) -> bool:
    """Whether an output is its source, once case, punctuation and symbols are ignored; `exact`: as it stands.

    >>> is_copy("How beautiful it is .", "how beautiful it is!"), is_copy("How beautiful it is .", "How it is")
    (True, False)
    >>> is_copy("So it is", "so it is", exact=True)
    False
    """
    return source == output if exact else wording(source) == wording(output)


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyRate:
    """Share of the outputs that copy their source (Dou et al., 2022, figure 14, score 1)."""

    exact: bool = False
    """Only what is the same to the last character counts, under the name `exact-copy-rate`."""

    @property
    def name(self) -> str:
        """`copy-rate`, or `exact-copy-rate`."""
        return "exact-copy-rate" if self.exact else "copy-rate"

    @property
    def better(self) -> Better:
        """Lower: a copy is no paraphrase."""
        return "lower"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Measure outputs against these sources; references are not looked at."""
        read: Callable[[str], str] = str if self.exact else wording
        settings = (
            {"case": "mixed", "punctuation": "kept"}
            if self.exact
            else {"case": "lc", "punctuation": "ignored", "rules": RULES}
        )
        return mean_over_pairs(self, evaluation_set, read=read, score=eq, settings=settings)
