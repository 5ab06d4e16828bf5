"""One person's requests: cookies are kept and the connection is kept open, as in a browser."""

from __future__ import annotations

from collections.abc import Mapping

import aiohttp

KEEP_OPEN = 60.0
"""Seconds; longer than anyone thinks."""


class Refused(Exception):
    """A service answered, but not with what was asked for."""


class Browser:
    """A client of one service, for one person."""

    def __init__(self, url: str) -> None:
        """Must be made while an event loop runs. How long to wait is up to the load."""
        self.url = url
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(keepalive_timeout=KEEP_OPEN, limit=4),
            cookie_jar=aiohttp.CookieJar(unsafe=True),  # loopback has a number, not a name
            timeout=aiohttp.ClientTimeout(total=None),
        )

    async def get(self, path: str, *, also: int = 200) -> tuple[int, bytes]:
        """Status and body; a status that is neither 200 nor `also` is refused."""
        async with self._session.get(self.url + path) as answer:
            return await self._taken(answer, also)

    async def post(
        self,
        path: str,
        *,
        json: object = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        also: int = 201,
        follow: bool = True,
    ) -> tuple[int, bytes]:
        """Status and body; a status that is neither 200 nor `also` is refused."""
        async with self._session.post(
            self.url + path, json=json, data=form, headers=headers, allow_redirects=follow
        ) as answer:
            return await self._taken(answer, also)

    def cookie(self, name: str) -> str:
        """The value of a cookie, or nothing."""
        return next((each.value for each in self._session.cookie_jar if each.key == name), "")

    async def close(self) -> None:
        """End the connection."""
        await self._session.close()

    async def _taken(self, answer: aiohttp.ClientResponse, also: int) -> tuple[int, bytes]:
        body = await answer.read()
        if answer.status not in (200, also):
            raise Refused(f"{answer.method} {answer.url.path.split('/')[-1] or '/'}: {answer.status}")
        return answer.status, body
