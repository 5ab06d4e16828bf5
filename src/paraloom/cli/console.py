"""Progress and errors in, what the person at the terminal sees out (on standard error, so results can be piped)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.progress import TaskID

    from paraloom.workflows.build import Progress

PATIENCE = 2.0
"""Seconds before a progress bar appears: what is quicker needs none."""

console = Console(stderr=True)


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


def explain_error(error: Exception) -> None:
    """One message for an error of ours; PARALOOM_TRACEBACK=1 shows where it came from."""
    if os.environ.get("PARALOOM_TRACEBACK"):
        console.print_exception()
    console.print(f"[bold red]{type(error).__name__}:[/] ", end="")
    console.print(str(error), markup=False, highlight=False, soft_wrap=True)
