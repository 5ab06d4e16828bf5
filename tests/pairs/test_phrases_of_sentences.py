"""A long sentence is narrowed to the clauses that say what the other side does, and only then."""

from __future__ import annotations

import pytest

from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
from paraloom.pairs.phrases_of_sentences import LONGEST, Asked, phrases

MODEL = CharacterTfidf.of(
    ["the storm hit the coast", "nobody slept that night", "as they told us later", "boats sank in the harbour"]
)

NARROWED = [
    (
        "As they told us later, a storm hit the coast of Norland",
        "The storm hit Norland's coast",
        "a storm hit the coast of Norland",
    ),
    ("Nobody slept, boats sank, and the storm hit the coast", "Boats were sinking", "boats sank"),
    ("The storm hit the coast, boats sank", "The storm reached the coast and boats sank", None),
    ("The storm that hit the coast in the night and in the morning", "Boats, boats", None),
    ("The storm hit the coast of the north in the night after Monday", "The storm hit", None),
    ("Storm, the boats of the harbour sank", "The storm", None),
    ("", "The storm hit", None),
]


@pytest.mark.parametrize(("sentence", "other", "phrase"), NARROWED)
def test_a_sentence_is_narrowed_where_a_part_says_it_clearly_better(
    sentence: str, other: str, phrase: str | None
) -> None:
    text = f"Before. {sentence} Behind, and more."
    (found,) = phrases([Asked(text, (8, 8 + len(sentence)), other)], MODEL)
    assert (found and text[slice(*found)]) == phrase


def test_many_are_asked_for_at_once_as_one_by_one() -> None:
    asked = [Asked(sentence, (0, len(sentence)), other) for sentence, other, _ in NARROWED]
    assert phrases(asked, MODEL) == [found for one in asked for found in phrases([one], MODEL)]
    assert phrases([], MODEL) == []


def test_a_sentence_of_many_letters_is_left_whole() -> None:
    text = "The storm hit, " + "a" * LONGEST
    assert phrases([Asked(text, (0, len(text)), "The storm hit")], MODEL) == [None]
