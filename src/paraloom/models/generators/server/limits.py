"""Requests that want to begin in, those that may out: so many a minute, and no more than a budget allows.

Both are shared by all threads. Time is an argument: a clock and a way to wait.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Lock

from paraloom.errors import InputError

WINDOW = 60.0
"""Seconds over which requests and tokens are counted."""
PER = 1_000_000
"""Tokens that a price is for."""


@dataclass(slots=True)
class Begun:
    """One request that has begun, with the tokens it is thought to use."""

    at: float
    tokens: int


class Pace:
    """Lets requests begin so that no 60 seconds see more of them, or of their tokens, than allowed."""

    def __init__(
        self,
        requests: int,
        tokens: int,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self._requests, self._tokens = requests, tokens
        self._clock, self._wait = clock, wait
        self._begun: deque[Begun] = deque()
        self._held_until = float("-inf")
        self._lock = Lock()

    def begin(self, tokens: int) -> Begun:
        """Wait until a request with about so many tokens may begin, and note it."""
        while True:
            with self._lock:
                now = self._clock()
                if (seconds := self._seconds_to_wait(tokens, now)) <= 0:
                    begun = Begun(now, tokens)
                    if self._requests or self._tokens:
                        self._begun.append(begun)
                    return begun
            self._wait(seconds)

    def settle(self, begun: Begun, tokens: int) -> None:
        """Correct what a request was thought to use."""
        with self._lock:
            begun.tokens = tokens

    def hold(self, seconds: float) -> None:
        """Let no request begin for so long: the server has asked for it."""
        with self._lock:
            self._held_until = max(self._held_until, self._clock() + seconds)

    def _seconds_to_wait(self, tokens: int, now: float) -> float:
        while self._begun and self._begun[0].at <= now - WINDOW:
            self._begun.popleft()
        until = self._held_until
        if self._requests and len(self._begun) >= self._requests:
            until = max(until, self._begun[-self._requests].at + WINDOW)
        if self._tokens:
            room = self._tokens - tokens
            used = sum(begun.tokens for begun in self._begun)
            for begun in self._begun:  # a request that is larger than a minute's tokens goes when it is alone
                if used <= room:
                    break
                used -= begun.tokens
                until = max(until, begun.at + WINDOW)
        return until - now


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost."""

    read: float = 0.0
    written: float = 0.0

    def cost(self, tokens_read: int, tokens_written: int) -> float:
        """What so many tokens cost.

        >>> Prices(read=0.5, written=1.5).cost(2_000_000, 1_000_000)
        2.5
        """
        return (tokens_read * self.read + tokens_written * self.written) / PER


class Budget:
    """Lets a request begin only if the most that it can use is left; what it used in fact is noted behind it."""

    def __init__(self, most_tokens: int, most_cost: float, *, tokens: int = 0, cost: float = 0.0) -> None:
        self.most_tokens, self.most_cost = most_tokens, most_cost
        self.tokens, self.cost = tokens, cost
        """Used so far; what a ledger holds from earlier runs is among it."""
        self._reserved_tokens, self._reserved_cost, self._under_way = 0, 0.0, 0
        self._changed = Condition()

    def reserve(self, tokens: int, cost: float) -> None:
        """Set so much aside; wait where requests under way may leave enough of it, and stop where they cannot."""
        with self._changed:
            while not self._has_room(tokens, cost):
                if not self._under_way:
                    raise InputError(
                        f"The next request could exceed the budget: {self._told()}. Give a larger --most-tokens or "
                        "--most-cost: with a ledger the same command goes on, and pays for no answer twice."
                    )
                self._changed.wait()
            self._reserved_tokens += tokens
            self._reserved_cost += cost
            self._under_way += 1

    def settle(self, reserved: tuple[int, float], used: tuple[int, float]) -> None:
        """Give back what was set aside, and note what was used."""
        with self._changed:
            self._reserved_tokens -= reserved[0]
            self._reserved_cost -= reserved[1]
            self._under_way -= 1
            self.tokens += used[0]
            self.cost += used[1]
            self._changed.notify_all()

    def _has_room(self, tokens: int, cost: float) -> bool:
        fits_tokens = self.tokens + self._reserved_tokens + tokens <= self.most_tokens
        fits_cost = self.cost + self._reserved_cost + cost <= self.most_cost * (1 + 1e-9)  # sums of tenths
        return (fits_tokens or not self.most_tokens) and (fits_cost or not self.most_cost)

    def _told(self) -> str:
        tokens = f"{self.tokens:,} of {self.most_tokens:,} tokens" if self.most_tokens else f"{self.tokens:,} tokens"
        cost = f"{self.cost:.4f} of {self.most_cost:g}" if self.most_cost else ""
        return " and ".join(part for part in (tokens, cost) if part) + " are used"
