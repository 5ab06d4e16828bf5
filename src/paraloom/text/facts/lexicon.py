"""A word in; out come its plain form, how it is capitalised, and whether it is an everyday word."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from paraloom.text.facts.tables import NAMES_ALSO_WORDS, NO_NAMES, SAME, SHORT_DATES, TITLES
from paraloom.text.function_words import function_words
from paraloom.text.lemmas import has_lemmas

if TYPE_CHECKING:
    from collections.abc import Mapping

Shape = Literal["lower", "capital", "upper", "mixed"]

_ELISION = re.compile(r"^(?:[dlnjmtsc]|qu)['’](?=\w{2})")
_POSSESSIVE = re.compile(r"(?:['’ʼ]s|(?<=s)['’ʼ])$", re.IGNORECASE)
_CONTRACTION = re.compile(r"(?:n['’ʼ]t|['’ʼ](?:re|ve|ll|d|m|t|em|all))$", re.IGNORECASE)
_DOMAIN_END = re.compile(r"\.(?:com|org|net|gov|edu|io|co|uk|tv)$")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s")
_INNER_MARKS = re.compile(r"[-'’ʼ&.]")
_DRAWN_OUT = "hkyuwoai"
"""Letters that no name ends in twice."""
_LAUGHS = ("lmao", "lmfao", "hahah", "omgg", "yess", "nooo", "sooo")
_FLOOD = re.compile(r"(.)\1\1")
CAPITAL_NOUNS = frozenset(("de", "lb"))
"""Languages that write every noun with a capital."""


class Word(NamedTuple):
    """What there is to know of a word without its sentence."""

    form: str
    """Lower case, without accents, stops and possessive."""
    root: str
    """The same without the ending of a plural, and one for all that are the same: Russia, Russian."""
    shape: Shape
    everyday: bool
    """In a dictionary with a small letter, a word of grammar, or slang: where a capital says nothing, it is no name."""
    proper: bool
    """In the dictionary with a capital letter alone, so that it is a name even without one."""
    grammar: bool
    """A word of grammar, slang or a title: never a name."""
    title: bool
    possessive: bool
    known: bool
    """A word of grammar or one that the dictionary has in any case."""
    figures: bool
    """There are digits in it."""


@lru_cache(maxsize=1 << 17)
def look_up(text: str, language: str = "en") -> Word:
    """A word by itself.

    >>> look_up("Trump’s").form, look_up("U.S.").form, look_up("Zoë").form
    ('trump', 'us', 'zoe')
    >>> look_up("Storms").everyday, look_up("Biden").everyday, look_up("obama").proper
    (True, False, True)
    """
    bare = _POSSESSIVE.sub("", text)
    possessive = len(bare) < len(text)
    contracted = _CONTRACTION.search(bare) is not None
    if language in ("fr", "it", "ca"):
        bare = _ELISION.sub("", bare)
    bare = bare.replace(".", "") if _is_dotted(bare) else _DOMAIN_END.sub("", bare)
    if _PLURAL_ACRONYM.fullmatch(bare):
        bare = bare[:-1]
    form = _INNER_MARKS.sub("", folded(bare))
    title = form in TITLES
    grammar = contracted or title or form in NO_NAMES or form.startswith(_LAUGHS) or form in function_words(language)
    if len(form) > 3 and form[-1] == form[-2] and not grammar:
        grammar = form.rstrip(form[-1]) + form[-1] in NO_NAMES  # "nahhh"
    everyday = grammar or (form not in NAMES_ALSO_WORDS and _is_everyday(bare, language))
    proper = not everyday and _is_proper(bare, language)
    known = everyday or is_known(bare.lower(), language)
    figures = any(letter.isdigit() for letter in form)
    return Word(form, root_of(form), _shape(bare), everyday, proper, grammar, title, possessive, known, figures)


def _is_dotted(word: str) -> bool:
    return len(word) > 2 and word[1] == "."


def folded(text: str) -> str:
    """Lower case, compatibility forms and accents gone.

    >>> folded("İstanbul"), folded("Ｚürich")
    ('istanbul', 'zurich')
    """
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def root_of(form: str) -> str:
    """A folded word without its plural ending, or the name that it is the same as.

    >>> root_of("russians") == root_of("russia"), root_of("french") == root_of("france"), root_of("blairs")
    (True, True, 'blair')
    >>> root_of("india") == root_of("indiana"), root_of("julia") == root_of("julian")
    (False, False)
    """
    form = SHORT_DATES.get(form, form)
    if form not in SAME and len(form) > 2 and form[-1] == "s" and form[-2] != "s":
        form = form[:-1]
    return SAME.get(form, form)


def _shape(bare: str) -> Shape:
    if bare.islower() or not bare[:1].isalpha():
        return "lower" if not any(letter.isupper() for letter in bare) else "mixed"
    if len(bare) > 1 and bare.isupper():
        return "upper"
    if bare[0].isupper() and not any(letter.isupper() for letter in bare[1:]):
        return "capital"
    if not any(letter.isupper() for letter in bare):
        return "lower"  # a script without cases
    return "mixed"


def _is_everyday(bare: str, language: str) -> bool:
    entries = _dictionary(language)
    if entries is None or len(bare) > 50:
        return False
    lower = bare.lower()
    lemma = _entry(entries, lower)
    if lemma is not None and lemma[:1].islower():
        return True
    if language in CAPITAL_NOUNS and _entry(entries, bare) is not None:
        return True  # a noun, most likely: every one has a capital
    if _entry(entries, lower.capitalize()) is not None or lemma is not None:
        return False
    if (
        len(lower) > 3
        and lower[-1] == lower[-2]
        and lower[-1] in _DRAWN_OUT
        and _entry(entries, lower[:-1]) is not None
    ):
        return True  # a last letter drawn out
    return _FLOOD.search(lower) is not None or _is_compound(entries, lower)


def _is_compound(entries: Mapping[str, str], lower: str) -> bool:
    """Two everyday words written as one: "cyberattack"."""
    return any(
        (head := _entry(entries, lower[:cut])) is not None
        and head[:1].islower()
        and (tail := _entry(entries, lower[cut:])) is not None
        and tail[:1].islower()
        for cut in range(4, len(lower) - 3)
    )


def _is_proper(bare: str, language: str) -> bool:
    entries = _dictionary(language)
    if entries is None or not 3 <= len(bare) <= 50:
        return False
    lower = bare.lower()
    lemma = _entry(entries, lower) or _entry(entries, lower.capitalize())
    return lemma is not None and (lemma[:1].isupper() or lower in NAMES_ALSO_WORDS)


def is_acronym(form: str, language: str = "en") -> bool:
    """Whether the dictionary has it in capitals.

    >>> is_acronym("us"), is_acronym("the")
    (True, False)
    """
    entries = _dictionary(language)
    return entries is not None and _entry(entries, form.upper()) == form.upper()


def is_known(form: str, language: str = "en") -> bool:
    """Whether the dictionary has it in any case; whatever language it is, one with no dictionary knows no word."""
    entries = _dictionary(language)
    if entries is None:
        return False
    return _entry(entries, form) is not None or _entry(entries, form.capitalize()) is not None


def _entry(entries: Mapping[str, str], word: str) -> str | None:
    try:
        return entries.get(word)
    except UnicodeEncodeError:  # a lone surrogate, which no dictionary has
        return None


@cache
def _dictionary(language: str) -> Mapping[str, str] | None:
    """Read at the first look-up, which takes some tenths of a second."""
    if not has_lemmas(language):
        return None
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    return DefaultDictionaryFactory().get_dictionary(language)
