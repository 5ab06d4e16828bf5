"""How much of the shorter text stands in the longer, each text split once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.text.containment import RunsOfWords

LONGER = "It rained all day long, and so we went home by the river."

CASES = [
    (LONGER, LONGER, 1.0),
    ("it RAINED all day long", LONGER, 1.0),
    ("It rained all day", f"Yesterday. {LONGER}", 1.0),
    ("day long", LONGER, 1.0),
    ("long day", LONGER, 0.0),
    ("", LONGER, 1.0),
    ("It rained all day and then", LONGER, 1 / 3),
    ("Nothing of this was ever said", LONGER, 0.0),
]


@pytest.mark.parametrize(("one", "other", "share"), CASES)
def test_the_share_of_the_shorter_that_stands_in_the_longer(one: str, other: str, share: float) -> None:
    texts = RunsOfWords([one, other])
    assert texts.contained(0, 1) == texts.contained(1, 0) == pytest.approx(share, abs=1e-6)


@given(st.lists(st.text("ab ", max_size=30), min_size=2, max_size=5))
def test_it_is_what_a_plain_loop_counts(texts: list[str]) -> None:
    runs = RunsOfWords(texts)
    for one in range(len(texts)):
        for other in range(one):
            shorter, longer = sorted((re.findall(r"\w+", texts[each].lower()) for each in (one, other)), key=len)
            length = min(4, len(shorter))
            there = {tuple(longer[at : at + length]) for at in range(len(longer) - length + 1)}
            told = [tuple(shorter[at : at + length]) in there for at in range(len(shorter) - length + 1)]
            expected = sum(told) / len(told) if shorter else 1.0
            if len(shorter) == len(longer):
                continue  # which of them counts as the shorter is left open
            assert runs.contained(one, other) == pytest.approx(expected, abs=1e-6)
