"""An English word's base in; out come the forms that the rules of spelling make of it."""

from __future__ import annotations

import re

_VOWELS = frozenset("aeiou")
_ONE_SHORT_SYLLABLE = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")


def with_s(base: str) -> tuple[str, ...]:
    """The plural of a noun, or the third person of a verb.

    >>> with_s("storm"), with_s("try"), with_s("box"), with_s("hero")
    (('storms',), ('tries', 'trys'), ('boxes', 'boxxes'), ('heroes', 'heros'))
    """
    if base[-1:] == "y" and base[-2:-1] not in _VOWELS:
        return (base[:-1] + "ies", base + "s")  # "Kennedys"
    if base.endswith("o"):
        return (base + "es", base + "s")
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return (base + "es", base + base[-1] + "es")  # "quizzes"
    return (base + "s",)


def with_ending(base: str, ending: str) -> tuple[str, ...]:
    """The form in "ed" or "ing".

    >>> with_ending("plan", "ed"), with_ending("make", "ing"), with_ending("travel", "ing"), with_ending("try", "ed")
    (('planned',), ('making', 'makeing'), ('traveling', 'travelling'), ('tried',))
    """
    if base.endswith("ie") and ending == "ing":
        return (base[:-2] + "ying",)
    if base.endswith("e"):
        return (base[:-1] + ending, base + ending) if ending == "ing" else (base[:-1] + ending,)
    if base[-1:] == "y" and base[-2:-1] not in _VOWELS and ending == "ed":
        return (base[:-1] + "ied",)
    if base.endswith("c"):
        return (base + "k" + ending, base + ending)  # "panicked"
    doubled = base + base[-1:] + ending
    if _ONE_SHORT_SYLLABLE.fullmatch(base):
        return (doubled,)
    return (base + ending,) if base[-1:] in _VOWELS else (base + ending, doubled)
