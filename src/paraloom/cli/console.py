"""Progress and errors in, what the person at the terminal sees out (on standard error, so results can be piped)."""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import TaskID

    from paraloom.workflows.tables_in_order import Progress

PATIENCE = 2.0
"""Seconds before a progress bar appears: what is quicker needs none."""

BETWEEN_LINES = 30.0
"""Seconds between two lines about progress where standard error is no terminal."""

console = Console(stderr=True)


def say(text: str) -> None:
    """A text as it is: what looks like markup is none, and lines are as long as they are."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar for the steps of a run."""
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
        with progress_bar() as bar:
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
