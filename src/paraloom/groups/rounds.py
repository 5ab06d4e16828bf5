"""What the first round of annotation gave in, the works of the next round out, the most fruitful first.

After all films had been read once, those with most pairs were read again (Kanerva et al., 2023, section 3.1). A work
that is not among the yields was not read yet: it belongs to the first round still, and is in no later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from paraloom.engine.given import Rows, read_rows, told
from paraloom.errors import InputError


def read_yields(path: Path) -> dict[str, int]:
    """By work, how many pairs were extracted: the sum of its rows.

    The file is a table with the columns `work` (or `key`) and `pairs`, which is a number, or the list of the pairs, as
    in the answers of the task `extract`. A work that was read and gave nothing has 0, or an empty list.
    """
    rows = read_rows(path, ("work", "pairs"), also={"work": "key"}, required=())
    for name, or_else in (("work", ", nor `key`"), ("pairs", "")):
        if name not in rows.columns:
            raise InputError(
                f"{path} has no column `{name}`{or_else}; it has {', '.join(rows.names)}. Rename it there."
            )
    yields: dict[str, int] = {}
    for line, work, pairs in zip(rows.lines, rows.columns["work"], rows.columns["pairs"], strict=True):
        named = _name(rows, line, work)
        yields[named] = yields.get(named, 0) + _count(rows, line, pairs)
    return yields


def works_by_yield(works: Iterable[str], yields: Mapping[str, int], most_works: int | None = None) -> list[str]:
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


def _count(rows: Rows, line: int, pairs: object) -> int:
    if isinstance(pairs, list | tuple):
        return len(pairs)
    try:
        number = float(pairs) if isinstance(pairs, str | int | float) and not isinstance(pairs, bool) else -1.0
    except (ValueError, OverflowError):
        number = -1.0
    if number < 0 or not number.is_integer():
        raise InputError(
            f"{rows.path}, line {line}: pairs is {told(pairs)}. Give how many were extracted, or the list of them."
        )
    return int(number)
