"""Every answer carries the security headers, errors and static files included; routes may set their own."""

from __future__ import annotations

import time

import anyio
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from paraloom.web.headers import CONTENT_SECURITY_POLICY, SecurityHeaders


def greet(request: Request) -> Response:
    return PlainTextResponse("hello")


def kept(request: Request) -> Response:
    return PlainTextResponse("hello", headers={"cache-control": "max-age=60", "content-security-policy": "sandbox"})


def crash(request: Request) -> Response:
    raise ZeroDivisionError


app = SecurityHeaders(Starlette(routes=[Route("/", greet), Route("/kept", kept), Route("/crash", crash)]))
client = TestClient(app, raise_server_exceptions=False)

ALWAYS = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
]


@pytest.mark.parametrize("path", ["/", "/missing", "/crash"])
def test_every_answer_has_them(path: str) -> None:
    answer = client.get(path)
    assert {name: answer.headers[name] for name, _ in ALWAYS} == dict(ALWAYS)
    assert "camera=()" in answer.headers["permissions-policy"]


def test_the_policy_allows_nothing_inline_and_nothing_foreign() -> None:
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "*" not in CONTENT_SECURITY_POLICY


def test_an_answer_may_set_its_own() -> None:
    answer = client.get("/kept")
    assert answer.headers.get_list("cache-control") == ["max-age=60"]
    assert answer.headers.get_list("content-security-policy") == ["sandbox"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_browsers_are_held_to_https_only_where_it_is_spoken() -> None:
    assert "strict-transport-security" not in client.get("/").headers
    encrypted = TestClient(app, base_url="https://testserver")
    assert encrypted.get("/").headers["strict-transport-security"] == "max-age=31536000"


def test_they_cost_next_to_nothing() -> None:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": b""})

    async def ignore(message: Message) -> None: ...

    async def never() -> Message:
        return {"type": "http.disconnect"}

    async def many(times: int) -> float:
        wrapped = SecurityHeaders(answer)
        start = time.perf_counter()
        for _ in range(times):
            await wrapped({"type": "http", "scheme": "http", "headers": []}, never, ignore)
        return (time.perf_counter() - start) / times

    assert anyio.run(many, 2000) < 200e-6  # a few microseconds on an idle machine
