"""Lengths are counted in tokens, one by one up to a limit."""

from __future__ import annotations

import statistics

from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.lengths import SHOWN, LengthCounter


def of(texts: list[str]) -> LengthCounter:
    counter = LengthCounter()
    for text in texts:
        counter.add(text)
    return counter


def test_punctuation_marks_are_tokens() -> None:
    found = of(["Storms, they say, hit.", "Hit!"]).result()
    assert found.counts == (0, 0, 1, 0, 0, 0, 0, 1)
    assert (found.statements, found.mean, found.longest) == (2, 4.5, 7)


def test_nothing_has_no_mean() -> None:
    found = LengthCounter().result()
    assert (found.statements, found.mean, found.median, found.longest, found.counts) == (0, None, None, 0, (0,))


@given(st.lists(st.integers(0, 80), min_size=1))
def test_mean_median_and_counts_are_those_of_the_lengths(lengths: list[int]) -> None:
    found = of([" ".join(["storm"] * length) for length in lengths]).result()
    assert found.mean == round(statistics.mean(lengths), 6)
    assert found.median == statistics.median_low(lengths)
    assert (sum(found.counts), found.longest) == (len(lengths), max(lengths))
    assert len(found.counts) <= SHOWN + 1
    assert found.counts[-1] == sum(length >= len(found.counts) - 1 for length in lengths)
