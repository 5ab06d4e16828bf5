"""Two phrases in, what their spelling alone says of them out: numbers that a ranking can learn to weigh.

All are the same in either order, so that a pair is measured once for both of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import JaroWinkler, Levenshtein

from paraloom.text.function_words import function_words
from paraloom.text.lemmas import lemmatise

NEGATIONS = frozenset(
    {"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without"}
    | {"cannot", "cant", "didnt", "dont", "wont"}
)
"""Words that turn a phrase into its opposite where only one of two has them."""
_KNOWN = 1 << 17


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainMeasures:
    """What spelling says of two phrases."""

    edit_similarity: float
    """1 less the edits from one to the other, as a share of the longer one's characters."""
    jaro_winkler: float
    """Of the characters, with weight on how they begin (Winkler, 1990)."""
    trigrams: float
    """Dice's coefficient of the sets of three characters, blanks at the edges among them."""
    words: float
    """Words in common, as a share of all."""
    lemmas: float
    """The same of their lemmas, so that `storms` and `storm` are one."""
    content: float
    """Lemmas in common but function words, as a share of all such; of two phrases without one, 1."""
    is_inside: float
    """1 where one is the other with more words."""
    same_first: float
    same_last: float
    shorter_words: float
    longer_words: float
    shorter_letters: float
    length_ratio: float
    """Characters of the shorter one over those of the longer one."""
    functions: float
    """Function words, as a share of the words of both."""
    lost_functions: float
    """How many more of them one has than the other."""
    negated: float
    """1 where only one is negated."""
    numbers: float
    """1 where they have different numbers."""
    marks: float
    """1 where they have different punctuation or signs."""


NAMES = tuple(field.name for field in fields(PlainMeasures))


@dataclass(frozen=True, slots=True)
class _Phrase:
    words: tuple[str, ...]
    lemmas: frozenset[str]
    content: frozenset[str]
    trigrams: frozenset[str]
    functions: int
    is_negated: bool
    numbers: frozenset[str]
    marks: frozenset[str]


@lru_cache(maxsize=_KNOWN)
def _read(phrase: str, language: str) -> _Phrase:
    trivial = function_words(language)
    words = tuple(phrase.split())
    lemmas = lemmatise(words)
    return _Phrase(
        words=words,
        lemmas=frozenset(lemmas),
        content=frozenset(
            lemma for word, lemma in zip(words, lemmas, strict=True) if word not in trivial and _is_word(word)
        ),
        trigrams=frozenset(f" {phrase} "[place : place + 3] for place in range(len(phrase))),
        functions=sum(word in trivial for word in words),
        is_negated=any(word in NEGATIONS or word.endswith(("n't", "n’t")) for word in words),
        numbers=frozenset(word for word in words if any(letter.isdigit() for letter in word)),
        marks=frozenset(word for word in words if not _is_word(word)),
    )


def _is_word(word: str) -> bool:
    return any(letter.isalnum() for letter in word)


def plain_measures(left: str, right: str, language: str = "en") -> PlainMeasures:
    """Of two phrases as the table has them: lower case, words with a blank between.

    >>> measured = plain_measures("the storm hit", "the storms struck")
    >>> measured.words, measured.lemmas, measured.same_first, measured.negated
    (0.2, 0.5, 1.0, 0.0)
    """
    one, other = _read(left, language), _read(right, language)
    counts = sorted((len(one.words), len(other.words)))
    lengths = sorted((len(left), len(right)))
    both = frozenset(one.words), frozenset(other.words)
    return PlainMeasures(
        edit_similarity=Levenshtein.normalized_similarity(left, right),
        # Jaro's transpositions are counted from one side: sorted, so that the order of the two does not matter.
        jaro_winkler=JaroWinkler.normalized_similarity(*sorted((left, right))),
        trigrams=2 * len(one.trigrams & other.trigrams) / max(len(one.trigrams) + len(other.trigrams), 1),
        words=_shared(*both),
        lemmas=_shared(one.lemmas, other.lemmas),
        content=_shared(one.content, other.content),
        is_inside=float(both[0] <= both[1] or both[1] <= both[0]),
        same_first=float(one.words[:1] == other.words[:1]),
        same_last=float(one.words[-1:] == other.words[-1:]),
        shorter_words=float(counts[0]),
        longer_words=float(counts[1]),
        shorter_letters=float(lengths[0]),
        length_ratio=lengths[0] / max(lengths[1], 1),
        functions=(one.functions + other.functions) / max(sum(counts), 1),
        lost_functions=float(abs(one.functions - other.functions)),
        negated=float(one.is_negated != other.is_negated),
        numbers=float(one.numbers != other.numbers),
        marks=float(one.marks != other.marks),
    )


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0


def measured(pairs: Iterable[tuple[str, str]], language: str = "en") -> NDArray[np.float64]:
    """One row a pair, with the columns `NAMES`."""
    rows = [astuple(plain_measures(left, right, language)) for left, right in pairs]
    return np.array(rows, np.float64).reshape(-1, len(NAMES))


def without_shared(left: str, right: str) -> tuple[str, str]:
    """Either phrase without the words that the other one has too; as it is where nothing would be left of it.

    >>> without_shared("the storm hit", "the storm struck"), without_shared("storm", "the storm")
    (('hit', 'struck'), ('storm', 'the'))
    """
    one, other = left.split(), right.split()
    return _less(left, one, set(other)), _less(right, other, set(one))


def _less(phrase: str, words: Sequence[str], shared: set[str]) -> str:
    return " ".join(word for word in words if word not in shared) or phrase
