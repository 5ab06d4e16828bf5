"""A pair follows the first systematic pattern that explains it, in many languages; what cannot be found is said."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.patterns import NEEDING_LEMMAS, OTHERS, PATTERNS, PatternCounter, PatternFinder
from paraloom.corpus.synonyms import Synonyms

SYNONYMS = Synonyms.of("mine", [["big", "large"], ["hit", "strike"], ["iso", "suuri"], ["auto", "kulkuneuvo"]])

ENGLISH = [
    ("A storm hit the coast.", "a storm hit — the coast", "same_words"),
    ("Don’t go!", "don't go", "same_words"),
    ("Today a storm hit.", "A storm hit today", "word_reordering"),
    ("Storms hit coasts", "Storm hits coast", "inflection"),
    ("Storms hit the coasts today", "Today storm hit the coast", "lemma_reordering"),
    ("A storm hit the coast", "The coast was hit by storms", "function_words"),
    ("A big storm hit", "The large storm hit", "function_words_and_synonyms"),
    ("A big storm hit", "A large storm hits", "synonyms"),
    ("A big storm hit the coast", "Coasts were struck by large storms", "function_words_and_synonyms"),
    ("A storm hit the coast", "No storm hit the coast", OTHERS),
    ("He saw a storm", "She saw a storm", "function_words"),
    ("It is me", "We are you", OTHERS),
    ("A storm hit", "Waves flooded the town", OTHERS),
    ("!!!", "???", OTHERS),
    ("A storm", "", OTHERS),
    ("storm storm hit", "storm hit hit", OTHERS),
]


@pytest.mark.parametrize(("left", "right", "pattern"), ENGLISH)
def test_an_english_pair_follows_the_first_pattern_that_fits(left: str, right: str, pattern: str) -> None:
    finder = PatternFinder("en", SYNONYMS)
    assert finder.pattern_of(left, right) == finder.pattern_of(right, left) == pattern
    assert finder.not_looked_for == {}


OTHER_LANGUAGES = [
    ("fi", "Hän osti ison auton.", "Hän auton ison osti", "word_reordering"),
    ("fi", "Hän osti auton.", "Hän ostaa autoja!", "inflection"),
    ("fi", "Auton hän osti.", "Hän ostaa autoja!", "lemma_reordering"),
    ("fi", "Hän osti auton.", "Auto ostetaan, ja se on se.", "function_words"),
    ("fi", "Hän osti ison auton.", "Hän osti suuren auton.", "synonyms"),
    ("fi", "Hän osti ison auton.", "Auto, jonka ostin, oli suuri.", "function_words_and_synonyms"),
    ("fi", "Hän osti auton.", "Hän ei osti auton.", OTHERS),
    ("sv", "Hon köpte en bil.", "Bilen köptes av henne.", "function_words"),
    ("sv", "Hon köper bilar", "Hon köpte bil", "inflection"),
    ("de", "Der Hund bellt laut", "Die Hunde bellen laut", "inflection"),
    ("fr", "Les chats dorment ici", "Ici dort le chat", "lemma_reordering"),
    ("es", "Los gatos duermen", "El gato duerme", "inflection"),
]


@pytest.mark.parametrize(("language", "left", "right", "pattern"), OTHER_LANGUAGES)
def test_other_languages_have_patterns_too(language: str, left: str, right: str, pattern: str) -> None:
    assert PatternFinder(language, SYNONYMS).pattern_of(left, right) == pattern


NOT_LOOKED_FOR = [
    ("en", None, {"synonyms", "function_words_and_synonyms"}, "no file of synonyms was given"),
    ("pl", SYNONYMS, {"function_words", "function_words_and_synonyms"}, "no function words are known of"),
    ("xx", SYNONYMS, set(NEEDING_LEMMAS), "there are no dictionary forms of the language 'xx'"),
    (None, None, set(NEEDING_LEMMAS), "there are no dictionary forms of a language that is not known"),
]


@pytest.mark.parametrize(("language", "synonyms", "missing", "why"), NOT_LOOKED_FOR)
def test_what_cannot_be_found_is_said_and_never_counted_as_nothing(
    language: str | None, synonyms: Synonyms | None, missing: set[str], why: str
) -> None:
    counter = PatternCounter(PatternFinder(language, synonyms))
    counter.add("A storm hit", "a storm, hit!")
    counter.add("A storm hit", "hit a storm")
    counter.add("A big storm hit", "A large storm hit")
    found = counter.result()
    assert set(found.not_looked_for) == missing
    assert all(reason.startswith(why) for reason in found.not_looked_for.values())
    assert [part.name for part in found.patterns] == [*(name for name in PATTERNS if name not in missing), OTHERS]
    assert {part.name: part.count for part in found.patterns}["word_reordering"] == 1


def test_a_polish_pair_is_inflected_though_its_function_words_are_not_known() -> None:
    assert PatternFinder("pl", SYNONYMS).pattern_of("Kupił samochody", "Kupił samochód") == "inflection"


def test_every_word_needs_a_synonym_of_its_own() -> None:
    reds = Synonyms.of("reds", [["red", "scarlet"], ["red", "ruby"], ["crimson", "scarlet"]])
    finder = PatternFinder("en", reds)
    # Scarlet is the only synonym of crimson, so red has to make do with ruby, though scarlet comes first.
    assert finder.pattern_of("red crimson", "the scarlet and the ruby") == "function_words_and_synonyms"
    assert finder.pattern_of("red red", "the scarlet and the ruby") == "function_words_and_synonyms"
    assert finder.pattern_of("crimson crimson", "the scarlet and the ruby") == OTHERS


def test_a_text_of_a_thousand_words_is_no_replacement_and_takes_no_time() -> None:
    many = Synonyms.of("all alike", [[f"w{number}" for number in range(2000)]])
    left, right = (" ".join(f"w{number}" for number in range(start, start + 1000)) for start in (0, 1000))
    assert PatternFinder("en", many).pattern_of(left, f"the {right}") == OTHERS


WORDS = st.lists(
    st.sampled_from(["the", "a", "storm", "storms", "coast", "hit", "big", "large", "not", "he", "was", "雨", "42"]),
    max_size=7,
)


@given(WORDS, WORDS)
def test_the_order_of_the_sides_does_not_matter(left: list[str], right: list[str]) -> None:
    finder = PatternFinder("en", SYNONYMS)
    assert finder.pattern_of(" ".join(left), " ".join(right)) == finder.pattern_of(" ".join(right), " ".join(left))


@given(WORDS, st.randoms(use_true_random=False))
def test_words_that_are_shuffled_are_the_same_words_or_reordered(left: list[str], draw: random.Random) -> None:
    right = draw.sample(left, len(left))
    expected = OTHERS if not left else "same_words" if left == right else "word_reordering"
    found = PatternFinder("en").pattern_of(" ".join(left).title(), " ".join(right) + "!")
    assert found == expected


@given(WORDS, WORDS)
def test_a_pattern_that_needs_less_comes_first(left: list[str], right: list[str]) -> None:
    """What is found without synonyms stays what it is with them (footnote h of the paper)."""
    one, other = " ".join(left), " ".join(right)
    without = PatternFinder("en").pattern_of(one, other)
    with_synonyms = PatternFinder("en", SYNONYMS).pattern_of(one, other)
    assert without in (with_synonyms, OTHERS)


def test_examples_are_the_first_pairs_of_a_pattern() -> None:
    counter = PatternCounter(PatternFinder("en", SYNONYMS))
    for number in range(5):
        counter.add(f"It blew {number}", f"it blew: {number}")
    counter.add("rain", "snow")
    found = counter.result()
    assert found.examples["same_words"] == tuple((f"It blew {n}", f"it blew: {n}") for n in range(3))
    assert (found.trivial.count, found.trivial.share) == (5, 0.833333)
    assert OTHERS not in found.examples
