"""Words of a command line in, another process out, or what it did with them; libraries are loaded once for many."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO, Any

import paraloom

SERVER = Path(__file__).with_name("fork_server.py")
AT_START = ("PYTHON", "LANG", "LC_", "TZ", "OMP_", "OPENBLAS_", "NUMBA_", "ARROW_", "LD_")
"""Beginnings of names that Python or a library reads as it starts: with another value a fork would not be the same."""

LIBRARIES = (
    *("cyclopts", "cyclopts.config", "rich.console", "rich.markdown", "rich.panel", "rich.progress", "rich.table"),
    *("numpy", "numba", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats", "pandas"),
    *("pyarrow", "pyarrow.compute", "pyarrow.csv", "pyarrow.parquet", "orjson", "sqlalchemy", "alembic.command"),
    *("jinja2", "sacrebleu", "simplemma", "tokenizers"),
)
"""What commands load and spend most of a short life on. Of Paraloom itself nothing is among them, so that a command
still imports every module of ours by itself; and of the libraries only those that start no threads of their own."""


class ForkedProcess:
    """A process that a server has forked, with what tests use of `subprocess.Popen`."""

    def __init__(self, server: ForkServer, pid: int, streams: Sequence[IO[str] | None]) -> None:
        self.pid = pid
        self.stdin, self.stdout, self.stderr = streams
        self._server = server

    @property
    def returncode(self) -> int | None:
        """What it ended with, as far as anybody asked."""
        return self._server.ended.get(self.pid)

    def poll(self) -> int | None:
        """What it ended with; None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """What it ended with, once it has."""
        return self._server.wait(self.pid, timeout)

    def communicate(self, given: str = "", timeout: float | None = None) -> tuple[str, str]:
        """All that it says, once it has ended; a stream that is no pipe says nothing."""
        with ThreadPoolExecutor(3) as threads:
            said = [threads.submit(_read, stream) for stream in (self.stdout, self.stderr)]
            threads.submit(_write, self.stdin, given)
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()  # else nobody would come back from reading
                raise
            output, errors = (one.result() for one in said)
        return output, errors

    def send_signal(self, number: int) -> None:
        """A signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """End it if it runs, and let go of its streams."""
        self.kill()
        self.wait(60)
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


class ForkServer:
    """A process that has loaded modules, and forks for each command."""

    def __init__(self, environment: Mapping[str, str], modules: Sequence[str] = LIBRARIES) -> None:
        self.environment = environment
        """Of commands that are given none."""
        self.ended: dict[int, int] = {}
        """How processes ended, by their numbers."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            # Pipes, as each command will have: Python looks at its standard streams only once.
            self._process = subprocess.Popen(
                [sys.executable, "-c", SERVER.read_text(encoding="utf-8"), str(theirs.fileno()), *modules],
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )

    def start(
        self,
        code: str,
        words: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        stdin: int = subprocess.DEVNULL,
        stdout: int | None = None,
        stderr: int | None = None,
        own_session: bool = False,
    ) -> ForkedProcess:
        """`python -c CODE WORDS` as `subprocess.Popen` would start it; streams are `PIPE`, `DEVNULL` or our own."""
        environment = self.environment if environment is None else environment
        is_same = read_at_start(self.environment) == read_at_start(environment)
        assert is_same, "What Python reads as it starts needs a fresh process."
        ends = [_ends(place, asked) for place, asked in enumerate((stdin, stdout, stderr))]
        where = str(folder or Path.cwd())
        asked = {"code": code, "words": list(words), "folder": where, "environment": dict(environment)}
        theirs = [their for their, _ in ends]
        socket.send_fds(self._control, [json.dumps({**asked, "own_session": own_session}).encode()], theirs)
        for stream in theirs:
            os.close(stream)
        while "status" in (told := self._told(None)):
            self.ended[told["pid"]] = told["status"]
        self.ended.pop(told["pid"], None)  # of an earlier process with the same number
        pipes = [None if our is None else open(our, mode) for (_, our), mode in zip(ends, "wrr", strict=True)]  # noqa: SIM115
        return ForkedProcess(self, told["pid"], pipes)

    def start_script(self, script: Path, words: Sequence[str], **how: Any) -> ForkedProcess:
        """`python SCRIPT WORDS`, but for the first of `sys.argv` and of `sys.path`."""
        return self.start(f"import runpy; runpy.run_path({str(script)!r}, run_name='__main__')", words, **how)

    def run(
        self,
        code: str,
        words: Sequence[str],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        stdin: str = "",
    ) -> subprocess.CompletedProcess[str]:
        """What `subprocess.run` tells of `python -c CODE WORDS`."""
        pipe = subprocess.PIPE
        process = self.start(code, words, folder=folder, environment=environment, stdin=pipe, stdout=pipe, stderr=pipe)
        output, errors = process.communicate(stdin)
        return subprocess.CompletedProcess(["-c", *words], process.wait(), output, errors)

    def wait(self, pid: int, timeout: float | None = None) -> int:
        """What a process ended with, once it has."""
        ends = None if timeout is None else time.monotonic() + timeout
        while pid not in self.ended:
            left = None if ends is None else max(0.0, ends - time.monotonic())
            try:
                told = self._told(left)
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(str(pid), timeout or 0) from None
            self.ended[told["pid"]] = told["status"]
        return self.ended[pid]

    def close(self) -> None:
        """No more commands."""
        self._control.close()
        self._process.communicate(timeout=60)

    def _told(self, timeout: float | None) -> dict[str, int]:
        """What the server says next."""
        self._control.settimeout(timeout)
        try:
            said = self._control.recv(100)
        finally:
            self._control.settimeout(None)
        if not said:
            raise RuntimeError(f"The server of forks ended: {self._process.communicate()[1]}")
        told: dict[str, int] = json.loads(said)
        return told


class ForkServers:
    """Two servers that take turns, so that no two commands in a row order sets and hashes alike."""

    def __init__(self) -> None:
        self._servers: list[ForkServer] = []
        self._turns = count()

    def next(self, environment: Mapping[str, str]) -> ForkServer:
        """The server whose turn it is."""
        if len(self._servers) < 2:
            self._servers.append(ForkServer(environment))
        return self._servers[next(self._turns) % len(self._servers)]

    def run(
        self, code: str, words: Sequence[str], *, folder: Path, environment: Mapping[str, str], stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """What `subprocess.run` tells of `python -c CODE WORDS`."""
        return self.next(environment).run(code, words, folder=folder, environment=environment, stdin=stdin)

    def close(self) -> None:
        """No more commands."""
        while self._servers:
            self._servers.pop().close()


servers = ForkServers()
"""For all commands of a session, which ends with them."""


def child_environment() -> dict[str, str]:
    """For processes that tests start: they import the same Paraloom as the tests do."""
    source = str(Path(paraloom.__file__).parents[1])
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{before}" if before else source}


def read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that a fork cannot change any more."""
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


def _ends(place: int, asked: int | None) -> tuple[int, int | None]:
    """Of a standard stream: the end for the process, and ours if it is a pipe."""
    if asked == subprocess.PIPE:
        reads, writes = os.pipe()
        return (reads, writes) if place == 0 else (writes, reads)
    if asked == subprocess.DEVNULL:
        return os.open(os.devnull, os.O_RDWR), None
    return os.dup(place if asked is None else asked), None


def _read(stream: IO[str] | None) -> str:
    if stream is None:
        return ""
    with stream:
        return stream.read()


def _write(stream: IO[str] | None, text: str) -> None:
    if stream is not None:
        with suppress(BrokenPipeError), stream:  # as subprocess does: whoever does not read need not
            stream.write(text)
