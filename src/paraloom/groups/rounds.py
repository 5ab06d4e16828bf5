"""What the first round of annotation gave in, the works of the next round out, the most fruitful first.

After all films had been read once, those with most pairs were read again (Kanerva et al., 2023, section 3.1). A work
that is not among the yields was not read yet: it belongs to the first round still, and is in no later one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import isfinite
from pathlib import Path

from paraloom.engine.given import Rows, read_rows, told
from paraloom.errors import InputError


def read_yields(path: Path) -> dict[str, float]:
    """By work, how many pairs were extracted: the sum of its rows.

    The file is a table with the columns `work` (or `key`) and `pairs`, which is a number, or the list of the pairs, as
    in the answers of the task `extract`. A work that was read and gave nothing has 0, or an empty list; what several
    people found on average may be no whole number.
    """
    rows = read_rows(path, ("work", "pairs"), also={"work": "key"}, required=())
    for name, or_else in (("work", ", nor `key`"), ("pairs", "")):
        if name not in rows.columns:
            raise InputError(
                f"{path} has no column `{name}`{or_else}; it has {', '.join(rows.names)}. Rename it there."
            )
    yields: dict[str, float] = {}
    for line, work, pairs in zip(rows.lines, rows.columns["work"], rows.columns["pairs"], strict=True):
        named = _name(rows, line, work)
        yields[named] = round(yields.get(named, 0) + _count(rows, line, pairs), 6)
    return yields


def works_read_before(works: Collection[str], path: Path) -> frozenset[str]:
    """Those of these works that a table of yields has; an error where there are works and it has none of them."""
    yields = read_yields(path)
    read = frozenset(work for work in works if work in yields)
    if works and not read:
        theirs = f"it has {next(iter(yields))}" if yields else "it has no rows"
        raise InputError(
            f"{path} has none of the films that can be read, such as {min(works)}; {theirs}. Call them there as the "
            "column `work` of the table documents does: by their folder, or as --works says."
        )
    return read


def works_by_yield(works: Iterable[str], yields: Mapping[str, float], most_works: int | None = None) -> list[str]:
    """These works, those with most pairs first, at most so many; without those that were not read yet.

    >>> works_by_yield(["Harbour", "Tide", "Gale", "Unread"], {"Tide": 12, "Harbour": 40, "Gale": 12, "Elsewhere": 90})
    ['Harbour', 'Gale', 'Tide']
    """
    read = {work for work in works if work in yields}
    return sorted(read, key=lambda work: (-yields[work], work))[:most_works]


def _name(rows: Rows, line: int, work: object) -> str:
    if isinstance(work, bool) or not isinstance(work, str | int) or not str(work).strip():
        raise InputError(f"{rows.path}, line {line}: the work is {told(work)}. Say there which work was read.")
    return str(work).strip()


def _count(rows: Rows, line: int, pairs: object) -> float:
    if isinstance(pairs, list | tuple):
        return len(pairs)
    try:
        number = float(pairs) if isinstance(pairs, str | int | float) and not isinstance(pairs, bool) else -1.0
    except (ValueError, OverflowError):
        number = -1.0
    if number < 0 or not isfinite(number):
        raise InputError(
            f"{rows.path}, line {line}: pairs is {told(pairs)}. Give how many were extracted, or the list of them."
        )
    return number
