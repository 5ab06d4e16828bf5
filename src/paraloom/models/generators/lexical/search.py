"""Substitutions with what each is worth in, the best sets of them out: a beam over the words of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from paraloom.models.generators.lexical.edits import Edit


class Choice(NamedTuple):
    """Substitutions that can be made together."""

    value: float
    edits: tuple[Edit, ...]
    changed: int
    """How many words of the sentence they replace."""


def best_choices(edits: Sequence[Edit], values: Sequence[float], width: int, most_changed: int) -> list[Choice]:
    """The best sets, best first, the empty one among them; what is kept never depends on the order of equal ones.

    >>> cut, hit = Edit(1, 2, "cut", "lowered", 0.8), Edit(1, 3, "cut down", "felled", 0.9)
    >>> [choice.value for choice in best_choices([cut, hit], [1.0, 2.0], 8, 5)]
    [2.0, 1.0, 0.0]
    """
    states = [Choice(0.0, (), 0)]
    ordered = sorted(zip(edits, values, strict=True))
    for edit, value in ordered:
        longer = [
            Choice(state.value + value, (*state.edits, edit), state.changed + edit.end - edit.start)
            for state in states
            if (not state.edits or state.edits[-1].end <= edit.start)
            and (not state.edits or state.changed + edit.end - edit.start <= most_changed)
        ]
        states = sorted((*states, *longer), key=lambda one: (-one.value, one.edits))[:width]
    return states


def different(choices: Sequence[tuple[float, frozenset[str]]], n: int, alike: float) -> list[int]:
    """The places of n choices, one after the other the best that is not too like those taken.

    Each comes with its value and what it changes; what shares all changes with one taken loses `alike`.
    """
    taken: list[int] = []
    left = list(range(len(choices)))
    while left and len(taken) < n:
        best = max(left, key=lambda one: (choices[one][0] - alike * _shared(choices, one, taken), -one))
        taken.append(best)
        left.remove(best)
    return taken


def _shared(choices: Sequence[tuple[float, frozenset[str]]], one: int, taken: Sequence[int]) -> float:
    changes = choices[one][1]
    return max((len(changes & choices[other][1]) / len(changes | choices[other][1]) for other in taken), default=0.0)
