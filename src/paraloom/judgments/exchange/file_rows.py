"""Rows of a file in, each with where it stands out; what cannot be used comes out with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from paraloom.engine.given import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """A row that cannot be used."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row that could be read: its values by their names, without those that are null."""

    where: str
    values: Mapping[str, Any]


def bad_row(where: str, error: Exception) -> Bad:
    """What is wrong with a row, as an error says it.

    >>> bad_row("pairs.tsv, line 3", ValueError("`left` is empty.")).reason
    '`left` is empty'
    """
    return Bad(where=where, reason=str(error).rstrip("."))


def lines_of(rows: Rows, name: str | None = None) -> Iterator[Line | Bad]:
    """Every row, those first that could not even be read. `name` is what the file is called, if not by its own name."""
    called = name or rows.path.name
    yield from (Bad(where=f"{called}, line {line}", reason=why) for line, why in rows.left_out.items())
    if not rows.columns:
        return
    for line, values in zip(rows.lines, zip(*rows.columns.values(), strict=True), strict=True):
        named = zip(rows.columns, values, strict=True)
        yield Line(
            where=f"{called}, line {line}", values={column: value for column, value in named if value is not None}
        )
