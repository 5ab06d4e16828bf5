"""Function words are closed classes of words: listed once, in lower case, and never a word of negation."""

from __future__ import annotations

import pytest

from paraloom.text.function_words import LANGUAGES, function_words
from paraloom.text.lemmas import has_lemmas
from paraloom.text.tokenise import words

NEGATION = {
    "en": "not no never none nothing nobody without nor",
    "fi": "ei en et emme ette eivät älä ilman",
    "sv": "inte ej aldrig ingen inget utan",
    "de": "nicht kein keine nie ohne",
    "fr": "ne n' pas jamais sans",
    "es": "no nunca sin",
    "it": "non mai senza",
    "nl": "niet geen nooit zonder",
    "pt": "não nunca sem",
    "da": "ikke aldrig uden",
    "nb": "ikke aldri uten",
}


def test_the_languages_of_the_lists_are_those_tested_here() -> None:
    assert set(LANGUAGES) == set(NEGATION)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_holds_some_dozens_of_words_that_the_tokeniser_and_the_lemmatiser_know(language: str) -> None:
    listed = function_words(language)
    assert 60 <= len(listed) <= 300
    assert {word for word in listed if word != word.lower()} == set()
    assert has_lemmas(language)
    in_a_text = {part for word in listed for part in words(f"{word}x" if word.endswith("'") else word)}
    assert {word for word in listed if word not in in_a_text and "'" not in word} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_negation_are_words_of_content(language: str) -> None:
    assert function_words(language) & set(NEGATION[language].split()) == set()


COMMON = [("en", "the"), ("fi", "se"), ("sv", "och"), ("de", "der"), ("fr", "le"), ("es", "el"), ("nl", "het")]


@pytest.mark.parametrize(("language", "word"), COMMON)
def test_a_common_word_of_a_language_is_in_its_list(language: str, word: str) -> None:
    assert word in function_words(language)
