"""Progress and errors in, what the person at the terminal sees out (on standard error, so results can be piped)."""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Lock, Thread, Timer
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console

from paraloom.text.file_names import told_name

if TYPE_CHECKING:
    from rich.progress import TaskID

    from paraloom.workflows.tables_in_order import Progress

PATIENCE = 2.0
"""Seconds before a progress bar appears: what is quicker needs none."""

BETWEEN_LINES = 30.0
"""Seconds between two lines about progress where standard error is no terminal."""
WORTH_A_LINE = 10.0
"""Seconds that a round takes at least whose end is told there."""

console = Console(stderr=True)


def say(text: str) -> None:
    """A text as it is: what looks like markup is none, and lines are as long as they are."""
    console.print(told_name(text), markup=False, highlight=False, soft_wrap=True)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar for the steps of a run where a person looks on, else lines: a log of a night's run says how far it came."""
    if console.is_terminal:
        with _bar() as tell:
            yield tell
        return
    lines = RoundLines()
    try:
        yield lines.tell
    finally:
        lines.end()


class RoundLines:
    """A line when a round is done that took a while, and one every half a minute while it is not."""

    def __init__(self) -> None:
        self._now = ("", "")
        self._done = self._total = 0
        self._since = monotonic()
        self._lock = Lock()  # helpers' tasks are counted, and time passes, in threads of their own
        self._ended = Event()
        self._watch = Thread(target=self._tell_now_and_then, daemon=True)
        self._watch.start()

    def tell(self, table: str, name: str, done: int, total: int) -> None:
        """A round goes on until the next one is heard of."""
        with self._lock:
            if (table, name) != self._now:
                self._tell_end()
                self._now, self._since = (table, name), monotonic()
            self._done, self._total = done, total

    def end(self) -> None:
        """The last round is done, or as far as it came."""
        self._ended.set()
        self._watch.join()
        with self._lock:
            self._tell_end()

    def _tell_end(self) -> None:
        if monotonic() - self._since >= WORTH_A_LINE:
            self._say()

    def _tell_now_and_then(self) -> None:
        while not self._ended.wait(BETWEEN_LINES):
            with self._lock:
                self._say()

    def _say(self) -> None:
        table, name = self._now
        if table:
            say(f"{table} · {name}: {self._done:,} of {self._total:,}, {monotonic() - self._since:,.0f} s")


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    bar = RichProgress(
        SpinnerColumn(),
        TextColumn("{task.fields[table]:>10} · {task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    shown: dict[tuple[str, str], TaskID] = {}

    def tell(table: str, name: str, done: int, total: int) -> None:
        key = (table, name)
        if key not in shown:
            shown[key] = bar.add_task(name, total=total, table=table)
        bar.update(shown[key], completed=done, total=total)

    patience = Timer(PATIENCE, bar.start)  # by itself: the next news may be minutes away
    patience.daemon = True
    patience.start()
    try:
        yield tell
    finally:
        patience.cancel()
        bar.stop()


@contextmanager
def rows_told(what: str) -> Iterator[Callable[[int, int], None]]:
    """How many rows of a file are done: a bar where a person looks on, else a line now and then."""
    if console.is_terminal:
        with _bar() as bar:
            yield partial(bar, "rows", what)
        return
    last = monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if monotonic() - last > BETWEEN_LINES:
            last = monotonic()
            console.print(f"{done:,} of {total:,} rows {what}", highlight=False)

    yield tell


def nobody_reads(pipe: int) -> bool:
    """Whether the reader of a pipe has closed it, as `head` does once it has seen enough."""
    asked = select.poll()
    asked.register(pipe, 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in asked.poll(0))


def explain_error(error: Exception) -> None:
    """One message for an error of ours; PARALOOM_TRACEBACK=1 shows where it came from."""
    if os.environ.get("PARALOOM_TRACEBACK"):
        console.print_exception()
    console.print(f"[bold red]{type(error).__name__}:[/] ", end="")
    say(str(error))
