"""Which words are forms of one word, by rules of spelling, irregular forms and the dictionary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.diversity.grammar.inflection import inflection
from paraloom.metrics.diversity.grammar.irregular_forms import noun_families, participles, verb_families

CASES = [
    ("dog dogs", "plural"),
    ("box boxes", "plural"),
    ("city cities", "plural"),
    ("hero heroes", "plural"),
    ("piano pianos", "plural"),
    ("quiz quizzes", "plural"),
    ("topic topics", "plural"),
    ("wife wives", "plural"),
    ("woman women", "plural"),
    ("person people", "plural"),
    ("crisis crises", "plural"),
    ("american americans", "plural"),
    ("say says", "plural"),
    ("go goes", "plural"),
    ("walk walked", "tense"),
    ("plan planned", "tense"),
    ("make making", "tense"),
    ("die dying", "tense"),
    ("try tried", "tense"),
    ("panic panicked", "tense"),
    ("travel travelled", "tense"),
    ("travel traveling", "tense"),
    ("tries tried", "tense"),
    ("leave left", "tense"),
    ("wins won", "tense"),
    ("winning won", "tense"),
    ("begun began", "tense"),
    ("shoot shot", "tense"),
    ("lie lay", "tense"),
    ("googling googled", "tense"),
    ("fast faster", None),
    ("good better", None),
    ("big biggest", None),
    ("most more", None),
    ("new news", None),
    ("even evening", None),
    ("fee feed", None),
    ("economic economics", None),
    ("media medium", None),
    ("hope hop", None),
    ("plan planed", None),
    ("happy happily", None),
    ("teach teacher", None),
    ("russia russian", None),
    ("he him", None),
    ("we us", None),
    ("cat dog", None),
    ("7 7s", None),
    ("dog dog", None),
    ("a as", None),
]


@pytest.mark.parametrize(("words", "expected"), CASES)
def test_number_and_tense_are_inflection_and_nothing_else_is(words: str, expected: str | None) -> None:
    left, right = words.split()
    assert inflection(left, right) == expected
    assert inflection(right, left) == expected


@given(st.text(max_size=8), st.text(max_size=8))
def test_any_two_texts_have_an_answer(left: str, right: str) -> None:
    assert inflection(left, right) == inflection(right, left)


def test_every_irregular_form_belongs_to_a_base() -> None:
    for families in (verb_families(), noun_families()):
        assert all(form and all(base in families for base in bases) for form, bases in families.items())
    assert {"won", "gone", "been"} - participles() == {"been"}
    assert {"put", "cut", "come"} <= participles()
    assert {"go", "take", "went"} & participles() == {"went"}
