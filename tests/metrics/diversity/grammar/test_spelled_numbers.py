"""Numbers in words become figures, and words that only look like numbers stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.diversity.grammar.spelled_numbers import in_figures

CASES = [
    ("seven", "7"),
    ("twenty one", "21"),
    ("two hundred and five", "205"),
    ("two hundred five", "205"),
    ("five hundred and six hundred", "500 and 600"),
    ("one thousand two hundred thirty four", "1234"),
    ("a thousand and one nights", "1001 nights"),
    ("a thousand and two hundred", "1000 and 200"),
    ("a hundred and fifty", "150"),
    ("3.5 million", "3500000"),
    ("two million five hundred thousand", "2500000"),
    ("ten million and five thousand", "10000000 and 5000"),
    ("five thousand 6", "5000 6"),
    ("one two three", "1 2 3"),
    ("three and four", "3 and 4"),
    ("first", "1th"),
    ("1st", "1th"),
    ("twenty first", "21th"),
    ("21st", "21th"),
    ("ninetieth", "90th"),
    ("007", "007"),
    ("3.50", "3.50"),
    ("10 000", "10 000"),
    ("hundreds of dogs", "hundreds of dogs"),
    ("hundred", "hundred"),
    ("and a", "and a"),
    ("a storm", "a storm"),
    ("١٢ st", "١٢ st"),
    ("", ""),
]


@pytest.mark.parametrize(("words", "expected"), CASES)
def test_numbers_are_in_figures(words: str, expected: str) -> None:
    assert [written.word for written in in_figures(words.split())] == expected.split()


SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety"
PIECES = "a one two twenty hundred thousand million and 5 3.5 1st first storm"


def spelled(number: int) -> list[str]:
    """A number in English words, as it is said."""
    if number < 20:
        return [SMALL.split()[number]]
    if number < 100:
        return [TENS.split()[number // 10], *([SMALL.split()[number % 10]] if number % 10 else [])]
    for value, word in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= value:
            rest = number % value
            return [*spelled(number // value), word, *(spelled(rest) if rest else [])]
    raise AssertionError


@given(st.integers(0, 10**12 - 1))
def test_every_number_that_is_spelled_out_is_read_back(number: int) -> None:
    (written,) = in_figures(spelled(number))
    assert written.word == str(number)
    assert written.spelled
    assert written.length == len(spelled(number))


@given(st.lists(st.sampled_from(PIECES.split())))
def test_every_word_is_in_exactly_one_number(words: list[str]) -> None:
    assert sum(written.length for written in in_figures(words)) == len(words)
