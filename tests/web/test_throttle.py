"""The first failures are free, then each doubles the wait, up to a quarter of an hour."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.web.throttle import BY_ADDRESS, BY_NAME, Failures, network_of, seconds_to_wait, wait_to_sign_in

NOON = datetime(2024, 5, 1, 12)

WAITS = [(0, 0), (1, 0), (4, 0), (5, 2), (6, 4), (7, 8), (13, 512), (14, 900), (15, 900), (10**9, 900)]


@pytest.mark.parametrize(("count", "wait"), WAITS)
def test_the_wait_doubles_after_the_free_ones(count: int, wait: float) -> None:
    assert seconds_to_wait(Failures(count, NOON), NOON) == wait


def test_time_passes() -> None:
    failures = Failures(7, NOON)
    assert seconds_to_wait(failures, NOON + timedelta(seconds=3)) == 5
    assert seconds_to_wait(failures, NOON + timedelta(seconds=9)) == 0
    assert seconds_to_wait(failures, NOON - timedelta(hours=5)) == 8  # the clock was set back


def test_no_failures_no_wait() -> None:
    assert wait_to_sign_in(Failures(), Failures(), NOON) == 0


def test_name_and_address_wait_separately() -> None:
    assert wait_to_sign_in(Failures(6, NOON), Failures(1, NOON), NOON) == 4
    assert wait_to_sign_in(Failures(), Failures(BY_ADDRESS.free + 1, NOON), NOON) == 4
    assert wait_to_sign_in(Failures(), Failures(BY_NAME.free + 1, NOON), NOON) == 0  # colleagues share an address


@given(st.integers(0, 10**6), st.floats(-1e6, 1e6))
def test_the_wait_is_never_negative_or_endless_and_grows_with_failures(count: int, passed: float) -> None:
    now = NOON + timedelta(seconds=passed)
    wait = seconds_to_wait(Failures(count, NOON), now)
    assert 0 <= wait <= BY_NAME.longest_wait
    assert wait <= seconds_to_wait(Failures(count + 1, NOON), now)


@pytest.mark.parametrize("address", ["testclient", "", "unix:", "fe80::1%eth0"])
def test_what_is_no_address_does_not_crash(address: str) -> None:
    assert isinstance(network_of(address), str)


def test_one_customer_is_one_network() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1") != network_of("2001:db8:0:1::1")
