"""Searches that are going on in, what each has found out: they go on side by side, and are answered all at once.

A GPU takes as long for one source's next tokens as for those of a hundred. What a search does with its logits takes
longer than that, so searches go on in threads: NumPy computes without Python's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from paraloom.metrics.parts import cores

Asked = TypeVar("Asked")
Given = TypeVar("Given")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Done:
    found: Any


def together(
    searches: Sequence[Generator[Asked, Given, Result]], answers: Callable[[Sequence[Asked]], Sequence[Given]]
) -> list[Result]:
    """What each search finds. `answers` is given what all that still go on ask for.

    >>> def adding(numbers):
    ...     total = 0
    ...     for number in numbers:
    ...         total += yield number
    ...     return total
    >>> together([adding([1, 2]), adding([3]), adding([])], lambda asked: [10 * number for number in asked])
    [30, 30, 0]
    """
    found: dict[int, Result] = {}
    given: dict[int, Given | None] = dict.fromkeys(range(len(searches)))
    with ThreadPoolExecutor(cores()) as threads:
        while given:
            moved = threads.map(_moved, [searches[place] for place in given], given.values())
            asked: dict[int, Asked] = {}
            for place, one in zip(given, moved, strict=True):
                if isinstance(one, _Done):
                    found[place] = one.found
                else:
                    asked[place] = one
            given = dict(zip(asked, answers(list(asked.values())), strict=True)) if asked else {}
    return [found[place] for place in range(len(searches))]


def _moved(search: Generator[Asked, Given, Result], given: Given | None) -> Asked | _Done:
    """What it asks next; None begins it."""
    try:
        return search.send(cast("Given", given))
    except StopIteration as done:
        return _Done(done.value)
