"""Graded labels as they are written in, taken apart, turned and collapsed out: the one grammar of the Turku scheme.

A label is a number and, behind 4 alone, flags: `<` or `>` points to the more general side, `i` is a minor deviation,
`s` a difference of style (Kanerva et al., 2023, section 5.1). 4 is a paraphrase in every context, 3 in this one, 2 is
related, 1 is not. `x` skips a pair that cannot be labelled: it is a label, but no grade.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from paraloom.errors import InputError

SKIP = "x"
"""The label of a pair that was skipped."""
BASES = ("1", "2", "3", "4")
TURNED = {"<": ">", ">": "<", "": ""}
MERGED = ("1", "2", "3", "4<", "4>", "4")
"""Labels with the direction, without the other flags, in the order of Table 4 of the paper."""
FLAGS = ("i", "s")
"""These others."""
YES, NO = "1", "0"
"""What a label says of a paraphrase, as files of pairs write it."""

_LABEL = re.compile(r"(?=[^<>]*[<>]?[^<>]*$)([1-4])([<>is]*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """One graded label, taken apart."""

    base: str
    direction: str = ""
    """`<`, `>` or nothing."""
    minor: bool = False
    style: bool = False

    @property
    def label(self) -> str:
        """As the corpus writes it: `4>is`."""
        return f"{self.base}{self.direction}{'i' if self.minor else ''}{'s' if self.style else ''}"

    @property
    def merged(self) -> str:
        """The base label with the direction alone."""
        return f"{self.base}{self.direction}"

    @property
    def is_paraphrase(self) -> bool:
        """Whether the texts mean the same, at least in their context."""
        return self.base in ("3", "4")

    def turned(self) -> Grade:
        """The grade of the same texts in the other order."""
        return replace(self, direction=TURNED[self.direction])


def read_grade(label: str) -> Grade:
    """A label taken apart; its flags may stand in any order. `x` is no grade (`read_label`).

    >>> read_grade("4si>").label
    '4>is'
    """
    grade = _parsed(label)
    if grade is None:
        raise InputError(
            f"{label!r} is no graded label. It is a number from 1 to 4, and behind a 4 any of the flags <, > (one of "
            "them), i and s. Leave out pairs that were skipped (x)."
        )
    return grade


@lru_cache(maxsize=1024)  # a corpus has millions of labels and few different ones
def _parsed(label: str) -> Grade | None:
    found = _LABEL.fullmatch(label.strip())
    flags = found[2] if found else ""
    if not found or len(set(flags)) < len(flags) or (flags and found[1] != "4"):
        return None
    direction = next((flag for flag in flags if flag in "<>"), "")
    return Grade(base=found[1], direction=direction, minor="i" in flags, style="s" in flags)


def read_label(label: str) -> Grade | None:
    """A label taken apart; None for `x`. What is no label is an `InputError`.

    >>> read_label("4si>").label, read_label("x")
    ('4>is', None)
    """
    return None if label.strip().lower() == SKIP else read_grade(label)


def is_label(text: str) -> bool:
    """Whether a text is a label of the scheme.

    >>> [is_label(text) for text in ("4>s", "x", "3>", "yes")]
    [True, True, False, False]
    """
    return text.strip().lower() == SKIP or _parsed(text) is not None


def written(label: str) -> str:
    """The label as the corpus writes it, so that the same labels are the same text.

    >>> written(" 4s> "), written("X")
    ('4>s', 'x')
    """
    return collapse(label, "full")


def turned(label: str) -> str:
    """The label of the same two texts in the other order: the direction points to the other side.

    >>> turned("4>s"), turned("4<"), turned("3"), turned("x")
    ('4<s', '4>', '3', 'x')
    """
    grade = read_label(label)
    return SKIP if grade is None else grade.turned().label


def is_paraphrase(label: str) -> bool | None:
    """Yes for 3 and 4 with any flags, no for 1 and 2, neither for `x`.

    >>> [is_paraphrase(label) for label in ("1", "2", "3", "4<i", "x")]
    [False, False, True, True, None]
    """
    grade = read_label(label)
    return None if grade is None else grade.is_paraphrase


SCHEMES: Mapping[str, Callable[[Grade], str]] = {
    "full": lambda grade: grade.label,
    "base-and-direction": lambda grade: grade.merged,
    "base": lambda grade: grade.base,
    "binary": lambda grade: YES if grade.is_paraphrase else NO,
}
"""What of a label is kept: all of it, all but `i` and `s`, the number alone, or whether it is a paraphrase."""


def collapse(label: str, scheme: str) -> str:
    """The label under a simpler scheme, one of `SCHEMES`; `x` stays `x` under each.

    `full` keeps all flags and `base-and-direction` all but `i` and `s` (both of section 6.1 of the paper), `base` the
    number alone, and `binary` makes 3 and 4 a `1`, 1 and 2 a `0`.

    >>> [collapse("4s>", scheme) for scheme in SCHEMES]
    ['4>s', '4>', '4', '1']
    >>> collapse("2", "binary"), collapse("x", "binary")
    ('0', 'x')
    """
    if scheme not in SCHEMES:
        raise InputError(f"There is no scheme {scheme!r} for graded labels. Choose one of: {', '.join(SCHEMES)}.")
    grade = read_label(label)
    return SKIP if grade is None else SCHEMES[scheme](grade)
