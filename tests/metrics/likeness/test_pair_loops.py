"""A pair's n-grams, counted in a small table, are those that are counted by hand."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.likeness import character_cosine
from paraloom.metrics.likeness.character_cosine import LONGEST, SHORTEST, character_cosines
from paraloom.metrics.likeness.lettered import BLANKS, letters_of
from paraloom.metrics.likeness.pair_loops import pair_products

texts = st.one_of(st.text(max_size=40), st.text("ab \u3000", max_size=400))


def grams(text: str) -> Counter[str]:
    words = [f" {word} " for word in "".join(" " if letter.isspace() else letter for letter in text.lower()).split(" ")]
    return Counter(
        word[start : start + length]
        for word in words
        if word != "  "
        for length in range(SHORTEST, LONGEST + 1)
        for start in range(len(word) - length + 1)
    )


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=6))
def test_products_are_those_of_counts_by_hand(pairs: list[tuple[str, str]]) -> None:
    left, right = ([pair[side] for pair in pairs] for side in (0, 1))
    found = pair_products(*letters_of(left), *letters_of(right), BLANKS, SHORTEST, LONGEST)
    counted = [(grams(one), grams(other)) for one, other in pairs]
    assert found.tolist() == [
        [
            sum(count * theirs[gram] for gram, count in ours.items()),
            sum(count**2 for count in ours.values()),
            sum(count**2 for count in theirs.values()),
        ]
        for ours, theirs in counted
    ]


def test_a_short_pair_is_measured_as_before_beside_a_very_long_one() -> None:
    long = "storm coast " * (character_cosine.LONG_TEXT // 6)
    beside = character_cosines(["storm coast", long], ["coast", long])
    assert beside.tolist() == [*character_cosines(["storm coast"], ["coast"]).tolist(), 1.0]
