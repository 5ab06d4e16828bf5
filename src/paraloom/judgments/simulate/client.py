"""The address of a service in, a client for one person out, which keeps its connection open as a browser does."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any

import httpx

from paraloom.errors import InputError

PATIENCE = 30.0
"""Seconds to wait for one answer of the service."""
KEPT_OPEN = 60.0


def new_client(url: str) -> httpx.AsyncClient:
    """One for each person: a client that many share looks at all of its connections for every request."""
    limits = httpx.Limits(max_connections=8, max_keepalive_connections=8, keepalive_expiry=KEPT_OPEN)
    return httpx.AsyncClient(base_url=url, limits=limits, timeout=PATIENCE, trust_env=False, verify=_trusted())


@cache
def _trusted() -> ssl.SSLContext:
    """Certificates take a tenth of a second to load: once is enough."""
    return ssl.create_default_context()


def does_answer(url: str) -> bool:
    """Whether the service answers, be it with a refusal."""
    try:
        httpx.get(f"{url}/api/v1/me", timeout=5.0, trust_env=False, verify=_trusted())
    except httpx.TransportError:
        return False
    return True


async def asked(client: httpx.AsyncClient, token: str, method: str, path: str, body: object = None) -> Any:
    """What the service says; what it refuses is an error with its words."""
    try:
        answer = await client.request(method, path, json=body, headers={"Authorization": f"Bearer {token}"})
    except httpx.TransportError as error:
        raise InputError(f"{client.base_url} does not answer: {error or type(error).__name__}.") from error
    if answer.is_error:
        try:
            told = answer.json()["error"]
        except (ValueError, KeyError, TypeError):
            told = answer.text[:200]
        raise InputError(f"{method} {path}: {answer.status_code}. {told}")
    return answer.json()
