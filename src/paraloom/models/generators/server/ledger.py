"""Requests that were paid for in, their replies out, also after a crash: one line a reply, with its checksum.

A line holds a hash of the request and the reply, never the key of a server. Lines are given to the system at once, so
that a killed process loses none, and forced to disk in groups, for the day the power fails.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from paraloom.engine.checked_lines import checked_line, checked_value
from paraloom.errors import EngineError, InputError
from paraloom.models.generators.server.replies import Answer, Reply

SYNCED_EVERY = 32
"""Replies after which what was written is forced to disk."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One reply and what was paid for it."""

    reply: Reply
    tokens_read: int
    tokens_written: int
    cost: float


class Ledger:
    """Replies by hash of their requests, in a file that only grows. In memory there is only where each of them lies.

    It is open, and closed to other processes, within `with ledger:` alone.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tokens, self.cost = 0, 0.0
        """Of all replies in it."""
        self.damaged = 0
        """Lines that somebody has changed; they count for nothing."""
        self._places: dict[bytes, int] = {}
        self._end = 0
        self._file: BinaryIO | None = None
        self._not_synced = 0
        self._lock = Lock()

    def __enter__(self) -> Ledger:
        if self.path.is_dir() or not self.path.parent.is_dir():
            raise InputError(f"A ledger cannot be kept in {self.path}: give a file in a folder that is there.")
        try:
            file = self.path.open("a+b")
        except OSError as error:
            raise InputError(f"Cannot write the ledger {self.path}: {error.strerror}. Choose another one.") from error
        try:
            _lock(file, self.path)
            self._read_on(file)
        except BaseException:
            file.close()
            raise
        self._file = file
        return self

    def __exit__(self, *_: object) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                os.fsync(file.fileno())
            finally:
                file.close()

    def __len__(self) -> int:
        return len(self._places)

    def find(self, key: str) -> Entry | None:
        """The reply to a request, if it was ever given."""
        with self._lock:
            place = self._places.get(bytes.fromhex(key))
            if place is None or self._file is None:
                return None
            self._file.seek(place)
            noted = checked_value(self._file.readline())
        return _entry(noted) if noted is not None else None

    def add(self, key: str, entry: Entry) -> None:
        """Note a reply. Behind this call a kill does not lose it."""
        line = checked_line({"key": key, **_noted(entry)})
        with self._lock:
            if self._file is None:
                raise RuntimeError("A ledger is written to within `with ledger:` alone.")
            self._append(self._file.fileno(), line)
            self._take(key, entry.tokens_read + entry.tokens_written, entry.cost, self._end)
            self._end += len(line)
            self._not_synced += 1
            if self._not_synced >= SYNCED_EVERY:
                os.fsync(self._file.fileno())
                self._not_synced = 0

    def _append(self, file: int, line: bytes) -> None:
        """By no buffer: what cannot be written whole is taken back, and nothing of it comes later."""
        left = memoryview(line)
        try:
            while left:
                left = left[os.write(file, left) :]
        except OSError as error:
            os.ftruncate(file, self._end)
            raise EngineError(
                f"Cannot write the ledger {self.path}: {error.strerror}. Make room for it and give the same command "
                "again: the replies that are in it are kept."
            ) from error

    def _take(self, key: str, tokens: int, cost: float, place: int) -> None:
        self._places[bytes.fromhex(key)] = place
        self.tokens += tokens
        self.cost += cost

    def _read_on(self, file: BinaryIO) -> None:
        """Take in what was written since, here or by another process; what a kill has cut off at the end goes."""
        if file.seek(0, os.SEEK_END) < self._end:
            self._places, self._end, self.tokens, self.cost = {}, 0, 0, 0.0  # another file has taken its place
        file.seek(self._end)
        for line in file:
            if not line.endswith(b"\n"):
                file.truncate(self._end)
                return
            noted = checked_value(line)
            if noted is None:
                self.damaged += 1
            else:
                tokens = int(noted["read"]) + int(noted["written"])
                self._take(noted["key"], tokens, float(noted["cost"]), self._end)
            self._end += len(line)


def _lock(file: BinaryIO, path: Path) -> None:
    with contextlib.suppress(OSError):  # a file system without locks
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as busy:
            raise EngineError(
                f"Another process is using the ledger {path}. Wait for it, stop it, or choose another ledger."
            ) from busy


def _noted(entry: Entry) -> dict[str, Any]:
    return {
        "answers": [asdict(answer) for answer in entry.reply.answers],
        "read": entry.tokens_read,
        "written": entry.tokens_written,
        "cost": entry.cost,
        "counted": entry.reply.tokens_read is not None and entry.reply.tokens_written is not None,
    }


def _entry(noted: dict[str, Any]) -> Entry:
    read, written, counted = noted["read"], noted["written"], noted["counted"]
    reply = Reply(
        answers=tuple(Answer(**answer) for answer in noted["answers"]),
        tokens_read=read if counted else None,
        tokens_written=written if counted else None,
    )
    return Entry(reply, read, written, noted["cost"])


@contextlib.contextmanager
def opened(ledger: Ledger | None) -> Iterator[None]:
    """A ledger, if there is one, for as long as requests are made."""
    with ledger if ledger is not None else contextlib.nullcontext():
        yield
