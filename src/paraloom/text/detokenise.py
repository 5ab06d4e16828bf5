"""Tokens with blanks between them in, the text as a person would have typed it out.

Many corpora were released as tokenisers left them: `do n't go , he said .` A model that writes should not learn to
write so. What is not tokenised stays as it is, but for a blank before a stop, which no careful writer puts there.
Where a blank may be somebody's own (`the # of cases`), it goes only if the text has others of a tokeniser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

_APOSTROPHE = "['’]"
_MARKS = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
    "``": '"',
    "''": '"',
}
"""What the Treebank writes for brackets and quotes."""
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}
_CUT_IN_TWO = "gim me|gon na|got ta|lem me|wan na"


def detokenise(text: str, language: str = "en") -> str:
    """The text without the blanks that a tokeniser has put into it.

    Where the language is French, or not known (an empty one), blanks before ; : ! ? and % stay.

    >>> detokenise("It 's late , do n't go -LRB- he said -RRB- .")
    "It's late, don't go (he said)."
    >>> detokenise('they call it " home " , for $ 5 # cheap')
    'they call it "home", for $5 #cheap'
    """
    if " " not in text.strip():
        return " ".join(text.split())
    given = text = " ".join(text.split())
    for rule, to in _rules(language):
        text = rule.sub(to, text)
    text = _with_quotes_closed(" ".join(text.split()))
    return text if text == given else _PARTED_HASH.sub("#", text)


_Replacement = str | Callable[[re.Match[str]], str]


@cache
def _rules(language: str) -> tuple[tuple[re.Pattern[str], _Replacement], ...]:
    may_be_french = language in ("fr", "")  # which sets a blank before ; : ! ? and %
    stops, before_a_blank = (r"[.,…]|\.{2,}", ",") if may_be_french else (r"[.,…%]|\.{2,}|[!?]+", "[;:]")
    rules: list[tuple[str, _Replacement]] = [
        (r"& ?(" + "|".join(_ENTITIES) + r") ?;", lambda found: _ENTITIES[found[1]]),
        (r"(?i)(?<!\S)(-[lr][rsc]b-|``|'')(?!\S)", lambda found: _MARKS[found[1].lower()]),
        (rf"(?i)(?<=\w) (n{_APOSTROPHE}t|{_APOSTROPHE}(?:s|re|ve|ll|d|m))(?!\w)", r"\1"),
        (rf"(?i)(?<=\w) ({_APOSTROPHE}) (?=(?:s|t|re|ve|ll|d|m)(?!\w))", r"\1"),
        (rf"(?i)\b({_CUT_IN_TWO})\b", lambda found: found[1].replace(" ", "")),
        (r"(?<!\S)([([{]) (?=\S)", r"\1"),  # not the mouth of :(
        (r"(?<=\S) (?=[)\]}](?!\S))", ""),
        (rf"(?<=\S) (?=(?:{stops})(?: |$|[\"”’')\]}}.!?]))", ""),
        (rf"(?<=\S) (?={before_a_blank}(?: |$))", ""),  # not the eyes of :) and ;)
        (r"(?<!\S)([$£€]) (?=[.\d])", r"\1"),
    ]
    return tuple((re.compile(rule), to) for rule, to in rules)


_PARTED_HASH = re.compile(r"(?<!\S)# (?=\w)(?!of\b)")
_LONE_QUOTES = {quote: re.compile(rf"(?<!\S){quote}(?=\s|$|[.,;:!?)\]}}…])") for quote in ('"', "'")}
"""A quote that stands alone, or with the stop behind it that has lost its blank."""


def _with_quotes_closed(text: str) -> str:
    """Quotes that stand alone by twos are put at what they enclose; one that has no second stays where it is."""
    for quote, rule in _LONE_QUOTES.items():
        lone = [found.start() for found in rule.finditer(text)]
        others = text.count('"') - len(lone) if quote == '"' else 0  # apostrophes are everywhere
        if lone and not others and not len(lone) % 2:
            cut = {start + 1 for start in lone[::2]} | {start - 1 for start in lone[1::2]}
            text = "".join(letter for place, letter in enumerate(text) if not (place in cut and letter == " "))
    return text
