"""Tokens of a text in, the words in which paraphrase phenomena are looked for out: what each is, and which are names.

Punctuation, emoji and links are no words. A word is read as aligners read tokens (`models.aligners.lexical_words`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from paraloom.metrics.types.spans import PRONOUNS
from paraloom.metrics.types.words import Word, listed
from paraloom.models.aligners.lexical_words import PLAIN_MARKS, read_token
from paraloom.text.abbreviations import TITLES
from paraloom.text.patterns import LINK

IsName = Callable[[str], bool]

ALL_PRONOUNS = (PRONOUNS - listed("this that these those")) | listed(
    "his hers its their theirs our ours my mine your yours himself herself itself themselves ourselves who whom whose "
    "one someone everyone"
)
"""What may stand for a name; `this` and `that` mostly stand before a word, or begin a clause."""
ARTICLES = listed("the a an")
POINTING = ARTICLES | listed("this that these those his her its their our my your")
"""What a description of something known begins with: "the company", "his wife"."""
CASED_SHARE = 0.6
"""Where more of the words of content begin with a capital, as in headlines, capitals say nothing of names."""

_PARTING = listed(', . ; : ! ? ( ) [ ] " ... | / -')
_LINK = re.compile(LINK)
_DATES = listed(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one text."""

    words: tuple[Word, ...]
    places: tuple[int, ...]
    """The place of each word among the tokens."""
    names: frozenset[int]
    """Numbers of the words that are part of somebody's or something's name."""

    def __len__(self) -> int:
        return len(self.words)


def words_of_tokens(tokens: Sequence[str], is_known_name: IsName | None = None) -> Words:
    """The words among tokens; `is_known_name` is asked of lower-cased words where letter case does not tell.

    >>> found = words_of_tokens("Storms hit Florida , @weather says".split())
    >>> [word.plain for word in found.words], sorted(found.names)
    (['storms', 'hit', 'florida', 'weather', 'says'], [2, 3])
    """
    words: list[Word] = []
    places: list[int] = []
    after_mark = False
    for place, token in enumerate(tokens):
        if is_mark(token):
            after_mark |= PLAIN_MARKS.get(token, token) in _PARTING
        else:
            words.append(replace(read_token(token).word, after_mark=after_mark))
            places.append(place)
            after_mark = False
    return Words(words=tuple(words), places=tuple(places), names=_names(words, is_known_name))


def is_mark(token: str) -> bool:
    """Whether a token is no word: punctuation, an emoji, a link.

    >>> [is_mark(token) for token in ("...", "https://example.org/a", "%", "3rd")]
    [True, True, False, False]
    """
    return (read_token(token).is_mark and token != "%") or _LINK.fullmatch(token) is not None


def _names(words: Sequence[Word], is_known_name: IsName | None) -> frozenset[int]:
    content = [place for place, word in enumerate(words) if word.is_content and not word.is_number]
    capital = [place for place in content if words[place].text.lstrip("#@")[:1].isupper()]
    mentions = {place for place in content if is_mention(words[place].text)}
    tells = 0 < len(capital) <= CASED_SHARE * len(content)
    if tells:
        inside = {place for place in capital if place > 0}
        known = inside | ({0} & set(capital) if 1 in inside else set())  # the first word has a capital anyway
    elif is_known_name is not None:
        known = {place for place in content if is_known_name(words[place].plain)}
    else:
        known = set()
    return frozenset(place for place in known | mentions if words[place].lemma not in _DATES)


def is_mention(token: str) -> bool:
    """Whether it names an account.

    >>> is_mention("@ann"), is_mention("@")
    (True, False)
    """
    return len(token) > 1 and token[0] in "@＠"


def is_title(word: Word) -> bool:
    """Whether it stands before a name.

    >>> is_title(read_token("Mr.").word), is_title(read_token("storm").word)
    (True, False)
    """
    return word.plain.removesuffix(".") in TITLES or word.plain in _OFFICES


_OFFICES = listed("president senator governor minister judge coach king queen prince princess pope miss sir ms mrs mr")
