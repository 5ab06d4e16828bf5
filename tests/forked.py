"""Words of a command line in, what another process did with them out; libraries are loaded once for many commands."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO

SERVER = Path(__file__).with_name("fork_server.py")
AT_START = ("PYTHON", "LANG", "LC_", "TZ", "OMP_", "OPENBLAS_", "NUMBA_", "ARROW_", "LD_")
"""Beginnings of names that Python or a library reads as it starts: with another value a fork would not be the same."""


class ForkServer:
    """A process that forks for each command."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.at_start = read_at_start(environment)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            # Pipes, as each command will have: Python looks at its standard streams only once.
            self._process = subprocess.Popen(
                [sys.executable, "-c", SERVER.read_text(encoding="utf-8"), str(theirs.fileno())],
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )

    def run(
        self, code: str, words: Sequence[str], *, folder: Path, environment: Mapping[str, str], stdin: str
    ) -> subprocess.CompletedProcess[str]:
        """What `subprocess.run` tells of `python -c CODE WORDS`."""
        asked = {"code": code, "words": words, "folder": str(folder), "environment": dict(environment)}
        (their_in, our_in), (our_out, their_out), (our_error, their_error) = (os.pipe() for _ in range(3))
        streams = [their_in, their_out, their_error]
        socket.send_fds(self._control, [json.dumps(asked).encode()], streams)
        for stream in streams:
            os.close(stream)
        with ThreadPoolExecutor(3) as threads:
            output, errors = threads.submit(_read, open(our_out)), threads.submit(_read, open(our_error))  # noqa: SIM115
            threads.submit(_write, open(our_in, "w"), stdin).result()  # noqa: SIM115
        ended = self._control.recv(100)
        if not ended:
            raise RuntimeError(f"The server of forks ended: {self._process.communicate()[1]}")
        return subprocess.CompletedProcess(["-c", *words], int(ended), output.result(), errors.result())

    def close(self) -> None:
        """No more commands."""
        self._control.close()
        self._process.communicate(timeout=60)


class ForkServers:
    """Two servers that take turns, so that no two commands in a row order sets and hashes alike."""

    def __init__(self) -> None:
        self._servers: list[ForkServer] = []
        self._turns = count()

    def run(
        self, code: str, words: Sequence[str], *, folder: Path, environment: Mapping[str, str], stdin: str
    ) -> subprocess.CompletedProcess[str]:
        """What `subprocess.run` tells of `python -c CODE WORDS`."""
        if len(self._servers) < 2:
            self._servers.append(ForkServer(environment))
        server = self._servers[next(self._turns) % len(self._servers)]
        assert server.at_start == read_at_start(environment), "What Python reads as it starts needs a fresh process."
        return server.run(code, words, folder=folder, environment=environment, stdin=stdin)

    def close(self) -> None:
        """No more commands."""
        while self._servers:
            self._servers.pop().close()


def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that a fork cannot change any more."""
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


def _read(stream: IO[str]) -> str:
    with stream:
        return stream.read()


def _write(stream: IO[str], text: str) -> None:
    with suppress(BrokenPipeError), stream:  # as subprocess does: whoever does not read need not
        stream.write(text)


servers = ForkServers()
