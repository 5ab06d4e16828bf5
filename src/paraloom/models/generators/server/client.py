"""Requests in, replies out: with patience for what fails for the moment, and a plain word about what fails for good."""

from __future__ import annotations

import json
import ssl
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from hashlib import blake2b
from ipaddress import ip_address
from threading import Event, Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from paraloom.errors import InputError
from paraloom.models.generators.server.limits import Pace
from paraloom.models.generators.server.options import PATHS, ServerOptions, key_in
from paraloom.models.generators.server.replies import Fault, Malformed, Reply, error_inside, read_fault, read_reply

if TYPE_CHECKING:
    import httpx

CONNECT_PATIENCE = 20.0
FAILED_IN_A_ROW = 10
"""Requests that fail one after the other, each to the last of its repetitions: then it is not the sources' fault."""
SURELY_SHORT = 400
"""Letters of a source that no model finds too long."""
SECRET = 16
"""Letters that a key has at least which is hidden in answers too; a shorter one (`EMPTY`, `test`) is a mere word."""


class Stopped(Exception):
    """Another thread has met what ends the run."""


class Unanswered(Exception):
    """One request has no reply, for a reason that lies in its source; others may have theirs."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Refused(InputError):
    """The server refuses a request for good."""

    def __init__(self, message: str, fault: Fault) -> None:
        super().__init__(message)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one attempt has no reply."""

    told: str
    reason: str
    """`server_error`, `timeout` and `malformed` may be about this one request; `absent` is about the server."""
    wait: float = 0.0
    """Seconds that the server asks for."""


class Client:
    """Asks one server, from many threads; open within `with client.opened():` alone."""

    def __init__(self, address: str, options: ServerOptions, stop: Event) -> None:
        self.address, self.options, self.stop = address, options, stop
        self.counts: Counter[str] = Counter()
        self.pace = Pace(options.requests_per_minute, options.tokens_per_minute, wait=self._wait)
        self._http: httpx.Client | None = None
        self._failed_in_a_row = 0
        self._lock = Lock()
        key_in(options.key_from_env)  # a name that says nothing is refused before anything is done

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Connections to the server; its key is read from the environment, and is nowhere else."""
        httpx = _httpx()
        key = key_in(self.options.key_from_env)
        patience = httpx.Timeout(self.options.timeout, connect=min(CONNECT_PATIENCE, self.options.timeout), pool=None)
        is_near = _is_loopback(self.address)
        self._failed_in_a_row = 0
        with httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=patience,
            limits=httpx.Limits(max_connections=self.options.at_once, max_keepalive_connections=self.options.at_once),
            verify=_trusted() if self.address.startswith("https:") else False,
            trust_env=not is_near,  # a proxy cannot reach this machine's own servers
        ) as self._http:
            try:
                yield
            finally:
                self._http = None

    def ask(self, body: Mapping[str, Any], *, key: str, tokens: int, letters: int) -> Reply:
        """The reply to one request, whose key spreads the waiting of many; `letters` is the length of its source."""
        attempt = 0
        while True:
            if self.stop.is_set():
                raise Stopped
            begun = self.pace.begin(tokens)
            met = self._attempt(body, letters)
            if isinstance(met, Reply):
                with self._lock:
                    self._failed_in_a_row = 0
                used = (met.tokens_read or 0) + (met.tokens_written or 0)
                self.pace.settle(begun, used or tokens)
                return met
            self._give_up_or_wait(met, attempt, key)
            attempt += 1

    def _attempt(self, body: Mapping[str, Any], letters: int) -> Reply | Failure:
        httpx = _httpx()
        if self._http is None:
            raise RuntimeError("A client asks within `with client.opened():` alone.")
        try:
            response = self._http.post(self.address + PATHS[self.options.endpoint], json=dict(body))
            text, hidden = response.text, self._hidden(response.text)
        except (httpx.InvalidURL, UnicodeError) as error:
            raise InputError(f"{self.address!r} is no address of a server: {error}. Check --settings url.") from error
        except httpx.ConnectTimeout as error:
            return Failure(self._told(error), "absent")
        except httpx.TimeoutException:
            return Failure(f"no answer within {self.options.timeout:g} seconds", "timeout")
        except (httpx.TransportError, httpx.DecodingError) as error:
            return Failure(self._told(error), "absent")
        decoded = _decoded(hidden if len(key_in(self.options.key_from_env)) >= SECRET else text)
        status = (error_inside(decoded) if response.is_success else None) or response.status_code
        if not 200 <= status < 300:
            fault = read_fault(status, _decoded(hidden), hidden)
            return self._failure(replace(fault, told=self._hidden(fault.told)), response, letters)  # it may be escaped
        try:
            return read_reply(decoded)
        except Malformed as error:
            return Failure(f"a reply that cannot be read: {error}", "malformed")

    def _failure(self, fault: Fault, response: httpx.Response, letters: int) -> Failure:
        if (reason := fault.about_the_source) and not (reason == "too_long" and letters < SURELY_SHORT):
            raise Unanswered(reason)
        if fault.is_for_the_moment:
            reason = "server_error" if fault.status == 500 else "absent"
            return Failure(f"status {fault.status}: {fault.told}", reason, wait_asked_for(response.headers))
        hint = _HINTS.get(fault.status, "Mend that and give the same command again.")
        if fault.is_about_money:
            hint = "Pay the server's owner, or choose another server; the same command then goes on."
        raise Refused(f"{self.address} refuses the request (status {fault.status}: {fault.told}). {hint}", fault)

    def _give_up_or_wait(self, failure: Failure, attempt: int, key: str) -> None:
        """Come back after a while, or raise where it has been tried often enough."""
        options = self.options
        if failure.wait > options.longest_wait:
            raise InputError(
                f"{self.address} asks for a wait of {failure.wait:,.0f} seconds ({failure.told}). Give the same "
                "command again after that, or a larger --longest-wait."
            )
        self.pace.hold(failure.wait)  # for the requests of other sources too
        if attempt >= options.retries:
            with self._lock:
                self._failed_in_a_row += 1
                is_alone = failure.reason != "absent" and self._failed_in_a_row < FAILED_IN_A_ROW
            if is_alone:
                raise Unanswered(failure.reason)
            raise InputError(
                f"{self.address} does not answer after {attempt + 1} attempts: {failure.told}. Is it running? Give "
                "the same command again: what was answered is kept in the ledger."
            )
        with self._lock:
            self.counts["repeated"] += 1
        self._wait(max(failure.wait, back_off(options.first_wait, attempt, key, options.longest_wait)))

    def _wait(self, seconds: float) -> None:
        if self.stop.wait(seconds):
            raise Stopped

    def _told(self, error: Exception) -> str:
        return self._hidden(str(error) or type(error).__name__)

    def _hidden(self, told: str) -> str:
        """A server's words, without the key where it repeats it."""
        key = key_in(self.options.key_from_env)
        return told.replace(key, "***") if key else told


