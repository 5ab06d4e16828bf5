"""Two English words in; out comes whether one is the other in another number or tense.

Comparatives ("fast", "faster") and derived words ("economy", "economic") are other words: raters count them as more
than grammar (Dou et al., 2022, figure 14).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from paraloom.metrics.diversity.grammar.irregular_forms import noun_families, verb_families
from paraloom.metrics.diversity.grammar.regular_forms import with_ending, with_s
from paraloom.text.lemmas import lemmatise

Inflection = Literal["plural", "tense"]

NOT_INFLECTED = frozenset(
    {
        ("bee", "been"),
        ("cloth", "clothes"),
        ("even", "evening"),
        ("fee", "feed"),
        ("good", "goods"),
        ("need", "needing"),
        ("new", "news"),
        ("see", "seed"),
        ("too", "toos"),
        ("wed", "wedding"),
        ("wit", "witness"),
    }
)
"""Pairs that only look like a word and its inflected form."""

_COMPARED = frozenset(
    {"better", "best", "worse", "worst", "more", "most", "less", "least", "further", "farther", "elder", "eldest"}
)
_PERSONS = frozenset(
    {"i", "me", "mine", "we", "us", "ours", "you", "yours", "he", "him", "she", "hers", "they", "them", "theirs"}
)


@lru_cache(maxsize=1 << 16)
def inflection(left: str, right: str) -> Inflection | None:
    """How two lower-cased words differ if they are forms of one word: in number (or person), or in tense.

    >>> inflection("storm", "storms"), inflection("child", "children"), inflection("leave", "left")
    ('plural', 'plural', 'tense')
    >>> inflection("fast", "faster"), inflection("new", "news"), inflection("happy", "happily")
    (None, None, None)
    """
    if left == right or min(len(left), len(right)) < 2 or not (left.isalpha() and right.isalpha()):
        return None
    if {left, right} & (_COMPARED | _PERSONS) or (left, right) in NOT_INFLECTED or (right, left) in NOT_INFLECTED:
        return None
    if _share(noun_families(), left, right):
        return "plural"
    by_spelling = _by_spelling(left, right) or _by_spelling(right, left)
    if by_spelling:
        return by_spelling
    if _share(verb_families(), left, right):
        return "tense"
    return _by_dictionary(left, right)


def _share(families: dict[str, frozenset[str]], left: str, right: str) -> bool:
    of_left, of_right = families.get(left), families.get(right)
    return bool(of_left and of_right and of_left & of_right)


def _by_spelling(base: str, form: str) -> Inflection | None:
    """Whether the regular rules of spelling make `form` of `base`."""
    if base == "be" or len(form) <= len(base):
        return None
    if form in with_s(base):
        # Of words in -ic, many are adjectives, and -ics is another word: "economic", "economics". A dictionary knows.
        return None if base.endswith("ic") and _lemma(form) != base else "plural"
    if form in with_ending(base, "ed") or form in with_ending(base, "ing"):
        return "tense"
    return None


def _by_dictionary(left: str, right: str) -> Inflection | None:
    """Forms that are neither base nor regular of each other, such as "studies" and "studied", have one lemma."""
    lemma = _lemma(left)
    if lemma != _lemma(right) or _is_compared(left, lemma) or _is_compared(right, lemma):
        return None
    if lemma == "medium":  # "media" is hardly ever the plural
        return None
    return "plural" if {left, right} <= {lemma, *with_s(lemma)} else "tense"


def _is_compared(word: str, lemma: str) -> bool:
    return word != lemma and word.endswith(("er", "est"))


def _lemma(word: str) -> str:
    return lemmatise([word])[0].lower()
