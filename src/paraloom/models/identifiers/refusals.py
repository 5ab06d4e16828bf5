"""What an identifier is asked or given in; out comes nothing, or an error that says what to do.

Every identifier refuses the same things in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, Kind, joined


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


def check_sets(examples: Sequence[Examples], held_out: Sequence[Examples]) -> None:
    """Refuse sets from which nothing can be learned or chosen.

    >>> pairs = Examples(left=["a storm"], right=["a gale"], targets=[1])
    >>> check_sets([pairs], [pairs])
    Traceback (most recent call last):
    paraloom.errors.InputError: Every pair held out for the definition 'loose' is a paraphrase, so nothing can be \
chosen by them. Hold out pairs of both kinds.
    """
    if not any(len(one) for one in examples):
        raise InputError("There are no examples to learn from. Give pairs whose answers are known.")
    for definition in dict.fromkeys(one.definition for one in (*examples, *held_out) if len(one)):
        held = [float(target) > 0.5 for one in held_out if one.definition == definition for target in one.targets]
        if not held:
            raise InputError(f"No examples are held out for the definition {definition!r}. Hold some out.")
        if all(held) or not any(held):
            kind = "a paraphrase" if held[0] else "no paraphrase"
            raise InputError(
                f"Every pair held out for the definition {definition!r} is {kind}, so nothing can be chosen by them. "
                "Hold out pairs of both kinds."
            )


def with_held_out(examples: Sequence[Kind], held_out: Sequence[Kind]) -> list[tuple[Kind, Kind]]:
    """The examples of each definition with those that were held out for it, several sets of one definition as one.

    >>> one = Examples(left=["a storm"], right=["a gale"], targets=[1])
    >>> other = Examples(left=["a storm"], right=["a calm"], targets=[0])
    >>> [(len(learned), kept.right) for learned, kept in with_held_out([one, other, one], [other, one])]
    [(3, ['a calm', 'a gale'])]
    """
    check_sets(examples, held_out)
    definitions = dict.fromkeys(one.definition for one in examples if len(one))
    return [(_joined(examples, definition), _joined(held_out, definition)) for definition in definitions]


def _joined(sets: Sequence[Kind], definition: str) -> Kind:
    return joined([one for one in sets if one.definition == definition and len(one)])