_HINTS = {
    **dict.fromkeys((301, 302, 307, 308), "It has moved: give the address it leads to."),
    401: "Is the key right? Name the environment variable that holds it with --key-from-env.",
    403: "Is the key right, and may it use this model?",
    404: "Are the address (it mostly ends in /v1) and the name of the model right?",
    405: "Is the address right? It mostly ends in /v1.",
}


def _decoded(text: str) -> Any:
    """What JSON says; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def back_off(first: float, attempt: int, key: str, longest: float) -> float:
    """Seconds to wait before a repetition: doubled each time, and spread by the request's key between a half and all.

    >>> [round(back_off(1.0, attempt, "ab", 120.0), 1) for attempt in (0, 1, 2, 20)]
    [0.6, 1.6, 3.3, 99.1]
    """
    digest = blake2b(f"{key} {attempt}".encode(), digest_size=4).digest()
    return min(longest, first * 2.0**attempt) * (0.5 + int.from_bytes(digest) / 2**33)


def wait_asked_for(headers: Mapping[str, str], now: datetime | None = None) -> float:
    """Seconds that `Retry-After` asks for, given as a number or a time; 0 where it says nothing.

    >>> wait_asked_for({"retry-after": "2.5"}), wait_asked_for({}), wait_asked_for({"retry-after": "soon"})
    (2.5, 0.0, 0.0)
    """
    asked = headers.get("retry-after", "").strip()
    try:
        seconds = float(asked)
    except ValueError:
        try:
            time = parsedate_to_datetime(asked)
        except (ValueError, OverflowError):
            return 0.0
        if time.tzinfo is None:
            time = time.replace(tzinfo=UTC)
        seconds = (time - (now or datetime.now(UTC))).total_seconds()
    return seconds if 0 < seconds < float("inf") else 0.0


def _is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _httpx() -> Any:
    try:
        import httpx
    except ModuleNotFoundError as absent:
        raise InputError("Asking a server needs httpx, which is not installed: pip install 'paraloom[generate]'") from (
            absent
        )
    return httpx


@cache
def _trusted() -> ssl.SSLContext:
    """Certificates take a tenth of a second to load: once is enough."""
    context: ssl.SSLContext = _httpx().create_ssl_context()
    return context
