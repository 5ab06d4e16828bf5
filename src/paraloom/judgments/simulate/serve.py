"""A database in, the service on loopback out, as a child process.

python -m paraloom.judgments.simulate.serve DATABASE PORT          # what `Served` starts
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from types import TracebackType

from paraloom.errors import InputError
from paraloom.judgments.simulate.client import does_answer

START_PATIENCE = 60.0
GRACE = 10.0
LOOK_AGAIN = 0.05
DEFAULT = (sys.executable, "-m", "paraloom.judgments.simulate.serve", "{database}", "{port}")


class Served:
    """The service as a child process, while a `with` lasts."""

    def __init__(self, database_url: str, command: Sequence[str] = DEFAULT) -> None:
        """Nothing runs yet. In the command, `{database}` and `{port}` stand for what they say."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [part.format(database=database_url, port=self.port) for part in command]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Served:
        """Back when it answers."""
        self._process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            wait_until_served(self.url, self._process)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Asked first, then forced."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


def wait_until_served(url: str, process: subprocess.Popen[bytes] | None = None) -> None:
    """Until the service answers, be it with a refusal."""
    gives_up = time.monotonic() + START_PATIENCE
    while not does_answer(url):
        if process is not None and process.poll() is not None:
            raise InputError(f"The service ended with {process.returncode} before it answered.")
        if time.monotonic() > gives_up:
            raise InputError(f"{url} did not answer for {START_PATIENCE:.0f} s.")
        time.sleep(LOOK_AGAIN)


def free_port() -> int:
    """A port of loopback that nobody listened to a moment ago."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def serve(database_url: str, port: int) -> None:
    """Until the process is ended."""
    import uvicorn

    from paraloom.judgments.app.application import make_app
    from paraloom.judgments.app.service import Service
    from paraloom.judgments.store.migrate import open_database

    app = make_app(Service(database=open_database(database_url)))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False, timeout_graceful_shutdown=5)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
