"""Structure and grammar are told by patterns."""

from __future__ import annotations

import pytest

from paraloom.metrics.types.alignment import align
from paraloom.metrics.types.grammar_errors import grammar_errors
from paraloom.metrics.types.structure import structures
from paraloom.metrics.types.words import words_of

STRUCTURES = [
    ("The storm hit the coast.", "The coast was hit by the storm.", {"order", "voice"}),
    ("The coast, hit by a storm, sleeps.", "The coast sleeps, hit by a storm.", {"order"}),
    ("A man seen in town fled.", "A man who was seen in town fled.", {"clause"}),
    ('"I will go," Ann said.', "Ann said she will go.", {"speech", "order"}),
    ("Where is the key?", "Tell me where the key is.", {"mood"}),
    ("The storm hit the coast.", "The storm struck the coast.", set()),
    ("Which dog is it?", "What dog is it?", set()),
]


@pytest.mark.parametrize(("source", "output", "differing"), STRUCTURES)
def test_a_change_of_structure_is_told_by_its_kind(source: str, output: str, differing: set[str]) -> None:
    left, right = words_of(source), words_of(output)
    found = set(structures(left, right, align(left, right), (source, output)))
    assert found >= differing
    assert bool(found) == bool(differing)


ERRORS = [
    ("The storm hit the the coast.", "repeated"),
    ("it is what it was it is what it was it is what it was", "loop"),
    ("She ate a apple.", "article"),
    ("He saw an dog.", "article"),
    ("They was late.", "agreement"),
    ("what is the best earphones for 3000 rupees?", "agreement"),
    ("She will went home.", "verb form"),
    ("He bought bread, milk and", "unfinished"),
]


@pytest.mark.parametrize(("text", "error"), ERRORS)
def test_an_error_of_grammar_is_named(text: str, error: str) -> None:
    assert error in grammar_errors(text)


RIGHT = [
    "An hour ago a European saw a unicorn and an unidentified owl.",
    "He had had enough, and that that happened was very very sad.",
    "She and I are one; a one-way street, an outlet, an author, an awful day.",
    "What is the best news of the year?",
    "All she did was wait.",
    "Duran Duran played Walla Walla.",
    "What is the status of the class?",
    "",
]


@pytest.mark.parametrize("text", RIGHT)
def test_good_grammar_has_no_errors(text: str) -> None:
    assert grammar_errors(text) == ()
