"""Jobs that arrive together in, one commit for them out; each is acknowledged after it, and fails by itself.

In a server, jobs run on the event loop's own thread, between other things. A thread of their own was tried: two threads
that both run Python wait for each other more than they work, and answers took ten times as long at 200 people. What
is asked from other threads, and by commands, is done at once under a lock.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from paraloom.errors import Unavailable

T = TypeVar("T")
Job = Callable[[Connection], T]

TOGETHER = 0.01
"""Seconds for which jobs are taken into one commit, or as long as a commit takes where the disk is slow: the first of
them waits for the last, and requests that are read meanwhile wait too."""
TRY_AGAIN = 0.005
"""Seconds until a file that another process writes to is tried again; the event loop goes on meanwhile."""


class GroupCommit:
    """The writer of one file."""

    def __init__(self, patient: Engine, impatient: Engine, *, patience: float) -> None:
        """Two engines for the same file: one waits for other writers, the other is refused at once."""
        self._patient = patient
        self._impatient = impatient
        self._patience = patience
        self._lock = threading.Lock()
        self._waiting: deque[_Waiting] = deque()
        self._is_scheduled = False
        self._commit_took = 0.0
        self._is_closed = False

    def write(self, job: Job[T]) -> T:
        """Run one job in a transaction of its own."""
        self._check_open()
        with self._lock, self._patient.begin() as connection:
            return job(connection)

    async def writing(self, job: Job[T]) -> T:
        """Run a job soon, together with others that wait; done once all of them are durable."""
        self._check_open()
        loop = asyncio.get_running_loop()
        waiting = _Waiting(job, loop.create_future())
        self._waiting.append(waiting)
        if not self._is_scheduled:
            self._is_scheduled = True
            loop.call_soon(self._commit_waiting, loop)
        found: T = await waiting.future
        return found

    def close(self) -> None:
        """No more is taken; whoever still waits is told."""
        self._is_closed = True
        while self._waiting:
            self._waiting.popleft().refuse(Unavailable("The database is closed."))
        self._patient.dispose()
        self._impatient.dispose()

    def _check_open(self) -> None:
        if self._is_closed:
            raise Unavailable("The database is closed.")

    def _commit_waiting(self, loop: asyncio.AbstractEventLoop) -> None:
        """Commit what waits, for a moment; what is left, or could not begin, comes next time."""
        self._is_scheduled = False
        if not self._waiting:
            return
        again = 0.0 if self._commit_some() else TRY_AGAIN
        if self._waiting:
            self._is_scheduled = True
            loop.call_later(again, self._commit_waiting, loop)

    def _commit_some(self) -> bool:
        """Commit as many as there is time for; whether anything was, rather than the file being somebody else's."""
        taken: list[_Waiting] = []
        try:
            with self._impatient.begin() as connection:
                started = time.perf_counter()
                while self._waiting:
                    taken.append(self._waiting.popleft())
                    taken[-1].run(connection)
                    if time.perf_counter() - started > max(TOGETHER, self._commit_took):
                        break
                ran = time.perf_counter()
        except BaseException as error:  # noqa: BLE001 – the commit failed, so none of these jobs was done
            if not taken and _is_locked(error) and self._waiting[0].since > time.monotonic() - self._patience:
                return False
            for one in taken or [self._waiting.popleft()]:
                one.refuse(error)
            return True
        self._commit_took = time.perf_counter() - ran
        for one in taken:
            one.acknowledge()
        return True


class _Waiting:
    """A job, and whoever waits for it."""

    __slots__ = ("future", "job", "result", "since")

    def __init__(self, job: Job[Any], future: asyncio.Future[Any]) -> None:
        self.job = job
        self.future = future
        self.since = time.monotonic()
        self.result: Any = None

    def run(self, connection: Connection) -> None:
        """Do it, within a savepoint; an error of its own is told to the one who asked, and the others' work stands."""
        if self.future.done():
            return  # nobody waits for it any more, and nothing of it was done
        savepoint = connection.begin_nested()
        try:
            self.result = self.job(connection)
            savepoint.commit()
        except (sqlite3.Error, OperationalError):
            raise  # the disk is full: it concerns the others too, and the whole commit ends here
        except Exception as error:  # noqa: BLE001
            savepoint.rollback()
            self.refuse(error)

    def acknowledge(self) -> None:
        """It is durable."""
        if not self.future.done():
            self.future.set_result(self.result)

    def refuse(self, error: BaseException) -> None:
        """It was not done."""
        if not self.future.done():
            self.future.set_exception(error)


def _is_locked(error: BaseException) -> bool:
    return isinstance(error, OperationalError) and "locked" in str(error.orig)
