"""Failures to sign in, in; seconds to wait before the next try, out. Counting and storing them is the caller's."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta

__all__ = [
    "BY_ADDRESS",
    "BY_NAME",
    "RECENT",
    "Failures",
    "Patience",
    "network_of",
    "seconds_to_wait",
    "wait_to_sign_in",
]

RECENT = timedelta(hours=24)
"""Failures older than this are not counted. A sign-in that succeeds ends the count of its name, not of its address."""


@dataclass(frozen=True, slots=True)
class Failures:
    """Recent failures under one name, or from one address."""

    count: int = 0
    last: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How many failures are free, and how the wait grows after them."""

    free: int = 5
    first_wait: float = 2.0
    longest_wait: float = 900.0


BY_NAME = Patience()
BY_ADDRESS = Patience(free=25)  # a class of annotators shares one address


def seconds_to_wait(failures: Failures, now: datetime, patience: Patience = BY_NAME) -> float:
    """How long until the next try: no wait for the first few failures, then 2, 4, 8 … seconds after the last.

    >>> noon = datetime(2024, 5, 1, 12)
    >>> [seconds_to_wait(Failures(count, noon), noon) for count in (4, 5, 6, 7, 30)]
    [0.0, 2.0, 4.0, 8.0, 900.0]
    """
    if failures.last is None or failures.count < patience.free:
        return 0.0
    doublings = min(failures.count - patience.free, 60)
    wait = min(patience.first_wait * 2.0**doublings, patience.longest_wait)
    passed = (now - failures.last).total_seconds()
    return max(0.0, wait - max(0.0, passed))  # a clock that was set back must not lock anyone out for longer


def wait_to_sign_in(by_name: Failures, by_address: Failures, now: datetime) -> float:
    """The longer of two waits: the name's (many guesses at one account) and the address's (one guess at many)."""
    return max(seconds_to_wait(by_name, now, BY_NAME), seconds_to_wait(by_address, now, BY_ADDRESS))


def network_of(address: str) -> str:
    """The address to count by: an IPv6 customer has 2^64 addresses, so their network stands for all of them.

    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("192.0.2.7"), network_of("::ffff:192.0.2.7")
    ('2001:db8:1:2::/64', '192.0.2.7', '192.0.2.7')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((int(parsed), 64), strict=False))
