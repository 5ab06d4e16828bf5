"""Searches that are going on in, what each has found out: they go on side by side, and are answered all at once.

A GPU takes as long for one source's next tokens as for those of a hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar, cast

Asked = TypeVar("Asked")
Given = TypeVar("Given")
Result = TypeVar("Result")


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
    given: dict[int, Given | None] = dict.fromkeys(range(len(searches)))  # None begins a search
    while given:
        asked: dict[int, Asked] = {}
        for place, one in given.items():
            try:
                asked[place] = searches[place].send(cast("Given", one))
            except StopIteration as done:
                found[place] = done.value
        given = dict(zip(asked, answers(list(asked.values())), strict=True)) if asked else {}
    return [found[place] for place in range(len(searches))]
