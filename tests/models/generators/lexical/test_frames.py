"""Clauses are put in another order where that is safe, and left alone where it is not."""

from __future__ import annotations

import numpy as np
import pytest

from paraloom.models.generators.lexical.frames import frames
from paraloom.models.generators.lexical.generator import LexicalGenerator
from paraloom.models.generators.lexical.substitutes import Thesaurus, built_in, merged_counts
from paraloom.models.generators.lexical.tags import Tagger
from paraloom.models.generators.lexical.words import read_words

OTHER_ORDERS = [
    ("The police arrested him on Monday.", "On Monday, the police arrested him."),
    ("Yesterday, the shop closed its doors.", "The shop closed its doors yesterday."),
    ("She left because she was tired.", "Because she was tired, she left."),
    ("When the rain stopped, the children went home.", "The children went home when the rain stopped."),
    ("The minister said that the bridge is safe.", "According to the minister, the bridge is safe."),
    ("According to officials, the bridge is safe.", "Officials said that the bridge is safe."),
    ("The bridge is safe, officials said.", "Officials said that the bridge is safe."),
    ("The book was written by Ann Lee.", "Ann Lee wrote the book."),
    ("He was arrested by the police.", "The police arrested him."),
    ("The company rejected the plan.", "The plan was rejected by the company."),
    ("They rejected the plans.", "The plans were rejected by them."),
    ("Two dogs are playing with a ball in the park.", "In the park, two dogs are playing with a ball."),
]
LEFT_ALONE = [
    "Did the police arrest him on Monday?",
    "I wonder if he knows her.",
    "The meeting is on Monday.",
    'He said "the bridge is safe" on Monday.',
    "The keys were found by the river.",
    "The car was not damaged by the storm.",
    "He said on Monday.",
    "",
]


@pytest.mark.parametrize(("source", "expected"), OTHER_ORDERS)
def test_a_clause_is_said_in_another_order(source: str, expected: str) -> None:
    # The entries are there for what they know of words alone: none of them may be used.
    words = Thesaurus([], signature="none", counts=merged_counts([built_in()]))
    found = LexicalGenerator([words], None).generate([source], 4, np.random.default_rng(1))[0]
    assert expected in [candidate.text for candidate in found]


@pytest.mark.parametrize("source", LEFT_ALONE)
def test_what_is_not_simple_stays_in_order(source: str) -> None:
    words = read_words(source)
    tags = Tagger(merged_counts([built_in()])).tag(words)
    assert frames(words, tags) == []
