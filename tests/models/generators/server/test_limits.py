"""Pace and budget, on a clock of the test's own: no minute and no budget sees more than it may."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.generators.server.limits import WINDOW, Budget, Pace


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        assert seconds > 0
        self.now += seconds + 1e-6


def paced(requests: int, tokens: int) -> tuple[Pace, Clock]:
    clock = Clock()
    return Pace(requests, tokens, clock=clock, wait=clock.wait), clock


@given(
    st.integers(0, 5),
    st.integers(0, 300),
    st.lists(st.tuples(st.integers(1, 200), st.integers(1, 200), st.floats(0, 30)), max_size=40),
)
def test_no_minute_sees_more_than_it_may(requests: int, tokens: int, wanted: list[tuple[int, int, float]]) -> None:
    pace, clock = paced(requests, tokens)
    begun = []
    for thought, used, passed in wanted:
        one = pace.begin(thought)
        begun.append((clock.now, thought, used))
        before = [(at, real) for at, _, real in begun[:-1] if at > clock.now - WINDOW]
        assert not requests or len(before) < requests
        assert not tokens or not before or sum(real for _, real in before) + thought <= tokens
        pace.settle(one, used)
        clock.now += passed


def test_without_limits_nobody_waits() -> None:
    pace, clock = paced(0, 0)
    for _ in range(1000):
        pace.begin(10_000)
    assert clock.now == 100.0


def test_what_the_server_asks_for_holds_for_all() -> None:
    pace, clock = paced(0, 0)
    pace.hold(30.0)
    pace.hold(5.0)
    pace.begin(1)
    assert clock.now >= 130.0


def test_a_request_that_could_exceed_the_budget_does_not_begin() -> None:
    budget = Budget(100, 0.0)
    budget.reserve(60, 0.0)
    budget.settle((60, 0.0), (30, 0.0))
    budget.reserve(70, 0.0)
    budget.settle((70, 0.0), (50, 0.0))
    with pytest.raises(InputError, match="80 of 100 tokens are used"):
        budget.reserve(21, 0.0)


def test_cost_counts_as_tokens_do_and_earlier_runs_count_too() -> None:
    budget = Budget(0, 0.3, tokens=5, cost=0.2)
    budget.reserve(10, 0.1)
    budget.settle((10, 0.1), (10, 0.1))
    with pytest.raises(InputError, match=r"15 tokens and 0\.3000 of 0\.3 are used"):
        budget.reserve(1, 0.01)


def test_a_request_waits_for_those_under_way_that_may_leave_enough() -> None:
    budget = Budget(100, 0.0)
    budget.reserve(80, 0.0)
    second = threading.Thread(target=budget.reserve, args=(50, 0.0), daemon=True)
    second.start()
    budget.settle((80, 0.0), (20, 0.0))
    second.join(timeout=60)
    assert not second.is_alive()
    budget.settle((50, 0.0), (50, 0.0))
    with pytest.raises(InputError, match="70 of 100 tokens are used"):
        budget.reserve(31, 0.0)
