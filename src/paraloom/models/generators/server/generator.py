"""The address of a server and the name of a model in, a generator out: any server that speaks OpenAI's protocol.

What is asked for a source, and with which seeds, follows from the source and from `rng` alone. What the server makes
of a seed is its own affair; a reply that lies in the ledger is final.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from hashlib import blake2b
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

import orjson

from paraloom.errors import InputError
from paraloom.models.generators import Candidate, Usage, streams
from paraloom.models.generators.server.answers import clean_answer, folded
from paraloom.models.generators.server.client import Client, Refused, Stopped, Unanswered
from paraloom.models.generators.server.ledger import Entry, Ledger, opened
from paraloom.models.generators.server.limits import Budget, Prices
from paraloom.models.generators.server.options import PATHS, ServerOptions, checked_address
from paraloom.models.generators.server.prompts import as_data, read_prompt
from paraloom.models.generators.server.replies import Answer, Reply

if TYPE_CHECKING:
    import numpy as np

NAME = "server"
SEEDS = 2**31
"""Seeds are below this: a server may keep them in 32 bits."""
TEMPLATE_TOKENS = 16
"""What a server's own template may add to each message, at most."""
BYTES_A_TOKEN = 4
"""Where a server does not count, that many bytes are thought to be a token."""
REFUSED_AS_MANY = (400, 422, 501)
"""Statuses with which servers refuse to answer more than once in a request, or more often than they are set up for."""


