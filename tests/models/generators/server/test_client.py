"""Faults of servers, from a real one that has them: some are waited out, some told plainly, none shows the key."""

from __future__ import annotations

import socket
import threading
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.generators.server import ServerGenerator, limits
from paraloom.models.generators.server.client import FAILED_IN_A_ROW, back_off, wait_asked_for
from paraloom.models.generators.server.options import ServerOptions, checked_address
from tests.models.generators.server.scripted import Asked, Said, answer, fault, first, reworded, scripted

SOURCES = ["A storm hit the coast.", "The mayor resigned today."]
KEY = "sk-very-secret-0123456789"


def options(**given: Any) -> ServerOptions:
    return ServerOptions(**{"first_wait": 0.01, "at_once": 1, "retries": 3, **given})


def generated(
    url: str, sources: list[str] = SOURCES, n: int = 1, **given: Any
) -> tuple[list[list[str]], ServerGenerator]:
    generator = ServerGenerator(url, "tiny", options(**given))
    found = generator.generate(sources, n, np.random.default_rng(1))
    return [[candidate.text for candidate in candidates] for candidates in found], generator


TOO_QUICK = (
    "Rate limit reached on requests per min. Limit: 3 / min. Please try again in 20s. Visit "
    "https://example.org/account/billing to add a payment method."
)
FOR_THE_MOMENT = [
    ("busy", [fault(429, headers={"Retry-After": "0.05"})]),
    ("failing", [fault(500), fault(503), Said(b"<html>Bad gateway</html>", 502)]),
    ("cutting", [Said({"choices": []}, is_cut=True)]),
    ("garbled", [Said(b'{"choices": [{"mess'), Said({"choices": [{"nothing": 1}]})]),
    ("failing as if all were well", [Said({"error": {"message": "overloaded", "code": 529}})]),
    ("holding back those who pay nothing", [fault(429, TOO_QUICK, type="requests", code="rate_limit_exceeded")]),
]


@pytest.mark.parametrize(("name", "faults"), FOR_THE_MOMENT, ids=[name for name, _ in FOR_THE_MOMENT])
def test_what_fails_for_the_moment_is_repeated(name: str, faults: list[Said]) -> None:
    with scripted() as well:
        expected, _ = generated(well.url)
    with scripted(first(*faults)) as server:
        found, generator = generated(server.url)
    assert found == expected
    assert generator.counts["repeated"] == len(faults)
    assert generator.usage.requests == 2
    bodies = [asked.body for asked in server.asked[: len(faults) + 1]]
    assert bodies == [bodies[0]] * len(bodies), "it is the same request that is repeated"


def test_an_answer_that_does_not_come_is_asked_for_again() -> None:
    is_done = threading.Event()

    def script(asked: Asked) -> Said:
        if not asked.number:
            is_done.wait(60)
        return reworded(asked)

    with scripted(script) as server:
        found, generator = generated(server.url, SOURCES[:1], timeout=1.0)
        is_done.set()
    assert all(found)
    assert generator.counts["repeated"] >= 1


FOR_GOOD = [
    (fault(400, "temperature must be below 1"), "status 400: temperature must be below 1"),
    (fault(401, "no such key"), r"status 401: no such key\)\. Is the key right\?"),
    (fault(404, "no model tiny"), r"status 404: no model tiny\)\. Are the address"),
    (Said({"detail": "unknown field seed"}, 422), "status 422: unknown field seed"),
    (Said(b"moved", 308), r"status 308: moved\)\. It has moved"),
    (fault(429, "You exceeded your current quota", code="insufficient_quota"), "quota.* Pay the server's owner"),
    (fault(429, "Your limit is reached", code="billing_hard_limit_reached"), "Pay the server's owner"),
    (fault(429, "later", headers={"Retry-After": "7200"}), r"asks for a wait of 7,200 seconds \(status 429: later\)"),
    (fault(400, "maximum context length is 8 tokens"), "status 400: maximum context length is 8 tokens"),
]


@pytest.mark.parametrize(("said", "told"), FOR_GOOD, ids=[told[:20] for _, told in FOR_GOOD])
def test_what_fails_for_good_is_told_at_once_in_the_servers_words(said: Said, told: str) -> None:
    with scripted(lambda _: said) as server, pytest.raises(InputError, match=told):
        generated(server.url)
    assert len(server.asked) == 1


