"""A service that does nothing but answer: what the annotators measure on it is the load driver's own share.

python -m annotate_peers.floor PORT          # what the service starts as its child
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from itertools import count
from pathlib import Path

from aiohttp import web

from annotate_peers.browser import Browser
from annotate_peers.server import Server, ask

START_PATIENCE = 30.0


class Floor:
    """Tasks without end; answers are kept in memory."""

    name = "floor"

    def __init__(self, folder: Path) -> None:
        """The folder takes its log."""
        self._server = Server(folder)

    def start(self) -> None:
        """This module as a program."""
        path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]))
        command = [sys.executable, "-m", "annotate_peers.floor", str(self._server.port)]
        self._server.start(command, "/answers", START_PATIENCE, PYTHONPATH=path)

    async def sign_in(self, person_number: int) -> FloorClient:
        """Nobody is asked who they are."""
        return FloorClient(Browser(self._server.url))

    def exported_ids(self) -> Counter[str]:
        """All answers."""
        return Counter(json.loads(ask(self._server.url + "/answers")))

    def cpu_seconds(self) -> float:
        """Of the server."""
        return self._server.cpu_seconds()

    def megabytes(self) -> float:
        """Of the server."""
        return self._server.megabytes()

    def stop(self) -> None:
        """End the server."""
        self._server.stop()


class FloorClient:
    """One annotator."""

    def __init__(self, browser: Browser) -> None:
        """With any browser."""
        self._browser = browser

    async def next_task(self) -> str:
        """A number nobody else has been given."""
        _, body = await self._browser.get("/next")
        return json.loads(body)["task"]

    async def submit(self, task: str) -> str:
        """The number is the answer's name."""
        await self._browser.post("/answers", json={"task": task})
        return task

    async def close(self) -> None:
        """End the connection."""
        await self._browser.close()


def serve(port: int) -> None:
    """Until the process is ended."""
    numbers, answers = count(), []

    async def give(request: web.Request) -> web.Response:
        return web.json_response({"task": str(next(numbers))})

    async def take(request: web.Request) -> web.Response:
        answers.append((await request.json())["task"])
        return web.json_response({}, status=201)

    async def export(request: web.Request) -> web.Response:
        return web.json_response(answers)

    app = web.Application()
    app.add_routes([web.get("/next", give), web.post("/answers", take), web.get("/answers", export)])
    web.run_app(app, host="127.0.0.1", port=port, print=None, access_log=None)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
