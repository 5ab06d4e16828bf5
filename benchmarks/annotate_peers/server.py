"""A command in, a server on loopback out: started as a child, waited for, looked at, and ended by its process id."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

LOOK_AGAIN = 0.2
GRACE = 10.0
"""Seconds that a server has to end by itself."""


class NotServing(RuntimeError):
    """A server ended, or did not answer in time."""


class Server:
    """One server as a child process in a session of its own, so that all of it can be ended together."""

    def __init__(self, folder: Path) -> None:
        """Its output goes to `server.log` in the folder, which is also where it runs."""
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(
        self, command: Sequence[str], answers_at: str, patience: float, *, user: str | None = None, **environment: str
    ) -> None:
        """Start it, as another user where one is named, and wait until it answers; on a path, or at all without one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                list(command),
                cwd=self.folder,
                env=os.environ | environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=user,
            )
        gives_up = time.monotonic() + patience
        while not (does_answer(self.url + answers_at) if answers_at else does_listen(self.port)):
            ended = self._process.poll()
            if ended is not None:
                raise NotServing(f"{command[0]} ended with {ended} before it answered.\n{self.last_words()}")
            if time.monotonic() > gives_up:
                self.stop()
                raise NotServing(f"{command[0]} did not answer in {patience:.0f} s.\n{self.last_words()}")
            time.sleep(LOOK_AGAIN)

    def family(self) -> list[psutil.Process]:
        """The server and all its children."""
        if self._process is None or self._process.poll() is not None:
            return []
        parent = psutil.Process(self._process.pid)
        return [parent, *parent.children(recursive=True)]

    def cpu_seconds(self) -> float:
        """Of all its processes that are alive, since they started."""
        return sum(sum(member.cpu_times()[:2]) for member in self.family())

    def megabytes(self) -> float:
        """Memory that belongs to its processes alone plus their share of what is shared (PSS)."""
        return sum(member.memory_full_info().pss for member in self.family()) / 1e6

    def stop(self) -> None:
        """End it and its children: asked first, then forced."""
        if self._process is None:
            return
        for way in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, way)
            try:
                self._process.wait(GRACE)
            except subprocess.TimeoutExpired:
                continue
        self._process = None

    def last_words(self) -> str:
        """The end of its output."""
        log = self.folder / "server.log"
        return log.read_text(errors="replace")[-2_000:] if log.exists() else ""


def free_port() -> int:
    """A port of loopback that nobody listened to a moment ago."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def does_answer(url: str) -> bool:
    """Whether a GET succeeds."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def does_listen(port: int) -> bool:
    """Whether a port of loopback takes connections."""
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def ask(url: str, data: bytes | None = None, headers: Mapping[str, str] | None = None, patience: float = 300) -> bytes:
    """One request outside of what is measured: a POST where there are data."""
    with urllib.request.urlopen(urllib.request.Request(url, data, dict(headers or {})), timeout=patience) as answer:
        body: bytes = answer.read()
        return body