def test_a_server_that_stays_away_is_told_after_the_last_repetition() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers, and nobody else takes it
        with pytest.raises(InputError, match=r"does not answer after 3 attempts: .*refused.*kept in the ledger"):
            generated(f"http://127.0.0.1:{free.getsockname()[1]}", retries=2)


SOURCES_OWN = [
    (fault(400, "the request exceeds the available context size"), "too_long"),
    (fault(413, "too large"), "too_long"),
    (fault(400, "blocked", code="content_filter"), "refusal"),
    (fault(500, "template: unexpected"), "server_error"),
    (fault(500, "inference took too long"), "server_error"),
    (Said(b"not json"), "malformed"),
]


@pytest.mark.parametrize(("said", "reason"), SOURCES_OWN, ids=[reason for _, reason in SOURCES_OWN])
def test_a_source_that_the_server_cannot_answer_is_counted_and_the_others_are_answered(said: Said, reason: str) -> None:
    poison = "word " * 200

    def script(asked: Asked) -> Said:
        return said if "word word" in asked.source else reworded(asked)

    with scripted(script) as server:
        found, generator = generated(server.url, [SOURCES[0], poison, SOURCES[1]], retries=1)
    assert [len(candidates) for candidates in found] == [1, 0, 1]
    assert generator.counts[reason] == 1


def test_a_server_that_fails_at_everything_is_not_taken_for_one_with_bad_sources() -> None:
    sources = [f"Storm {number} came." for number in range(FAILED_IN_A_ROW + 20)]
    with scripted(lambda _: fault(500, "out of memory")) as server, pytest.raises(InputError, match="out of memory"):
        generated(server.url, sources, retries=0)
    assert len(server.asked) == FAILED_IN_A_ROW


def test_the_key_goes_to_the_server_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TINY_KEY", KEY)
    caplog.set_level("DEBUG")
    ledger = tmp_path / "paid.jsonl"

    def script(asked: Asked) -> Said:
        if asked.number:
            return fault(401, f"wrong key {asked.headers['Authorization']}")
        return reworded(asked)

    with scripted(script) as server:
        generator = ServerGenerator(server.url, "tiny", options(key_from_env="TINY_KEY"), ledger=ledger)
        with pytest.raises(InputError, match=r"wrong key Bearer \*\*\*") as caught:
            generator.generate(SOURCES, 1, np.random.default_rng(1))
    assert server.asked[0].headers["Authorization"] == f"Bearer {KEY}"
    shown = "".join(traceback.format_exception(caught.value)) + caplog.text + generator.signature
    assert KEY not in shown + repr(generator.options) + repr(vars(generator)) + ledger.read_text()
    assert ledger.stat().st_size


def test_a_key_that_the_server_repeats_in_other_letters_is_hidden_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TINY_KEY", "abc/def+ghi")
    said = Said(rb'{"error": {"message": "no such key abc\/def\u002bghi"}}', 401)
    with scripted(lambda _: said) as server, pytest.raises(InputError, match=r"no such key \*\*\*") as caught:
        generated(server.url, key_from_env="TINY_KEY")
    assert "def" not in str(caught.value)


