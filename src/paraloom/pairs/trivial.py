"""Two stretches in, why their difference is trivial out, or nothing (Kanerva et al., 2023, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.text.lemmas import has_lemmas, lemmatise

SHORTEST_STEM = 4
LONGEST_ENDING = 3
"""Where a language has no dictionary, forms of a word share so many letters, and differ in no more behind them."""


def trivial(left: Sequence[str], right: Sequence[str], language: str) -> str | None:
    """The pattern that all the difference between two stretches' words follows.

    Case and punctuation are no difference, nor is how words are joined ("anybody", "any body").

    >>> trivial(["the", "dogs", "bark"], ["a", "dog", "barks"], "en") is None
    True
    >>> trivial(["the", "dogs", "bark"], ["bark", "the", "dog"], "en")
    'lemma_reordering'
    """
    if "".join(left) == "".join(right):
        return "same_words"
    if len(left) != len(right):
        return None
    if sorted(left) == sorted(right):
        return "word_reordering"
    if not has_lemmas(language):
        return "inflection" if all(map(_share_a_stem, left, right)) else None
    left, right = _lemmas(left, language), _lemmas(right, language)
    if left == right:
        return "inflection"
    return "lemma_reordering" if sorted(left) == sorted(right) else None


def _lemmas(words: Sequence[str], language: str) -> list[str]:
    return [lemma.lower() for lemma in lemmatise(words, language)]


def _share_a_stem(left: str, right: str) -> bool:
    if left == right:
        return True
    shared = next(
        (place for place, (one, other) in enumerate(zip(left, right, strict=False)) if one != other),
        min(len(left), len(right)),
    )
    return shared >= SHORTEST_STEM and max(len(left), len(right)) - shared <= LONGEST_ENDING
