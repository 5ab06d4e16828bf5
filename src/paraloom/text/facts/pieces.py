"""A text in; out come its words, numbers, links, tags and marks, each with its place."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from paraloom.text.facts.lexicon import look_up
from paraloom.text.patterns import EMAIL, FULL_LINK, HASHTAG, MENTION, SHORT_LINK, WORD_CHARACTER

CURRENCIES = "$€£¥₹₩₽₺₦₪฿₴₿"


class Piece(NamedTuple):
    """A word, a number, a link, a tag or a mark of a text."""

    kind: str
    """`word`, `number`, `url`, `hashtag` (of a share too: $ABC), `mention` or `mark`."""
    text: str
    start: int
    end: int


@cache
def _piece() -> re.Pattern[str]:
    # Compiled at first use, since the large classes take time. Hyphens part words: "pro-Trump" has Trump in it.
    plain = r"[A-Za-z]+(?![^\s,!?;)\"”])"
    dotted = r"(?:[^\W\d_]\.){2,}(?:[^\W\d_](?![\w'’]))?"
    word = rf"(?:(?!\d){WORD_CHARACTER})(?:{WORD_CHARACTER})*(?:['’ʼ&](?:{WORD_CHARACTER})+){{0,4}}"
    code = r"(?:[A-Z][A-Za-z]*|covid)-\d+(?![\w]|[.,/:-]\d)"
    core = r"(?:\d{1,3}(?: , \d{3})+(?!\d)|\d+)(?:[.,:/]\d+|[-–]\d+(?![^\W\d_]))*"
    money = rf"(?:US|AU|NZ|HK|[CAS])?[{CURRENCIES}] ?"
    number = rf"(?:{money}|(?<!\w)[vV](?=\d))?(?:(?<![\d.])\.)?{core}(?:[^\W\d_]+|\s?[%‰％€£](?!\d))?"
    return re.compile(
        rf"(?P<word>{plain})|(?P<url>{FULL_LINK}|(?<![\w@./-]){SHORT_LINK})|(?P<mail>{EMAIL})|(?P<mention>{MENTION})"
        rf"|(?P<hashtag>{HASHTAG}|\$[A-Za-z]{{1,6}}(?![\w.]\w))|(?P<code>{code})|(?P<number>{number})|(?P<dotted>{dotted})|(?P<long>{word})|(?P<mark>\S)"
    )


_KINDS = {"mail": "url", "dotted": "word", "long": "word"}


def pieces_of(text: str) -> list[Piece]:
    """The pieces of a text in their order; white space is left out.

    >>> [(piece.kind, piece.text) for piece in pieces_of("@ann won $3.5M (8-0) in the U.S. #luck")]
    [('mention', '@ann'), ('word', 'won'), ('number', '$3.5M'), ('mark', '('), ('number', '8-0'), ('mark', ')'), \
('word', 'in'), ('word', 'the'), ('word', 'U.S.'), ('hashtag', '#luck')]
    >>> [piece.text for piece in pieces_of("COVID-19 is in the Top-10")]
    ['COVID-19', 'is', 'in', 'the', 'Top', '-', '10']
    """
    pieces: list[Piece] = []
    for found in _piece().finditer(text):
        kind = found.lastgroup or "mark"
        if kind == "code":
            pieces.extend(_code(found))
        else:
            pieces.append(Piece(_KINDS.get(kind, kind), found[0], found.start(), found.end()))
    return pieces


def _code(found: re.Match[str]) -> list[Piece]:
    """Letters, a hyphen, figures: one word if the letters are none ("COVID-19", "F-35"), three pieces if they are."""
    letters, figures = found[0].split("-")
    if len(letters) == 1 or letters == "covid" or not look_up(letters).everyday:
        return [Piece("word", found[0], found.start(), found.end())]
    hyphen = found.start() + len(letters)
    return [
        Piece("word", letters, found.start(), hyphen),
        Piece("mark", "-", hyphen, hyphen + 1),
        Piece("number", figures, hyphen + 1, found.end()),
    ]
