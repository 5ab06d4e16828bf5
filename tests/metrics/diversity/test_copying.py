"""What counts as a copy, case by case, and what holds for all texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.diversity.copying import CopyRate, is_copy
from paraloom.metrics.evaluation_set import EvaluationSet

CASES = [
    ("How beautiful it is .", "How beautiful it is", True),
    ("How beautiful it is .", "HOW beautiful, it is!!!", True),
    ("So they say – “it’s” over…", "so they say it's over", True),
    ("The U.S. won 1,000 times", "the US won 1000 times", True),
    ("STRASSE", "straße", True),
    ("ﬁne  time\n", "fine time", True),
    ("Rock &amp; roll", "rock & roll", True),
    ("rock & amp ; roll", "rock & roll", True),
    ("#storm hits @ann", "storm hits ann", True),
    ("I love it 😀", "I love it", True),
    ("嵐が来た。", "嵐が来た", True),
    ("😀!", "😀!", True),
    ("How beautiful it is", "How beautiful it was", False),
    ("How beautiful it is", "it is how beautiful", False),
    ("It rose 1.5 points", "It rose 15 points", False),
    ("It rose 1.5 points", "it rose 1.5 points!", True),
    ("It was -5 degrees", "It was 5 degrees", False),
    ("It was –5 degrees", "it was −5 degrees!", True),
    ("He said - 5 came", "He said 5 came", True),
    ("won 2 -1", "won 2-1", True),
    ("They won (2-1)", "They won 2–1", True),
    ("He paid $5", "He paid £5", False),
    ("He paid $5", "He paid 5", False),
    ("He paid $5", "he paid $ 5.", True),
    ("He paid ＄5", "He paid $5", True),
    ("He paid $.50", "He paid $50", False),
    ("He paid -$5", "He paid $5", False),
    ("up 5%", "up 5", False),
    ("up 5%", "Up 5 %!", True),
    ("1,5 litres", "15 litres", False),
    ("1,5 litres", "1.5 litres", True),
    ("They want 1,00,000 and 2,345,678", "they want 100000 and 2345678", True),
    ("I know C++", "I know C", False),
    ("I know C++", "I know C#", False),
    ("I know C++.", "i know c++", True),
    ("won 2-1", "won 21", False),
    ("café", "cafe", False),
    ("कि", "की", False),
    ("嵐が来た", "嵐が去った", False),
    ("😀", "😡", False),
    ("storm", "", False),
    ("!", "", False),
    ("word " * 10_000, "Word, " * 10_000, True),
    ("word " * 10_000, "word " * 9_999, False),
]


@pytest.mark.parametrize(("source", "output", "expected"), CASES)
def test_case_and_punctuation_do_not_hide_a_copy(source: str, output: str, expected: bool) -> None:
    assert is_copy(source, output) is expected
    assert is_copy(output, source) is expected


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_text_is_a_copy_of_itself_and_an_exact_copy_is_a_copy(left: str, right: str) -> None:
    assert is_copy(left, left)
    assert is_copy(left, left, exact=True)
    assert is_copy(left, right, exact=True) == (left == right)


@given(st.lists(st.sampled_from(["storm", "hit", "the", "coast", "7"]), min_size=1, max_size=8))
def test_shouting_with_marks_is_still_a_copy(words: list[str]) -> None:
    assert is_copy(" ".join(words), "!! ".join(word.upper() for word in words) + "?")


def test_the_rate_is_the_share_of_copies_under_a_name_of_its_own_where_exact() -> None:
    evaluation_set = EvaluationSet.of(["The storm", "The storm", "The storm", "The storm"], [["x"]] * 4)
    outputs = ["The storm", "the storm!", "A gale", ""]
    loose = CopyRate().prepare(evaluation_set)(outputs)
    exact = CopyRate(exact=True).prepare(evaluation_set)(outputs)
    assert loose.items.tolist() == [1, 1, 0, 0]
    assert loose.value == 0.5
    assert exact.items.tolist() == [1, 0, 0, 0]
    assert (loose.name, exact.name) == ("copy-rate", "exact-copy-rate")
    assert loose.signature == "copy-rate|case:lc|punctuation:ignored|rules:2"
    assert exact.signature == "exact-copy-rate|case:mixed|punctuation:kept"
    assert loose.better == "lower"
