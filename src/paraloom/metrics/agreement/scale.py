"""Answers in, the scale they are on out: which answers there are, in which order, and how far apart they count."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.agreement.levels import LEVELS, Level

WHOLE = re.compile(r"\A(-?[1-9]\d{0,14}|0)\.0+\Z")
"""A whole number as spreadsheets and tables of floats write it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The answers that people could give."""

    level: Level
    answers: tuple[str, ...]
    """In their order; on an interval or ratio scale, numbers."""
    values: NDArray[np.float64]
    """Where each answer lies: its number on an interval or ratio scale, else its place in the order."""
    is_named: bool = False
    """An order named the answers, so that those nobody gave belong to it too."""

    @classmethod
    def of(cls, met: Iterable[str], level: Level = "nominal", order: Sequence[str] = ()) -> Scale:
        """The scale of all answers that were met; `order` names them, and any that nobody gave.

        Numbers are in their own order. Other answers of an ordinal scale need `order`.

        >>> Scale.of(["10", "9", "9.0"], "ordinal").answers
        ('9', '10')
        >>> Scale.of(["yes", "no", "yes"]).answers
        ('no', 'yes')
        """
        if level not in LEVELS:
            raise InputError(f"There is no level called {level!r}. Choose one of {', '.join(LEVELS)}.")
        found = dict.fromkeys(map(_whole, met))
        order = tuple(map(_whole, order))
        if order:
            names = _as_ordered(found, level, order)
        elif level == "nominal":
            names = tuple(sorted(found, key=_natural))
        else:
            names = _as_numbers(found, level)
        values = np.arange(len(names), dtype=np.float64)
        if level in ("interval", "ratio"):
            values = np.array([float(name) for name in names])
        return cls(level=level, answers=names, values=values, is_named=bool(order))

    def codes(self, given: Iterable[str]) -> NDArray[np.int64]:
        """The place of each answer on the scale."""
        places = {answer: place for place, answer in enumerate(self.answers)}
        given = [_whole(answer) for answer in given]
        if self.level == "nominal":
            return np.array([places[answer] for answer in given], dtype=np.int64)
        known: dict[str, int] = dict(places)
        for answer in given:
            if answer not in known:
                known[answer] = places[_number_name(answer)]
        return np.array([known[answer] for answer in given], dtype=np.int64)

    @property
    def unit_values(self) -> NDArray[np.float64]:
        """Where answers lie between 0 and 1; on a ratio scale, as shares of the largest.

        Coefficients do not depend on the unit, and squares of such values are numbers however large the answers are.
        """
        if not len(self.values):
            return self.values
        largest = float(np.abs(self.values).max()) or 1.0
        if self.level == "ratio":
            return np.asarray(self.values / largest)
        shares = self.values / largest if largest > 1 else self.values
        shares = shares - shares.min()
        return np.asarray(shares / (float(shares.max()) or 1.0))

    def narrowed(self, used: NDArray[np.int64]) -> tuple[Scale, NDArray[np.int64]]:
        """The scale of those answers alone that were given, unless an order named them; and their new places."""
        if self.is_named:
            return self, used
        kept, places = np.unique(used, return_inverse=True)
        return Scale.of([self.answers[place] for place in kept], self.level), places.astype(np.int64)

    def place(self, answer: str) -> int:
        """The place of one answer, or an error that names those there are."""
        if _whole(answer) in self.answers:
            return self.answers.index(_whole(answer))
        raise InputError(f"Nobody could answer {answer!r}; the answers are {', '.join(self.answers)}.")


def _as_ordered(found: Iterable[str], level: Level, order: Sequence[str]) -> tuple[str, ...]:
    if twice := next((name for place, name in enumerate(order) if name in order[:place]), None):
        raise InputError(f"The order names {twice!r} twice. Name each answer once.")
    unknown = [answer for answer in found if answer not in order]
    if unknown and level != "nominal":
        unknown = [answer for answer in unknown if not _is_number(answer) or _number_name(answer) not in order]
    if unknown:
        raise InputError(
            f"The answer {unknown[0]!r} is not in the order {' '.join(order)}. Name every answer there is, the lowest "
            "first, or leave the rows with other answers out."
        )
    if level in ("interval", "ratio"):
        return _as_numbers(order, level)
    return tuple(order)


def _as_numbers(found: Iterable[str], level: Level) -> tuple[str, ...]:
    for answer in found:
        if not _is_number(answer):
            told = "name the answers in their order (--order)" if level == "ordinal" else "choose a nominal level"
            raise InputError(f"The answer {answer!r} is no number, so it has no place on its own: {told}.")
        if level == "ratio" and float(answer) < 0:
            raise InputError(f"The answer {answer!r} is below 0, which a ratio scale has not. Choose interval.")
    return tuple(sorted({_number_name(answer) for answer in found}, key=float))


def _whole(answer: str) -> str:
    """A whole number without the decimals that tables of floats write; any other answer as it is.

    >>> _whole("1.0"), _whole("1.50"), _whole("v1.0")
    ('1', '1.50', 'v1.0')
    """
    return WHOLE.sub(r"\1", answer)


def _is_number(answer: str) -> bool:
    try:
        return math.isfinite(float(answer))
    except ValueError:
        return False


def _number_name(answer: str) -> str:
    """One name for a number however it was written."""
    number = float(answer)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _natural(answer: str) -> tuple[bool, float, str]:
    return (not _is_number(answer), float(answer) if _is_number(answer) else 0.0, answer)
