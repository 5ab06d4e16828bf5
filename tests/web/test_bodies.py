"""A body over the limit is refused with 413, whether it announces its length or only grows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import anyio
import httpx
import pytest
from fastapi import Body, FastAPI, Form, Request
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from paraloom.web.bodies import BodyLimit

inner = FastAPI()
reached: list[int] = []


@inner.post("/json")
async def take_json(given: Annotated[dict[str, str], Body()]) -> int:
    reached.append(1)
    return len(given)


@inner.post("/form")
async def take_form(text: Annotated[str, Form()]) -> int:
    reached.append(1)
    return len(text)


@inner.post("/raw")
@inner.post("/import")
@inner.post("/import/pairs")
@inner.post("/imports")
async def take_raw(request: Request) -> int:
    body = await request.body()
    reached.append(1)
    return len(body)


@inner.get("/")
async def greet() -> str:
    return "hello"


app = BodyLimit(inner, most_bytes=100, by_path={"/import": 1000, "/import/pairs/": 2000})
client = TestClient(app)


@pytest.fixture(autouse=True)
def _forget() -> None:
    reached.clear()


def chunks(size: int) -> Iterator[bytes]:
    for _ in range(size // 10):
        yield b"x" * 10


LIMITS = [
    ("/raw", 100, 200),
    ("/raw", 101, 413),
    ("/import", 1000, 200),
    ("/import", 1001, 413),
    ("/import/pairs", 2000, 200),
    ("/import/pairs", 2001, 413),
    ("/imports", 101, 413),
]


@pytest.mark.parametrize(("path", "size", "status"), LIMITS)
def test_a_body_that_says_its_length(path: str, size: int, status: int) -> None:
    assert client.post(path, content=b"x" * size).status_code == status
    assert bool(reached) == (status == 200)


@pytest.mark.parametrize(("path", "size", "status"), [("/raw", 100, 200), ("/raw", 110, 413), ("/import", 900, 200)])
def test_a_body_that_only_grows(path: str, size: int, status: int) -> None:
    answer = client.post(path, content=chunks(size))
    assert "content-length" not in answer.request.headers
    assert answer.status_code == status
    assert bool(reached) == (status == 200)


@pytest.mark.parametrize(
    ("path", "kind"), [("/json", "application/json"), ("/form", "application/x-www-form-urlencoded")]
)
def test_fastapi_does_not_turn_it_into_another_error(path: str, kind: str) -> None:
    answer = client.post(path, content=chunks(500), headers={"content-type": kind})
    assert answer.status_code == 413
    assert not reached


def test_the_refusal_is_in_the_form_asked_for() -> None:
    as_json = client.post("/raw", content=b"x" * 101, headers={"accept": "application/json"})
    assert as_json.json() == {"error": "What was sent is too large: at most 100 bytes are taken here."}
    as_page = client.post("/raw", content=b"x" * 101)
    assert as_page.headers["content-type"].startswith("text/html")
    assert "at most 100 bytes" in as_page.text


@pytest.mark.parametrize("length", ["-1", "ten", "1e3", "+5", "0x10", ""])
def test_a_length_that_is_no_number_is_refused(length: str) -> None:
    assert client.post("/raw", content=b"x", headers={"content-length": length}).status_code == 400


@pytest.mark.parametrize("length", ["9" * 5000, "1" + "0" * 18])
def test_a_length_beyond_reason_is_too_large(length: str) -> None:
    assert client.post("/raw", content=b"x", headers={"content-length": length}).status_code == 413


def test_two_lengths_are_refused() -> None:
    headers = httpx.Headers([("content-length", "1"), ("content-length", "2")])
    assert client.post("/raw", content=b"x", headers=headers.multi_items()).status_code == 400


def test_pages_without_a_body_pass() -> None:
    assert client.get("/").json() == "hello"


def test_a_body_that_lies_about_its_length_is_counted() -> None:
    sent: list[Message] = []

    async def lie() -> Message:
        return {"type": "http.request", "body": b"x" * 200, "more_body": False}

    async def keep(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "path": "/raw", "headers": [(b"content-length", b"5")]}

    async def read(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        raise AssertionError("was let through")

    anyio.run(BodyLimit(read, most_bytes=100), scope, lie, keep)
    assert [message.get("status") for message in sent] == [413, None]


def test_a_server_says_413_to_a_large_upload(address: str) -> None:
    with httpx.Client() as http:
        answer = http.post(f"{address}/answer", content=b"x" * 5_000_000)
        assert answer.status_code == 413
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert http.get(address).status_code == 200
