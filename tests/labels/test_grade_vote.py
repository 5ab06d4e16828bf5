"""A grade is voted on step by step, and never contradicts what was decided of the pair."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.labels.grade_vote import voted_grade
from paraloom.metrics.identification.graded import is_paraphrase, turned

LABELS = ["1", "2", "3", "4", "4<", "4>", "4i", "4s", "4is", "4<i", "4>i", "4<s", "4>s", "4<is", "4>is", "x"]


def shares(votes: list[str]) -> dict[str, float]:
    return {label: count / len(votes) for label, count in Counter(votes).items()}


CASES = [
    (["3", "4", "4>", "2", "2"], True, "4"),  # 2 is the most frequent label, but three of five say paraphrase
    (["4", "4", "4", "1", "2", "2"], True, "4"),
    (["1", "1", "2", "4"], False, "1"),
    (["1", "2"], False, "2"),  # a tie: what claims less
    (["3", "4>"], True, "3"),
    (["4>", "4s"], True, "4"),
    (["4>", "4<"], True, "4"),
    (["4>", "4<", "4>"], True, "4>"),
    (["4>", "4>", "4<", "4<", "4"], True, "4"),
    (["4>", "4>", "4<", "4"], True, "4>"),  # more than the other and than none, though not than half
    (["4i", "4", "4is"], True, "4i"),
    (["4>i", "4>s", "4is"], True, "4>is"),  # nobody gave it as a whole
    (["4>", "4>", "3"], True, "4>"),
    (["x", "x", "4"], None, "x"),
    (["x", "4"], None, None),
    (["4", "2"], None, None),
    (["x", "4", "4>"], True, "4"),
    (["4", "4"], False, None),  # too few votes for a threshold of three: nobody gave a 1 or 2
]


@pytest.mark.parametrize(("votes", "said", "grade"), CASES)
def test_a_grade_is_voted_on_step_by_step(votes: list[str], said: bool | None, grade: str | None) -> None:
    assert voted_grade(shares(votes), said) == grade
    assert voted_grade(shares(votes[::-1]), said) == grade


VOTES = st.lists(st.sampled_from(LABELS), min_size=1, max_size=9)


@given(votes=VOTES, said=st.sampled_from([True, False, None]))
def test_a_grade_goes_with_what_was_decided(votes: list[str], said: bool | None) -> None:
    skipped = votes.count("x") > len(votes) / 2
    grade = voted_grade(shares(votes), said)
    if skipped:
        assert grade == "x"
    elif grade is not None:
        assert is_paraphrase(grade) is said is not None
        assert grade[0] in {vote[0] for vote in votes}
    else:
        assert said is None or not any(is_paraphrase(vote) is said for vote in votes)


@given(votes=VOTES, said=st.sampled_from([True, False, None]), order=st.randoms(use_true_random=False))
def test_neither_the_order_nor_the_side_that_is_left_changes_a_vote(votes, said, order) -> None:
    mixed = votes[:]
    order.shuffle(mixed)
    grade = voted_grade(shares(votes), said)
    assert voted_grade(shares(mixed), said) == grade
    other = voted_grade(shares([turned(vote) for vote in votes]), said)
    assert other == (None if grade is None else turned(grade))


@given(vote=st.sampled_from(LABELS), times=st.integers(1, 5))
def test_what_all_say_is_the_grade(vote: str, times: int) -> None:
    assert voted_grade(shares([vote] * times), is_paraphrase(vote)) == vote
