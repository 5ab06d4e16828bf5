"""An ASGI application in, the same application out with security headers on every answer."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["CONTENT_SECURITY_POLICY", "SecurityHeaders", "security_headers"]

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "manifest-src 'self'",
        "worker-src 'self'",
    )
)
_UNUSED_POWERS = ("camera", "display-capture", "geolocation", "microphone", "midi", "payment", "usb")
_ALWAYS = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{power}=()" for power in _UNUSED_POWERS).encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),  # pages show people's names and work: a shared computer must not keep them
]
_ALWAYS_ENCRYPTED = [*_ALWAYS, (b"strict-transport-security", b"max-age=31536000")]


def security_headers(*, encrypted: bool) -> list[tuple[bytes, bytes]]:
    """The headers of every answer; whoever came by https is told to stay there."""
    return _ALWAYS_ENCRYPTED if encrypted else _ALWAYS


class SecurityHeaders:
    """Adds each header that the answer has not set itself. Put it outermost, so that errors carry them too.

    Whether a request came over https is read from the scope. Behind a proxy the scope does not know it: say that all of
    them are `encrypted`, or start uvicorn with --proxy-headers.
    """

    def __init__(self, app: ASGIApp, *, encrypted: bool = False) -> None:
        self.app = app
        self.encrypted = encrypted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        ours = security_headers(encrypted=self.encrypted or scope.get("scheme") == "https")

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                names = {name for name, _ in given}
                given.extend(header for header in ours if header[0] not in names)
                message["headers"] = given
            await send(message)

        await self.app(scope, receive, send_with_headers)
