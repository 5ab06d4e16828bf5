"""The chance that a person would mark a suggestion rises and falls with what is measured of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.pairs.worth import WEIGHTS, Measured, chance

IN_ORDER = Measured(likeness=0.4, letters=0.4, words=(7, 6), lengths=(40, 35), around=0.5)
ANY_ORDER = replace(IN_ORDER, around=None)

HIGHER_THAN = [
    (IN_ORDER, replace(IN_ORDER, around=0.05)),
    (IN_ORDER, replace(IN_ORDER, words=(7, 1))),
    (IN_ORDER, replace(IN_ORDER, lengths=(40, 5))),
    (IN_ORDER, replace(IN_ORDER, likeness=0.95, letters=0.95)),
    (IN_ORDER, replace(IN_ORDER, likeness=0.02, letters=0.02)),
    (ANY_ORDER, replace(ANY_ORDER, likeness=0.1, letters=0.1)),
    (IN_ORDER, ANY_ORDER),
]


@pytest.mark.parametrize(("better", "worse"), HIGHER_THAN)
def test_what_is_worth_more_has_the_higher_chance(better: Measured, worse: Measured) -> None:
    assert chance(better) > chance(worse)


def test_beyond_some_words_and_some_likeness_around_nothing_rises() -> None:
    assert chance(replace(IN_ORDER, words=(12, 12))) == chance(replace(IN_ORDER, words=(40, 13)))
    assert chance(IN_ORDER) == chance(replace(IN_ORDER, around=0.9))


def test_there_are_weights_for_all_that_can_be_known() -> None:
    known = {replace(one, by_meaning=meaning).known_by for one in (IN_ORDER, ANY_ORDER) for meaning in (True, False)}
    assert known == set(WEIGHTS)
    for one in (IN_ORDER, ANY_ORDER):
        for meaning in (True, False):
            measured = replace(one, by_meaning=meaning)
            assert len(WEIGHTS[measured.known_by]) == len(measured.features()) + 1


@given(
    st.floats(-1, 1),
    st.floats(0, 1),
    st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
    st.tuples(st.integers(0, 10**7), st.integers(0, 10**7)),
    st.none() | st.floats(-1, 1),
)
def test_a_chance_lies_between_0_and_1(likeness, letters, words, lengths, around) -> None:
    measured = Measured(likeness=likeness, letters=letters, words=words, lengths=lengths, around=around)
    assert 0 <= chance(measured) <= 1
