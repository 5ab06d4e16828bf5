"""Edits are counted as Levenshtein counts them, in words or in characters."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.identifiers import untrained
from paraloom.models.identifiers.edit_distance import EditDistance

WORDS = ("storm", "hit", "the", "coast", "again")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


def edits(left: Sequence[str], right: Sequence[str]) -> int:
    """The textbook's table."""
    row = list(range(len(right) + 1))
    for number, one in enumerate(left, 1):
        above, row[0] = row[0], number
        for place, other in enumerate(right, 1):
            above, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, above + (one != other))
    return row[-1]


@given(TEXTS, TEXTS)
def test_edits_are_counted_in_words_or_characters(left: str, right: str) -> None:
    for unit, cut in (("words", str.split), ("characters", list)):
        ours, theirs = cut(left), cut(right)
        count = edits(ours, theirs)
        [counted] = EditDistance(unit=unit).similarities([left.upper()], [right])
        assert counted == -count
        [share] = EditDistance(unit=unit, normalised=True).similarities([left], [right])
        assert share == pytest.approx(1 - count / max(len(ours), len(theirs), 1))


def test_texts_without_words_are_compared_by_their_tokens() -> None:
    assert EditDistance(normalised=True).similarities(["😀 !!!"], ["😀 ?"]).tolist() == [0.5]


def test_only_words_and_characters_are_edited() -> None:
    with pytest.raises(InputError, match=r"Edits of 'letters'.*words, characters"):
        untrained("edit-distance", unit="letters")