@pytest.mark.parametrize("key", ["stop", "choices", "EMPTY"])
def test_a_key_that_is_a_mere_word_is_left_in_answers_and_hidden_in_errors(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("TINY_KEY", key)
    with scripted(lambda asked: answer(asked, f"They moved the bus {key}.")) as server:
        assert generated(server.url, SOURCES[:1], key_from_env="TINY_KEY")[0] == [[f"They moved the bus {key}."]]
    with scripted(lambda _: fault(401, f"no such key {key}")) as server, pytest.raises(InputError) as caught:
        generated(server.url, key_from_env="TINY_KEY")
    assert "no such key ***" in str(caught.value)


def test_a_key_is_hidden_in_answers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TINY_KEY", KEY)
    with scripted(lambda asked: answer(asked, f"Somebody came with {KEY}.")) as server:
        assert generated(server.url, SOURCES[:1], key_from_env="TINY_KEY")[0] == [["Somebody came with ***."]]


@pytest.mark.parametrize("host", ["a..b", "a" * 70, "xn--", "a\x01b", "127.0.0.1:1/\ud800"])
def test_a_host_that_cannot_be_is_told(host: str) -> None:
    with pytest.raises(InputError, match="is no address of a server"):
        generated(f"http://{host}/v1")


@pytest.mark.parametrize("given", [KEY, "NOT_SET_AT_ALL", "A=B"])
def test_a_key_given_by_mistake_for_the_name_of_its_variable_is_not_repeated(given: str) -> None:
    with pytest.raises(InputError, match="--key-from-env") as caught:
        ServerGenerator("http://127.0.0.1:1", "tiny", ServerOptions(key_from_env=given))
    assert given not in str(caught.value)


@pytest.mark.parametrize("url", [f"http://me:{KEY}@127.0.0.1/v1", f"https://example.org/v1?key={KEY}"])
def test_an_address_with_a_secret_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InputError, match="Leave them out") as caught:
        ServerGenerator(url, "tiny")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://example.org", "http://", "http://a:99999", "http://[::1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="is no address of a server"):
        checked_address(url)


def test_waits_grow_twofold_and_are_spread_over_requests() -> None:
    for attempt in range(8):
        waits = [back_off(1.0, attempt, str(key), 20.0) for key in range(200)]
        longest = min(20.0, 2.0**attempt)
        assert longest / 2 <= min(waits) < 0.55 * longest
        assert 0.95 * longest < max(waits) <= longest


ASKED_FOR = [
    ("3", 3.0),
    ("Wed, 18 Nov 2026 10:00:30 GMT", 30.0),
    ("Wed, 18 Nov 2026 09:00:00 GMT", 0.0),
    ("-1", 0.0),
    ("nan", 0.0),
    ("", 0.0),
    ("in a while", 0.0),
    ("Wed, 18 Nov 2026 10:00:30 +99999999999999999999", 0.0),
]


@pytest.mark.parametrize(("header", "seconds"), ASKED_FOR)
def test_retry_after_is_a_number_or_a_time(header: str, seconds: float) -> None:
    assert wait_asked_for({"retry-after": header}, datetime(2026, 11, 18, 10, tzinfo=UTC)) == seconds


def test_what_retry_after_asks_for_is_waited_by_all() -> None:
    for retries in (0, 1):  # without repetition it is the next source that waits
        with scripted(first(fault(500, headers={"Retry-After": "0.4"}))) as server:
            generated(server.url, retries=retries)
        assert len(server.asked) == 2 + retries
        assert all(later.at - server.asked[0].at >= 0.4 for later in server.asked[1:])


def test_requests_begin_no_faster_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WINDOW", 0.5)
    sources = [f"Storm {number} came." for number in range(4)]
    with scripted() as server:
        generated(server.url, sources, requests_per_minute=2, at_once=4)
    times = [asked.at for asked in server.asked]
    assert max(times) - min(times) >= 0.4, "they begin half a second apart, and arrive a little later"


def test_an_answer_in_parts_or_none_is_read() -> None:
    def script(asked: Asked) -> Said:
        said = answer(asked, "")
        parts = [{"type": "text", "text": "We were "}, {"type": "text", "text": "hit \ud83d."}]
        said.body["choices"][0]["message"]["content"] = parts if asked.number == 1 else None
        return said

    with scripted(script) as server:
        found, generator = generated(server.url, SOURCES[:1])
    assert found == [["We were hit \ufffd."]]
    assert generator.counts == {"empty": 1, "used": 1}


def test_numbers_that_are_no_probabilities_count_for_nothing() -> None:
    def script(asked: Asked) -> Said:
        said = answer(asked, "We were hit.")
        said.body["choices"][0]["logprobs"] = {"content": [{"logprob": number} for number in (-1, 10**400, "x", -2)]}
        return said

    with scripted(script) as server:
        found = ServerGenerator(server.url, "tiny", options(logprobs=True)).generate(
            SOURCES[:1], 1, np.random.default_rng(1)
        )
    assert found[0][0].score == -1.5
