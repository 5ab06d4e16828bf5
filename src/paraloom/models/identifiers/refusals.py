"""What an identifier is asked or given in; out comes nothing, or an error that says what to do.

Every identifier refuses the same things in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples


def check_pairs(left: Sequence[str], right: Sequence[str]) -> None:
    """Refuse texts that do not make pairs.

    >>> check_pairs(["a", "b"], ["a"])
    Traceback (most recent call last):
    paraloom.errors.InputError: 2 left texts and 1 right texts do not make pairs.
    """
    if len(left) != len(right):
        raise InputError(f"{len(left)} left texts and {len(right)} right texts do not make pairs.")


def check_definition(name: str, definition: str, trained_for: Sequence[str]) -> None:
    """Refuse a definition of paraphrase that the system of this name has not learned."""
    if definition not in trained_for:
        known = ", ".join(trained_for) or "none yet: call fit first"
        raise InputError(
            f"{name} was not trained for the definition {definition!r}. It was trained for: {known}. "
            f"Choose one of these, or another identifier."
        )


def with_held_out(examples: Sequence[Examples], held_out: Sequence[Examples]) -> list[tuple[Examples, Examples]]:
    """The examples of each definition with those that were held out for it; refuse where there are none."""
    if not any(len(one) for one in examples):
        raise InputError("There are no examples to learn from. Give one set of examples a definition.")
    by_definition = {one.definition: one for one in held_out if len(one)}
    for one in examples:
        if one.definition not in by_definition:
            raise InputError(f"No examples are held out for the definition {one.definition!r}. Hold some out.")
    return [(one, by_definition[one.definition]) for one in examples]
