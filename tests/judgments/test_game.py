"""What attempts are worth, who leads, and when it is enough."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.judgments.game import Check, has_earned_all, judge, leader_board, payment
from paraloom.metrics.meaning.adversarial import Answers


class Says:
    """A model that gives the same answers to everything."""

    signature = "says"

    def __init__(self, implication: float, similarity: float) -> None:
        self.implication, self.similarity = implication, similarity

    def answer(self, left: Sequence[str], right: Sequence[str]) -> Answers:
        assert len(left) == len(right) == 1
        return Answers(implication=np.array([self.implication]), similarity=np.array([self.similarity]))


JUDGED = [
    ("other words", 0.9, 0.0, 0.25, True),
    ("other words", 0.9, -1.0, 0.986659, True),
    ("other words", 0.9, 0.5, 0.005754, True),
    ("other words", 0.9, 0.500001, 0.0, False),  # the formula would pay half a cent
    ("other words", 0.5, -2.0, 0.0, False),  # undecided is not implied
    ("other words", 0.1, -2.0, 0.0, False),
    ("?!", 0.9, -2.0, 0.0, False),  # says nothing, whatever the model thinks
]


@pytest.mark.parametrize(("text", "implication", "similarity", "reward", "passes"), JUDGED)
def test_an_attempt_is_worth_what_it_says_and_how_little_it_looks_like_it(
    text: str, implication: float, similarity: float, reward: float, passes: bool
) -> None:
    found = judge(Says(implication, similarity), "some words", text)
    assert (found.reward, found.passes) == (reward, passes)
    assert found.similarity == similarity


@given(st.floats(0, 1), st.floats(-3, 2))
def test_a_reward_lies_between_nothing_and_one_and_only_what_passes_has_one(
    implication: float, similarity: float
) -> None:
    found = judge(Says(implication, similarity), "some words", "other words")
    assert 0 <= found.reward <= 1
    assert found.passes or found.reward == 0
    assert isinstance(found, Check)


def test_the_leader_board_orders_by_total_and_shares_places() -> None:
    rows = leader_board([("cy", [0.1, 0.2]), ("ann", [0.3]), ("dee", []), ("bo", [0.0]), ("eve", [0.9])])
    assert [(row.place, row.person, row.submitted, row.passed) for row in rows] == [
        (1, "eve", 1, 1),
        (2, "ann", 1, 1),
        (2, "cy", 2, 2),
        (4, "bo", 1, 0),
    ]


@given(st.dictionaries(st.text(max_size=5), st.lists(st.floats(0, 1), max_size=5), max_size=8), st.randoms())
def test_the_leader_board_does_not_depend_on_the_order_of_people(
    rewards: dict[str, list[float]], random: object
) -> None:
    given_so, otherwise = list(rewards.items()), list(rewards.items())
    random.shuffle(otherwise)  # type: ignore[attr-defined]
    assert leader_board(given_so) == leader_board(otherwise)


PAID = [
    (0.5, 1_000_000, 0, 20_000_000, 500_000),
    (0.5, 1_000_000, 19_999_999, 20_000_000, 500_000),  # the answer that reaches the cap is paid in full
    (0.5, 1_000_000, 20_000_000, 20_000_000, 0),
    (0.5, 1_000_000, 99_000_000, None, 500_000),
    (0.333333, 30_000, 0, None, 10_000),
    (0.0, 1_000_000, 0, None, 0),
]


@pytest.mark.parametrize(("reward", "pay", "earned", "cap", "paid"), PAID)
def test_an_answer_is_paid_until_enough_is_earned(
    reward: float, pay: int, earned: int, cap: int | None, paid: int
) -> None:
    assert payment(reward, pay=pay, earned=earned, cap=cap) == paid


@given(st.lists(st.floats(0, 1), max_size=80))
def test_nobody_earns_more_than_the_cap_and_one_answer(rewards: list[float]) -> None:
    earned = 0
    for reward in rewards:
        earned += payment(reward, pay=1_000_000, earned=earned)
    assert earned < 21_000_000 or not rewards
    assert has_earned_all(earned) == (earned >= 20_000_000)
