"""A file's first line and what was asked for in, where its two texts lie out: which columns, and is there a header?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.wanted_columns import told_columns
from paraloom.errors import InputError

if TYPE_CHECKING:
    from paraloom.engine.given_lines import GivenRow

SIDES = ("left", "right")

LOOKED_AT = 20
"""So many lines behind the first may show that it is a header."""


def is_header(names: Sequence[str], columns: Mapping[str, str]) -> bool:
    """Whether a first line names columns: the texts' own names are there, or names were asked for."""
    own = [side for side in SIDES if side not in columns]
    by_name = any(not theirs.isdecimal() for theirs in columns.values())
    return by_name or set(SIDES) <= set(names) or bool(own and set(own) <= set(names))


def column_of_numbers(first: Sequence[str], behind: Sequence[GivenRow]) -> int | None:
    """A column with a word in the first line and a number in all others: its place, which tells of a header."""
    whole = [row.cells for row in behind if len(row.cells) == len(first)]
    for place, cell in enumerate(first):
        if whole and cell and not _is_number(cell) and all(_is_number(cells[place]) for cells in whole):
            return place
    return None


def _is_number(cell: str) -> bool:
    try:
        return isfinite(float(cell))
    except ValueError:
        return False


def places_of(
    called: str, names: Sequence[str], columns: Mapping[str, str], *, named: bool = True, numbers: bool = True
) -> dict[str, int]:
    """Where the two texts lie among the columns; where nothing is `named`, in the first two."""
    places = {}
    for number, side in enumerate(SIDES):
        asked = columns.get(side, side)
        if numbers and asked.isdecimal() and 1 <= int(asked) <= len(names):
            places[side] = int(asked) - 1
        elif names.count(asked) > 1:
            raise InputError(
                f"{called} has several columns called {asked!r}. Rename all but one, or say which it is by its "
                f"number: --columns {side}=NUMBER."
            )
        elif asked in names:
            places[side] = list(names).index(asked)
        elif not named and not columns and number < len(names):
            places[side] = number
        else:
            raise InputError(
                f"{called} has no column {asked!r}; it has {told_columns(names, named)}. "
                "Rename it, or say which it is: --columns left=COLUMN right=COLUMN "
                f"(a name{' or a number from 1' if numbers else ''})."
            )
    if places["left"] == places["right"]:
        raise InputError(f"--columns takes one column of {called} for both texts. Name two.")
    return places


def about_first_line(called: str, columns: Mapping[str, str], above_numbers: int | None) -> Iterator[str]:
    """What was decided about a first line that does not name the texts."""
    name = Path(called).name
    if above_numbers is not None:
        yield f"The first line of {name} is taken for a header, as column {above_numbers + 1} has numbers below it."
        return
    taken = [columns.get(side, str(number)) for number, side in enumerate(SIDES, start=1)]
    yield (
        f"The first line of {name} does not name the columns left and right, so it is read as a pair; columns "
        f"{taken[0]} and {taken[1]} are taken for them."
    )
