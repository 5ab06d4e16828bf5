"""How to ask a server for paraphrases, and how far to go. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from paraloom.errors import InputError

Endpoint = Literal["chat", "completions"]

PATHS: dict[Endpoint, str] = {"chat": "/chat/completions", "completions": "/completions"}
"""Where a server takes the questions, behind its address."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """How a server is asked. The usual values are those of Dou et al. (2022), appendix D."""

    prompt: str = "zero-shot"
    """What is asked: zero-shot, few-shot (four examples), or a text of your own that holds {sentence} once."""
    endpoint: Endpoint = "chat"
    """Whether the server is asked for the next message of a chat, or to complete a text."""
    temperature: float | None = 1.0
    """How freely the server chooses words; none: it is not told, and chooses itself (so for the next four)."""
    top_p: float | None = 0.9
    """Words are drawn from the likeliest that have this probability together."""
    frequency_penalty: float | None = 0.5
    """How much less likely a word gets each time it was used."""
    presence_penalty: float | None = 0.5
    """How much less likely a word gets once it was used."""
    max_tokens: int | None = 100
    """How long an answer may get."""
    max_tokens_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the server calls that limit; models that think before they answer want the second."""
    stop: tuple[str, ...] = ("\nSentence:",)
    """Where an answer ends, for models that go on with the next example."""
    send_seed: bool = True
    """Tell the server which seed to draw with; some refuse to be told."""
    logprobs: bool = False
    """Ask for the probabilities of words: the mean of their logarithms is the score of a candidate."""
    many_at_once: bool = True
    """Ask for all candidates of a source in one request, where the server can; else in one request each."""
    tries: int = 3
    """How many answers are asked for, for each candidate that is wanted, before a source is left with fewer."""
    keep_copies: bool = False
    """Take an answer that repeats the source word for word for a candidate."""

    key_from_env: str = ""
    """The environment variable that holds the key of the server; none where it needs none."""
    timeout: float = 120.0
    """Seconds to wait for one answer."""
    retries: int = 6
    """How often a request is repeated that failed for the moment."""
    first_wait: float = 1.0
    """Seconds before the first repetition; doubled for each that follows."""
    longest_wait: float = 120.0
    """Seconds that are waited at most, also where the server asks for more: then the run ends, to be gone on with."""
    at_once: int = 4
    """Requests under way at the same time."""
    requests_per_minute: int = 0
    """How many requests may begin in any 60 seconds; 0: any number."""
    tokens_per_minute: int = 0
    """How many tokens, read and written, they may use; 0: any number."""
    price_in: float = 0.0
    """What the server charges for a million tokens that it reads."""
    price_out: float = 0.0
    """What it charges for a million tokens that it writes."""
    most_cost: float = 0.0
    """Stop before this is exceeded, in the currency of the prices, all runs with the same ledger together; 0: never."""
    most_tokens: int = 0
    """Stop before more tokens than this are used, in the same way; 0: never."""

    def __post_init__(self) -> None:
        for name in ("tries", "at_once", "timeout", "longest_wait"):
            if not getattr(self, name) > 0:
                raise InputError(f"{_flag(name)} is {getattr(self, name)}. Give a number above 0.")
        for name in _NOT_NEGATIVE:
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise InputError(f"{_flag(name)} is {value}. Give a number that is not below 0.")
        for name in ("temperature", "top_p", "frequency_penalty", "presence_penalty"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise InputError(f"{_flag(name)} is {value}. Give a number, or none.")
        if self.endpoint not in PATHS:
            raise InputError(f"--endpoint is {self.endpoint!r}. Give one of {', '.join(PATHS)}.")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InputError(f"--max-tokens is {self.max_tokens}. Give a number above 0.")
        if self.most_cost and not (self.price_in or self.price_out):
            raise InputError("--most-cost needs prices: give --price-in and --price-out, per million tokens.")
        if (self.most_cost or self.most_tokens) and self.max_tokens is None:
            raise InputError(
                "--most-cost and --most-tokens need --max-tokens: without it nobody knows what an answer may take."
            )


_NOT_NEGATIVE = (
    *("retries", "first_wait", "requests_per_minute", "tokens_per_minute"),
    *("price_in", "price_out", "most_cost", "most_tokens"),
)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def checked_address(url: str) -> str:
    """A server's address as requests are built on it; one with secrets in it is refused, and not repeated.

    >>> checked_address("http://localhost:8080/v1/"), checked_address("https://example.org")
    ('http://localhost:8080/v1', 'https://example.org/v1')
    """
    try:
        parts = urlsplit(url)
        has_secrets = "@" in parts.netloc or bool(parts.query or parts.fragment)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        has_secrets, is_address = "@" in url, False
    if has_secrets:
        raise InputError(
            "The address of the server holds a user, a password or a query. Leave them out, and name the environment "
            "variable that holds the key with --key-from-env."
        )
    if not is_address:
        raise InputError(f"{url!r} is no address of a server. Give one such as http://127.0.0.1:8080/v1.")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/') or '/v1'}"


def key_in(variable: str) -> str:
    """The key that an environment variable holds; empty where none is named.

    What was given is not repeated in an error: it may be the key itself, by mistake.
    """
    if not variable:
        return ""
    if not _VARIABLE.match(variable):
        raise InputError("--key-from-env is no name of an environment variable. Give the name, and never the key.")
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InputError("The environment variable that --key-from-env names is not set, or empty. Export it first.")
    if not key.isascii() or not key.isprintable():
        raise InputError("The key in the environment variable that --key-from-env names has letters no key has.")
    return key
