"""Many rows in, the same work done on parts of them, on every core at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

ROWS = 8192
"""So many texts as numbers fit a core's own cache, and their arrays weigh little however many rows there are."""
_share = 0
"""Cores of this process where others work beside it; 0: it is alone."""


def of_parts(work: Callable[[int, int], Result], rows: int, size: int = ROWS) -> list[Result]:
    """What `work(first, last)` returns for one part after the other, in the order of the rows.

    The parts run at the same time where they let others run (compiled loops do), and share nothing: how many cores
    there are decides no result.

    >>> of_parts(lambda first, last: (first, last), 5, size=2)
    [(0, 2), (2, 4), (4, 5)]
    """
    bounds = [(first, min(first + size, rows)) for first in range(0, rows, size)]
    if len(bounds) < 2:
        return [work(first, last) for first, last in bounds]
    with ThreadPoolExecutor(min(cores(), len(bounds))) as threads:
        return list(threads.map(lambda bound: work(*bound), bounds))


def cores() -> int:
    """How many cores this process may use."""
    try:
        count = len(os.sched_getaffinity(0))
    except AttributeError:  # not every system lets one ask
        count = os.cpu_count() or 1
    return min(count, _share) if _share else count


def leave_the_rest(count: int) -> None:
    """Let this process use so many cores at most from now on, since others work beside it."""
    global _share
    _share = max(count, 1)