class ServerGenerator:
    """Asks a language model on a server, with the prompts of Dou et al. (2022) or one's own.

    >>> ServerGenerator("http://127.0.0.1:8080/v1", "smollm2").signature[:40]
    'server|model:smollm2|endpoint:chat|promp'
    """

    def __init__(
        self, url: str, model: str, options: ServerOptions = ServerOptions(), *, ledger: Path | None = None
    ) -> None:
        """With `ledger` every reply is kept in that file, and no request that has its reply there is made again."""
        if not model.strip():
            raise InputError("A server is asked for a model by its name. Give one with --model.")
        self.model, self.options = model, options
        self._prompt = read_prompt(options.prompt)
        self._stop = Event()
        self._client = Client(checked_address(url), options, self._stop)
        self._ledger = Ledger(ledger) if ledger is not None else None
        self._prices = Prices(read=options.price_in, written=options.price_out)
        self._budget = Budget(options.most_tokens, options.most_cost)
        self._refused_as_many: set[int] = set()
        self._requests, self._read, self._written, self._cost = 0, 0, 0, 0.0
        self._counts: Counter[str] = Counter()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """As it stands in tables."""
        return NAME

    @property
    def signature(self) -> str:
        """Model, prompt and settings; where the server is, and who pays, decides no output."""
        return "|".join((NAME, *(f"{name}:{value}" for name, value in self._settings().items())))

    @property
    def usage(self) -> Usage:
        """What was asked of the server since this was made; replies from the ledger cost nothing."""
        with self._lock:
            return Usage(
                requests=self._requests,
                tokens_read=self._read,
                tokens_written=self._written,
                cost=round(self._cost, 9),
            )

    @property
    def counts(self) -> dict[str, int]:
        """What became of answers and sources, by reason, in the order of the alphabet.

        Answers: `used`, `duplicate`, `copy`, `refusal`, `cut_off`, `rambling`, `empty`. Sources without an answer:
        `empty_source`, `too_long`, `server_error`, `timeout`, `malformed`. Requests: `repeated`, `from_ledger`,
        `not_counted` (the server told no tokens: they are estimated).
        """
        with self._lock:
            return dict(sorted((self._counts + self._client.counts).items()))

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        """Up to `n` different candidates for each source.

        Ends with an error where the server refuses, does not answer, or a budget is used up: after all requests under
        way have been answered and noted. With a ledger the same call goes on from there.
        """
        chances = dict(zip(sources, streams(sources, rng), strict=True))
        self._stop.clear()
        with opened(self._ledger), self._client.opened():
            if self._ledger is not None:
                self._budget.tokens, self._budget.cost = self._ledger.tokens, self._ledger.cost
            with ThreadPoolExecutor(self.options.at_once) as threads:
                asked = {
                    source: threads.submit(self._ask_or_stop, source, n, chance) for source, chance in chances.items()
                }
                try:
                    wait(asked.values(), return_when=FIRST_EXCEPTION)
                finally:
                    self._stop.set()  # where all are done already there is nobody to hear it
                    threads.shutdown(cancel_futures=True)
        errors = [one.exception() for one in asked.values() if not one.cancelled()]
        for error in errors:
            if error is not None and not isinstance(error, Stopped):
                raise error
        found = {source: one.result() for source, one in asked.items()}
        return [found[source] for source in sources]

    def _ask_or_stop(self, source: str, n: int, chance: np.random.Generator) -> list[Candidate]:
        """An error ends the work of all threads, before one of them begins with the next source."""
        try:
            return self._ask_for(source, n, chance)
        except BaseException:
            self._stop.set()
            raise

    def _ask_for(self, source: str, n: int, chance: np.random.Generator) -> list[Candidate]:
        """Ask until there are `n` different candidates, or it has been tried often enough."""
        if not as_data(source):
            self._count("empty_source")
            return []
        found: dict[str, Candidate] = {}
        asked, most = 0, 1 if self.options.temperature == 0 else n * self.options.tries
        while len(found) < n and asked < most:
            wanted = min(n - len(found), most - asked)
            try:
                reply = self._reply(source, n, wanted, int(chance.integers(SEEDS)))
            except Unanswered as reason:
                self._count(reason.reason)
                break
            asked += max(1, len(reply.answers))
            for answer in reply.answers:
                if len(found) < n:
                    self._take(answer, source, found)
        return sorted(found.values(), key=lambda candidate: -candidate.score)  # stable: equal ones as they came

    def _take(self, answer: Answer, source: str, found: dict[str, Candidate]) -> None:
        if answer.finish in ("content_filter", "refusal"):
            self._count("refusal")
            return
        cleaned = clean_answer(
            answer.text,
            source,
            self._prompt,
            is_cut_off=answer.finish == "length",
            keep_copies=self.options.keep_copies,
        )
        key = folded(cleaned.text)
        self._count(cleaned.dropped_for or ("duplicate" if key in found else "used"))
        if cleaned.dropped_for is None and key not in found:
            found[key] = Candidate(text=cleaned.text, score=answer.score)

    def _reply(self, source: str, n: int, wanted: int, seed: int) -> Reply:
        """All that is wanted at once where the server can do that for `n`, else one answer, with the same seed."""
        if wanted > 1 and self.options.many_at_once and n not in self._refused_as_many:
            try:
                return self._answered(source, wanted, seed)
            except Refused as refused:
                if refused.fault.status not in REFUSED_AS_MANY:
                    raise
            reply = self._answered(source, 1, seed)  # where this is refused too, it was not for the number
            self._refused_as_many.add(n)
            return reply
        return self._answered(source, 1, seed)

    def _answered(self, source: str, wanted: int, seed: int) -> Reply:
        body = self._body(source, wanted, seed)
        key = self._key(body, seed)
        if self._ledger is not None and (entry := self._ledger.find(key)) is not None:
            self._count("from_ledger")
            return entry.reply
        read = len(orjson.dumps(body)) + TEMPLATE_TOKENS * len(body.get("messages", "."))  # a token has a byte at least
        written = wanted * (self.options.max_tokens or 0)
        reserved = (read + written, self._prices.cost(read, written))
        self._budget.reserve(*reserved)
        used = (0, 0.0)
        try:
            tokens = read // BYTES_A_TOKEN + written
            reply = self._client.ask(body, key=key, tokens=tokens, letters=len(source))
            entry = self._entry(reply, body)
            used = (entry.tokens_read + entry.tokens_written, entry.cost)
            if self._ledger is not None:
                self._ledger.add(key, entry)
        finally:
            self._budget.settle(reserved, used)
        with self._lock:
            self._requests += 1
            self._read += entry.tokens_read
            self._written += entry.tokens_written
            self._cost += entry.cost
        return reply

    def _entry(self, reply: Reply, body: dict[str, Any]) -> Entry:
        read, written = reply.tokens_read, reply.tokens_written
        if read is None or written is None:
            self._count("not_counted")
            asked = body.get("prompt") or "".join(message["content"] for message in body["messages"])
            read = -(-len(asked.encode()) // BYTES_A_TOKEN)
            written = sum(-(-len(answer.text.encode()) // BYTES_A_TOKEN) for answer in reply.answers)
        return Entry(reply, read, written, self._prices.cost(read, written))

    def _body(self, source: str, wanted: int, seed: int) -> dict[str, Any]:
        options, is_chat = self.options, self.options.endpoint == "chat"
        sent = {
            "model": self.model,
            "messages": self._prompt.as_messages(source) if is_chat else None,
            "prompt": None if is_chat else self._prompt.as_text(source),
            "temperature": options.temperature,
            "top_p": options.top_p,
            "frequency_penalty": options.frequency_penalty,
            "presence_penalty": options.presence_penalty,
            options.max_tokens_name: options.max_tokens,
            "stop": list(options.stop) or None,
            "seed": seed if options.send_seed else None,
            "n": wanted if wanted > 1 else None,
            "logprobs": (True if is_chat else 1) if options.logprobs else None,
        }
        return {name: value for name, value in sent.items() if value is not None}

    def _settings(self) -> dict[str, Any]:
        """All that decides an output, but for source and seed."""
        options = self.options
        return {
            "model": self.model,
            "endpoint": options.endpoint,
            "prompt": self._prompt.signature,
            "t": options.temperature,
            "p": options.top_p,
            "fp": options.frequency_penalty,
            "pp": options.presence_penalty,
            "max": options.max_tokens,
            "stop": blake2b(orjson.dumps(options.stop), digest_size=4).hexdigest() if options.stop else "none",
            "seeded": options.send_seed,
            "logprobs": options.logprobs,
            "many": options.many_at_once,
            "tries": options.tries,
            "copies": options.keep_copies,
        }

    def _key(self, body: dict[str, Any], seed: int) -> str:
        """A hash of the request: path, body and seed, be the seed sent or not. Address and API key are not among it."""
        asked = [PATHS[self.options.endpoint], body, seed]
        return blake2b(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS), digest_size=16).hexdigest()

    def _count(self, what: str) -> None:
        with self._lock:
            self._counts[what] += 1
