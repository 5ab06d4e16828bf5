"""Single tokens in, as others have parted them; what they are, and how two of them are one word, out.

Built on the words that paraphrase types compare (`metrics.types.words`); added is what stands in given tokens and not
in words: punctuation, halves of contractions, abbreviations, and the ways in which a treebank writes a mark.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

from paraloom.metrics.types.alignment import is_derived, is_form, is_spelled_alike
from paraloom.metrics.types.words import Word, word_of

Kind = Literal["same", "equal", "form", "spelled", "derived"]

PLAIN_MARKS = {
    "``": '"',
    "''": '"',
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "`": "'",
    "‘": "'",
    "’": "'",
    "--": "-",
    "–": "-",
    "—": "-",
    "‑": "-",
    "…": "...",
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
"""What the tokenisers of treebanks, or typographers, write for a mark, and the mark."""

LONGEST_COMPARED = 64
"""Characters of a token that are looked at: a link says no more than its beginning does."""

_EQUAL = """
not n't
will 'll wo
have 've
can ca
are 're
am 'm
percent % pct
dollar dollars $ us$
euro euros €
pound pounds £
and & +
mister mr
doctor dr
saint st
senator sen
governor gov
general gen
lieutenant lt
representative rep
professor prof
company co
corporation corp
incorporated inc
limited ltd
versus vs
number no
january jan
february feb
march mar
april apr
august aug
september sept sep
october oct
november nov
december dec
monday mon
tuesday tue tues
wednesday wed
thursday thu thurs
friday fri
television tv
kilometres kilometers km
people persons
someone somebody
everyone everybody
anyone anybody
over more above
under less below
about around approximately roughly nearly almost
because since as
but however though although yet
while whereas
also too
until till
into in
onto on
upon on
amid amidst
among amongst
toward towards
"""
"""Words that stand for each other, a set a line, as far as lists of synonyms leave them out."""

_EQUALS = frozenset(pair for line in _EQUAL.split("\n") for pair in combinations(line.split(), 2))
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token of a text."""

    word: Word
    key: str
    """Equal for tokens that are the same but for case, dots, dashes and the form of quotes."""
    bare: str
    """Letters and digits alone: what compounds are compared by."""
    is_mark: bool
    """Punctuation: it has neither letter nor digit."""
    is_capital: bool

    @property
    def is_content(self) -> bool:
        return self.word.is_content and not self.is_mark


@lru_cache(maxsize=1 << 16)
def read_token(text: str) -> Token:
    """What is to be known of one token.

    >>> [read_token(one).key for one in ("U.S.", "US", "us", "``", "Twenty", "1,000")]
    ['us.', 'us.', 'us', '"', '20', '1000']
    """
    text = PLAIN_MARKS.get(text, text)[:LONGEST_COMPARED]
    word = word_of(text)
    is_mark = not any(character.isalnum() for character in text)
    letters = text.replace(".", "")
    is_acronym = len(letters) > 1 and letters.isupper() and (letters == text or bool(_DOTTED.fullmatch(text)))
    plain = letters.lower() if is_acronym else word.plain
    if is_acronym and not word_of(plain).is_content:
        plain += "."  # US is not us
    elif len(plain) > 1:
        plain = plain.removesuffix(".")
    return Token(
        word=word,
        key=text if is_mark else plain,
        bare="".join(character for character in text.lower() if character.isalnum()),
        is_mark=is_mark,
        is_capital=text.lstrip("#@")[:1].isupper(),
    )


@lru_cache(maxsize=1 << 18)
def kinship(left: str, right: str) -> Kind | None:
    """How two tokens are one word by their letters alone.

    >>> kinship("Storm", "storm"), kinship("n't", "not"), kinship("went", "goes"), kinship("exchanging", "exchange")
    ('same', 'equal', 'form', 'form')
    >>> kinship("Schueller", "Shueller"), kinship("economy", "economics"), kinship("cat", "dog")
    ('spelled', 'derived', None)
    """
    one, other = read_token(left), read_token(right)
    if one.key == other.key:
        return "same"
    if (one.key, other.key) in _EQUALS or (other.key, one.key) in _EQUALS:
        return "equal"
    if one.is_mark or other.is_mark:
        return None
    if is_form(one.word, other.word) and "us." not in (one.key, other.key):
        return "form"
    if not (one.is_content and other.is_content):
        return None
    if is_spelled_alike(one.word, other.word):
        return "spelled"
    return "derived" if is_derived(one.word, other.word) else None
