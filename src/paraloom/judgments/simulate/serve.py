"""A database in, the service on loopback out, as a child process that ends with whoever started it.

python -m paraloom.judgments.simulate.serve DATABASE PORT          # what `Served` starts
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from types import TracebackType

import httpx

from paraloom.errors import InputError

START_PATIENCE = 60.0
GRACE = 10.0
LOOK_AGAIN = 0.05


class Served:
    """The service as a child process, while a `with` lasts."""

    def __init__(self, database_url: str) -> None:
        """Nothing runs yet."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "paraloom.judgments.simulate.serve", database_url, str(self.port)]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Served:
        """Back when it answers."""
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE)
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
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None


def wait_until_served(url: str, process: subprocess.Popen[bytes] | None = None) -> None:
    """Until the service answers, be it with a refusal."""
    gives_up = time.monotonic() + START_PATIENCE
    while True:
        try:
            httpx.get(f"{url}/api/v1/me", timeout=5.0, trust_env=False)
        except httpx.TransportError:
            if process is not None and process.poll() is not None:
                raise InputError(f"The service ended with {process.returncode} before it answered.") from None
            if time.monotonic() > gives_up:
                raise InputError(f"{url} did not answer for {START_PATIENCE:.0f} s.") from None
            time.sleep(LOOK_AGAIN)
        else:
            return


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
