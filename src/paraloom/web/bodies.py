"""An ASGI application in, the same application out that never reads more of a request's body than it should."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

import orjson
from markupsafe import escape
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["BodyLimit"]

_PAGE = '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{status}</title><p>{reason}</p></html>\n'


class BodyTooLarge(HTTPException):
    """The body grew past its limit while it was read. An HTTPException, since frameworks log others as crashes."""

    def __init__(self) -> None:
        super().__init__(status_code=413)


class BodyLimit:
    """Answers 413 to a body over the limit, whether it says its length or only grows, and 400 to a length that is none.

    `by_path` gives other limits below a path: `{"/import": 50_000_000}` holds for `/import` and `/import/pairs`, not
    for `/imports`. The longest path that fits decides.
    """

    def __init__(self, app: ASGIApp, most_bytes: int = 1_000_000, by_path: Mapping[str, int] | None = None) -> None:
        self.app = app
        self.most_bytes = most_bytes
        self._by_path = sorted(
            ((path.rstrip("/"), most) for path, most in (by_path or {}).items()), key=lambda entry: -len(entry[0])
        )

    def limit(self, path: str) -> int:
        """The most bytes a body sent to this path may have."""
        for prefix, most in self._by_path:
            if path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in ("", "/"):
                return most
        return self.most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self.limit(scope["path"])
        lengths = {value.strip() for name, value in scope["headers"] if name == b"content-length"}
        if lengths:
            length = lengths.pop()
            if lengths or not length.isdigit():
                await _refuse(scope, send, 400, "The request's Content-Length is not one whole number.")
                return
            if len(length.lstrip(b"0")) > 18 or int(length) > most:
                await _refuse(scope, send, 413, _too_large(most))
                return
        await self._count_while_reading(scope, receive, send, most)

    async def _count_while_reading(self, scope: Scope, receive: Receive, send: Send, most: int) -> None:
        seen = 0
        answered = False

        async def receive_counted() -> MutableMapping[str, Any]:
            nonlocal seen
            message = await receive()
            if message["type"] == "http.request":
                seen += len(message.get("body", b""))
                if seen > most:
                    raise BodyTooLarge
            return message

        async def send_unless_too_large(message: MutableMapping[str, Any]) -> None:
            nonlocal answered
            if seen > most and not answered:
                return  # whatever the application makes of the error, the answer is ours, below
            answered = True
            await send(message)

        try:
            await self.app(scope, receive_counted, send_unless_too_large)
        except BodyTooLarge:
            if answered:
                raise
        if seen > most and not answered:
            await _refuse(scope, send, 413, _too_large(most))


def _too_large(most: int) -> str:
    return f"What was sent is too large: at most {most:,} bytes are taken here."


async def _refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    wanted = {name: value.lower() for name, value in scope["headers"] if name in (b"accept", b"content-type")}
    if b"json" in wanted.get(b"accept", b"") or b"json" in wanted.get(b"content-type", b""):
        kind, body = b"application/json", orjson.dumps({"error": reason})
    else:
        kind, body = b"text/html; charset=utf-8", _PAGE.format(status=status, reason=escape(reason)).encode()
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # the rest of the body is not worth reading
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
