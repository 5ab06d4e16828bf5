"""The function words between two words of content of a source and an output in; out comes how they changed.

Words of content stand fast, so only what lies between two of them is aligned: a few words, and every step must be one
that `function_words` allows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from paraloom.metrics.diversity.grammar.function_words import (
    AUXILIARIES,
    BEFORE_A_NOUN,
    DROPPED,
    FILLERS,
    NO_VERB_BEGINS_WITH,
    ONLY_IN_FRONT,
    PARTICIPLES_OF_DO,
    RELATIVES,
    SWAPPED,
)
from paraloom.metrics.diversity.grammar.irregular_forms import participles


class Side(NamedTuple):
    """The function words of one text between two words of content."""

    forms: list[str]
    marks: list[str]
    """For each form, `contraction` or `numeral` where it stands otherwise in the text; else empty."""
    in_front: bool
    """Whether no word of content stands before them."""
    following: str
    """The word of content after them that may be a verb; empty at the end."""


@dataclass(slots=True)
class Explained:
    """How a gap changed: the kinds of change, and which words came and went."""

    kinds: set[str] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)


_FAR = 1 << 20
_LONGEST = 50
"""More function words in a row are no sentence, and aligning them would take time by the square."""


def explain(left: Side, right: Side) -> Explained | None:
    """The fewest allowed steps from left to right; None where no allowed steps lead there.

    >>> explain(Side(["in", "the"], ["", ""], False, "park"), Side(["at", "a"], ["", ""], False, "park")).kinds == {
    ...     "preposition", "determiner"}
    True
    >>> explain(Side(["has", "a"], ["", ""], False, "dog"), Side(["is", "a"], ["", ""], False, "dog")) is None
    True
    """
    if max(len(left.forms), len(right.forms)) > _LONGEST:
        return None
    lost = [_may_drop(left, row) for row in range(len(left.forms))]
    gained = [_may_drop(right, column) for column in range(len(right.forms))]
    steps = _steps_to(left, right, lost, gained)
    if steps[-1][-1] >= _FAR:
        return None
    explained = Explained()
    row, column = len(left.forms), len(right.forms)
    while row or column:
        here = steps[row][column]
        exchanged = _kind_of_exchange(left, row - 1, right, column - 1) if row and column else None
        if exchanged is not None and here == steps[row - 1][column - 1] + _step(left, row, right, column):
            row, column = row - 1, column - 1
            explained.kinds.add(exchanged)
        elif row and lost[row - 1] and here == steps[row - 1][column] + 1:
            row -= 1
            explained.kinds.add(lost[row] or "")
            explained.left_out.append(left.forms[row])
        else:
            column -= 1
            explained.kinds.add(gained[column] or "")
            explained.added.append(right.forms[column])
    return None if _stands_for_what_it_may_not(explained) else explained


def _steps_to(left: Side, right: Side, lost: list[str | None], gained: list[str | None]) -> list[list[int]]:
    """The fewest steps from each beginning of the left to each beginning of the right."""
    steps = [[_FAR] * (len(gained) + 1) for _ in range(len(lost) + 1)]
    steps[0][0] = 0
    for row in range(len(lost) + 1):
        for column in range(len(gained) + 1):
            best = steps[row][column]
            if row and lost[row - 1]:
                best = min(best, steps[row - 1][column] + 1)
            if column and gained[column - 1]:
                best = min(best, steps[row][column - 1] + 1)
            if row and column and _kind_of_exchange(left, row - 1, right, column - 1) is not None:
                best = min(best, steps[row - 1][column - 1] + _step(left, row, right, column))
            steps[row][column] = best
    return steps


def _step(left: Side, row: int, right: Side, column: int) -> int:
    return int(left.forms[row - 1] != right.forms[column - 1])


def _kind_of_exchange(left: Side, row: int, right: Side, column: int) -> str | None:
    """The kind of change where one word stands for another; empty where they are the same; None where it may not."""
    old, new = left.forms[row], right.forms[column]
    if old == new:
        return "" if left.marks[row] == right.marks[column] else left.marks[row] or right.marks[column]
    kind = SWAPPED.get((old, new))
    if kind or old not in AUXILIARIES or new not in AUXILIARIES:
        return kind
    # "is winning" and "has won" are two tenses of one verb; "is rich" and "has rich" are not.
    both_make_a_tense = _makes_a_tense(left, row) and _makes_a_tense(right, column)
    return "tense" if both_make_a_tense and left.following != right.following else None


def _may_drop(side: Side, position: int) -> str | None:
    """The kind of change where this word is added or left out; None where it may not be."""
    form = side.forms[position]
    if form in ONLY_IN_FRONT and not (side.in_front and position == 0):
        return None
    if form in RELATIVES and side.in_front:
        return None
    if AUXILIARIES.get(form, "be") != "be" and not _makes_a_tense(side, position):
        return None
    kind = DROPPED.get(form)
    if kind == "determiner" and not _belongs_to_a_noun(side, position):
        return None
    return kind


def _belongs_to_a_noun(side: Side, position: int) -> bool:
    """Whether a determiner stands before a noun, and not for one as in "he saw her and left" or "I like this"."""
    return bool(side.following) and all(form in BEFORE_A_NOUN for form in side.forms[position + 1 :])


def _makes_a_tense(side: Side, position: int) -> bool:
    """Whether an auxiliary stands before a verb, and not before an object as in "has a dog"."""
    behind = next((form for form in side.forms[position + 1 :] if form not in FILLERS), None)
    if behind is not None:
        return behind in AUXILIARIES or behind in PARTICIPLES_OF_DO
    verb = side.following
    if not verb or verb in NO_VERB_BEGINS_WITH:
        return False
    return AUXILIARIES[side.forms[position]] != "have" or verb.endswith(("ed", "ly")) or verb in participles()


def _stands_for_what_it_may_not(explained: Explained) -> bool:
    """Whether a word went and another of its kind came that may not stand for it: "to" and "from", "his" and "her"."""
    return any(
        DROPPED[old] == DROPPED[new] and old != new and (old, new) not in SWAPPED
        for old in explained.left_out
        for new in explained.added
    )
