"""The rows of a file and conditions (`--where split=test`) in, the rows that meet them out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from paraloom.engine.given import Rows
from paraloom.errors import InputError
from paraloom.metrics.agreement.scale import WHOLE


def rows_where(rows: Rows, where: Sequence[str]) -> Rows:
    """The rows that have the values asked for."""
    kept: Sequence[int] = range(len(rows))
    for condition in where:
        name, equals, value = condition.partition("=")
        if not equals:
            raise InputError(f"--where {condition!r} is not of the form COLUMN=VALUE, as in task=strict.")
        column = rows.columns[column_called(rows.path, list(rows.columns), name.strip())]
        chosen = [place for place in kept if (as_text(column[place]) or "") == (as_text(value) or "")]
        if not chosen:
            there = sorted({as_text(column[place]) or "" for place in kept})
            some = ", ".join(there[:8]) + (" …" if len(there) > 8 else "")
            raise InputError(f"No row of {rows.path} has {name}={value}; that column holds {some or 'nothing'}.")
        kept = chosen
    return rows_at(rows, kept) if where else rows


def rows_at(rows: Rows, places: Sequence[int]) -> Rows:
    """The rows at these places, in this order."""
    columns = {name: [values[place] for place in places] for name, values in rows.columns.items()}
    return replace(rows, columns=columns, lines=[rows.lines[place] for place in places])


def column_called(path: Path, names: Sequence[str], called: str) -> str:
    """The column of that name, or of that number from 1."""
    if called in names:
        return called
    if called.isdigit() and 1 <= int(called) <= len(names):
        return names[int(called) - 1]
    raise InputError(f"{path} has no column {called!r}; it has {', '.join(names)}.")


def as_text(value: Any) -> str | None:
    """A value as an answer; nothing, blank and nan are no answer.

    >>> [as_text(value) for value in (1, 1.0, "1.0", True, "yes ", None, float("nan"), ["b", "a"])]
    ['1', '1', '1', 'true', 'yes', None, None, '["b","a"]']
    """
    if isinstance(value, str):
        return WHOLE.sub(r"\1", value.strip()) or None
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, bool | int | float | list | dict):
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    return str(value)
