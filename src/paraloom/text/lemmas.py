"""Tokens in, their dictionary forms out, for the fifty-odd languages simplemma knows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache


def lemmatise(tokens: Iterable[str], language: str = "en") -> list[str]:
    """The dictionary form of each token; in a language without a dictionary, the token itself.

    The first call for a language reads its dictionary (some tenths of a second); later ones are quick.

    >>> lemmatise(["the", "dogs", "were", "barking"])
    ['the', 'dog', 'be', 'bark']
    >>> lemmatise(["dogs"], language="xx")
    ['dogs']
    >>> lemmatise(["\\ud800s"]) == ["\\ud800s"]
    True
    """
    if language not in _known_languages():
        return list(tokens)
    return [_lemma(token, language) for token in tokens]


def has_lemmas(language: str) -> bool:
    """Whether there is a dictionary for a language.

    >>> has_lemmas("fi"), has_lemmas("xx")
    (True, False)
    """
    return language in _known_languages()


@lru_cache(maxsize=1 << 17)
def _lemma(token: str, language: str) -> str:
    from simplemma import lemmatize

    # simplemma refuses an empty token, and a link or a flood of letters has no dictionary form.
    if not 0 < len(token) <= 50:
        return token
    try:
        return lemmatize(token, language)
    except UnicodeEncodeError:  # a lone surrogate, which no dictionary has
        return token


@cache
def _known_languages() -> frozenset[str]:
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    return frozenset(SUPPORTED_LANGUAGES)
