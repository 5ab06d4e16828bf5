"""A database in, the service out, as a process that can be killed and started again at the same address."""

from __future__ import annotations

import signal

from paraloom.judgments.simulate.serve import free_port
from tests.forked import ForkedProcess, ForkServer

SERVE = "import sys; from paraloom.judgments.simulate.serve import serve; serve(sys.argv[1], int(sys.argv[2]))"


class ServiceProcess:
    """It is forked from a process that has all modules in memory, so that a start takes some hundredths of a second."""

    def __init__(self, forks: ForkServer, database_url: str) -> None:
        """Nothing runs yet."""
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._forks, self._database_url = forks, database_url
        self._process: ForkedProcess | None = None

    def start(self) -> ForkedProcess:
        """Begun; it may not answer yet."""
        self._process = self._forks.start(SERVE, (self._database_url, str(self.port)))
        return self._process

    def kill(self) -> None:
        """kill -9, if it runs."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Asked to end."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(120)
            self._process = None
