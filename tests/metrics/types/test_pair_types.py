"""Types are those of Table 7 of Dou et al. (2022): tables of pairs, and what holds for all of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.metrics.types.kinds import GOOD, POOR
from paraloom.metrics.types.pair_types import Meaning, differences, types_of

SAME = Meaning(paraphrase=0.98, implication=0.9)
LOOSELY = Meaning(paraphrase=0.9, implication=0.1)
OTHER = Meaning(paraphrase=0.05, implication=0.01)

GOOD_TYPES = [
    ("The storm hit the coast on Monday.", "On Monday the storm hit the coast.", ("structure",)),
    ("The storm hit the northern coast.", "The northern coast was hit by the storm.", ("structure",)),
    ("The mayor praised the old teacher.", "The mayor lauded the old teacher.", ("word-syn",)),
    ("The fire was put out quickly in town.", "The fire was extinguished quickly in town.", ("phrase-syn",)),
    ("The mayor arrived late in a black car.", "The mayor arrived late.", ("simplification",)),
    ("Sit down and eat.", "Sit down, take your time, and eat.", ("add-new",)),
    (
        "The board rejected the offer on Friday morning.",
        "On Friday the board declined the offer.",
        ("word-syn", "structure", "simplification"),
    ),
]


@pytest.mark.parametrize(("source", "output", "types"), GOOD_TYPES)
def test_a_good_paraphrase_has_all_the_types_that_apply(source: str, output: str, types: tuple[str, ...]) -> None:
    found = types_of(source, output, meaning=SAME)
    assert (found.good, found.poor) == (types, None)


POOR_TYPES = [
    ("Did you have a good day?", "did you have a good day", SAME, "copy"),
    ("They approve a new test.", "they have approved the new test", SAME, "small-change"),
    ("What are the best earphones?", "what is the best earphones for me?", SAME, "bad-grammar"),
    ("He sold the house to a friend.", "He sold the the house to his friend.", SAME, "bad-grammar"),
    ("The storm hit 3 towns.", "The storm hit four towns.", SAME, "misinterpret"),
    ("The shop opens on Monday.", "The shop opens on Friday.", SAME, "misinterpret"),
    ("The shop opens at noon.", "The shop does not open at noon.", OTHER, "misinterpret"),
    ("The shop opens at noon.", "The shop does not open at noon.", None, "misinterpret"),
    ("A dog sleeps at a table.", "A dog sleeps at a table in Paris.", SAME, "hallucination"),
    ("A dog sleeps here.", "A dog sleeps here beside seven grey kittens.", OTHER, "hallucination"),
    ("A dog sleeps here.", "A dog sleeps here while kittens fight over cold milk.", None, "hallucination"),
    ("The dog sleeps and the grey cat plays outside.", "The dog sleeps.", OTHER, "miss-info"),
    ("The dog sleeps and the grey cat plays outside.", "The dog sleeps.", LOOSELY, "miss-info"),
    ("The dog sleeps and the grey cat plays outside.", "The dog sleeps.", None, "miss-info"),
    ("The dog sleeps.", "", SAME, "miss-info"),
    ("The dog chased our cat.", "The cat chased our dog.", OTHER, "misinterpret"),
]


@pytest.mark.parametrize(("source", "output", "meaning", "poor"), POOR_TYPES)
def test_a_poor_paraphrase_has_its_poor_type_and_no_good_one(
    source: str, output: str, meaning: Meaning | None, poor: str
) -> None:
    found = types_of(source, output, meaning=meaning)
    assert (found.poor, found.good) == (poor, ())


KEPT = [
    ("They buy the rival for $19 billion in cash.", "They buy the rival for $19B in cash.", None),
    ("She won the first set 6-4.", "She took the 1st set 6-4.", None),
    ("He did not come home.", "He didn't come home.", "small-change"),
    ("They paid twenty euros for bread.", "They paid 20 euros for bread.", "small-change"),
    ("The dog ate the the red apple.", "The dog devoured the the red apple.", None),
]


@pytest.mark.parametrize(("source", "output", "poor"), KEPT)
def test_what_is_the_same_in_other_letters_or_was_wrong_before_is_no_fault(
    source: str, output: str, poor: str | None
) -> None:
    assert types_of(source, output, meaning=SAME).poor == poor


def test_changes_name_the_words_and_where_they_begin() -> None:
    source, output = "The mayor praised the teacher.", "The mayor lauded the teacher."
    (change,) = differences(source, output).changes
    assert (change.kind, change.source, change.output) == ("word", "praised", "lauded")
    assert [source[start:].startswith("praised") for start in change.source_words] == [True]
    assert [output[start:].startswith("lauded") for start in change.output_words] == [True]


TEXTS = st.text(alphabet="abc ,.?'\n123éŁ人💧\ud800", max_size=60) | st.lists(
    st.sampled_from(["the", "storm", "hit", "a", "coast", "was", "by", "not", "Monday", "3", "which", "town", "towns"]),
    max_size=12,
).map(" ".join)


@settings(max_examples=60)
@given(TEXTS, TEXTS)
def test_any_two_texts_have_a_poor_type_or_good_ones_and_a_copy_is_a_copy(source: str, output: str) -> None:
    found = types_of(source, output)
    assert found.poor is None or (found.poor in POOR and not found.good)
    assert set(found.good) <= set(GOOD)
    assert types_of(source, source).poor == "copy"


@settings(max_examples=60)
@given(TEXTS, TEXTS)
def test_what_is_added_one_way_is_left_out_the_other_way(source: str, output: str) -> None:
    there, back = differences(source, output), differences(output, source)
    assert (there.content("added") > 0) == (back.content("left_out") > 0)
