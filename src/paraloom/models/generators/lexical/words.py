"""A text in, its words out: each with the space before it, and whether it may be touched.

Never touched are names, numbers, links, mentions, hashtags, quoted text and words of negation. What cannot be told
from a name is taken for one: in a text of headline capitals nothing may be touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from paraloom.text.tokenise import tokenise

_NEGATIONS = """
    not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely unless except lack
    aint arent cant couldnt didnt doesnt dont hadnt hasnt havent isnt shouldnt wasnt werent wont wouldnt
"""
NEGATIONS = frozenset(_NEGATIONS.split())
_NUMBERS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million
    millions billion billions trillion dozen dozens half quarter third first second fourth fifth sixth seventh eighth
    ninth tenth once twice double triple percent per single only least most
"""
NUMBERS = frozenset(_NUMBERS.split())
_CALENDAR = """
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december today tomorrow yesterday tonight noon midnight am pm
"""
CALENDAR = frozenset(_CALENDAR.split())
_PLAIN = re.compile(r"[A-Za-z]+(?:[-'’][A-Za-z]+)*")
_OPENING, _CLOSING = "“„«‘", "”“»’"
_HEADLINE = 0.6
"""From this share of capitalised words on, capitals tell no name."""


class Word(NamedTuple):
    """One word or mark of a text."""

    text: str
    lower: str
    before: str
    """The white space before it."""
    is_kept: bool
    """Whether it must stand in every paraphrase as it is."""
    is_name: bool
    """Whether it is taken for a name or a number: an inner capital, a digit, a link, a tag."""


def read_words(text: str) -> list[Word]:
    """The words of a text in order; joined with the space before each they are the text, but for space at its end.

    >>> [word.text for word in read_words('Later Ann did not say "big storm" in 2019.') if not word.is_kept]
    ['Later', 'did', 'say', 'in']
    """
    tokens = tokenise(text)
    quoted = _quoted(tokens)
    starts = _sentence_starts(tokens)
    headline = _is_headline(tokens, starts)
    words, place = [], 0
    for number, token in enumerate(tokens):
        begins = text.index(token, place)
        lower = token.lower().replace("’", "'")
        is_name = _is_name(token, number in starts) or (headline and token[0].isalpha())
        is_kept = is_name or quoted[number] or not _PLAIN.fullmatch(token) or _is_fixed(lower)
        words.append(Word(token, lower, text[place:begins], is_kept, is_name))
        place = begins + len(token)
    return words


def joined(words: Sequence[tuple[str, str]]) -> str:
    """The text of words, each given with the space before it."""
    return "".join(before + word for before, word in words)


def _is_fixed(lower: str) -> bool:
    bare = lower.replace("'", "")
    return lower.endswith("n't") or bare in NEGATIONS or bare in NUMBERS or bare in CALENDAR


def _is_name(token: str, begins: bool) -> bool:
    """Whether a token has a capital that no start of a sentence explains, or something that is no letter."""
    if token == "I" or token.startswith(("I'", "I’")):
        return False
    if not token[0].isalpha():
        return len(token) > 1 or token.isdigit()
    has_inner_capital = len(token) > 1 and not token[1:].replace("’", "'").islower()
    return has_inner_capital or (token[0].isupper() and not begins)


def _sentence_starts(tokens: Sequence[str]) -> set[int]:
    """Where a capital tells nothing: at the start, after a full stop, after an opening mark."""
    starts, open_start = set(), True
    for number, token in enumerate(tokens):
        if token[0].isalpha():
            if open_start:
                starts.add(number)
            open_start = False
        else:
            open_start = open_start or token[0] in ".!?…:\"“‘'([—-@#"
    return starts


def _is_headline(tokens: Sequence[str], starts: set[int]) -> bool:
    inner = [token for number, token in enumerate(tokens) if token[0].isalpha() and number not in starts]
    capitals = sum(token[0].isupper() for token in inner)
    return len(inner) >= 3 and capitals > _HEADLINE * len(inner)


def _quoted(tokens: Sequence[str]) -> list[bool]:
    """For each token whether it stands between quotation marks; after a mark that is never closed all does."""
    inside, result = "", []
    singles = sum(token == "'" for token in tokens)
    for number, token in enumerate(tokens):
        if inside:
            result.append(True)
            if token in inside:
                inside = ""
            continue
        opens = token == '"' or token in _OPENING or (token == "'" and singles > 1) or token in ("``", "`")
        if opens:
            inside = _closing(token) if _closes_later(tokens[number + 1 :], _closing(token)) or token != "‘" else ""
        result.append(opens)
    return result


def _closing(token: str) -> str:
    return _CLOSING[_OPENING.index(token)] if token in _OPENING else token


def _closes_later(tokens: Sequence[str], mark: str) -> bool:
    return any(token == mark for token in tokens)


def article_for(word: str) -> str:
    """ "a" or "an", by the sound a word begins with.

    >>> [article_for(word) for word in ("storm", "apple", "hour", "university", "one-off", "uncle", "European")]
    ['a', 'an', 'an', 'a', 'a', 'an', 'a']
    """
    lower = word.lower()
    if lower.startswith(("hour", "honest", "honour", "honor", "heir")):
        return "an"
    if re.match(r"eu|ew|one\b|once\b|one-|uni([^nm]|$)|u[bcfhjkqrst][aeiou]|ubiq", lower):
        return "a"
    return "an" if lower[:1] in ("a", "e", "i", "o", "u") else "a"


def mend_articles(words: Sequence[tuple[str, str]], changed: Sequence[bool]) -> Iterator[tuple[str, str]]:
    """The same words, "a" and "an" put right where the word behind them was changed."""
    for number, (before, word) in enumerate(words):
        follows = number + 1 < len(words) and changed[number + 1]
        if follows and word.lower() in ("a", "an"):
            mended = article_for(words[number + 1][1])
            word = mended.capitalize() if word[0].isupper() else mended
        yield before, word
