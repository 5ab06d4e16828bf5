"""Sentences with ids in, the same out, checked: what `choose` and `seed` list for people to pick from."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from paraloom.errors import InputError
from paraloom.judgments.tasks.documents import inside
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.reading import objects, text
from paraloom.judgments.tasks.task import Shown

MOST_ID_LETTERS = 130
"""Votes are counted by these ids behind the item's (of up to 64), and the store keeps 200 letters of both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One sentence of a list."""

    id: str
    text: str


def listed(raw: Mapping[str, Any], field: str, *, least: int, most: int) -> tuple[Listed, ...]:
    """The list's sentences, if no two of them have one id.

    >>> listed({"sentences": [{"id": "a", "text": "Rain."}, {"id": "a", "text": "Sun."}]}, "sentences", least=2, most=3)
    Traceback (most recent call last):
    paraloom.errors.InputError: `sentences[1].id` is 'a', which another of them has already.
    """
    found: dict[str, Listed] = {}
    for number, one in enumerate(objects(raw, field, least=least, most=most)):
        at = f"{field}[{number}]"
        fields = inside(one, ("id", "text"), at)
        name = text(fields, f"{at}.id", most=MOST_ID_LETTERS)
        if name in found:
            raise InputError(f"`{at}.id` is {name!r}, which another of them has already.")
        found[name] = Listed(id=name, text=text(fields, f"{at}.text"))
    return tuple(found.values())


def ids(sentences: Collection[Listed]) -> tuple[str, ...]:
    """Their ids, in their order."""
    return tuple(sentence.id for sentence in sentences)


def cases(shown: Shown) -> str:
    """What counts as a paraphrase under the campaign's definition: the guide of `pair` without its title."""
    return guide(f"pair_{'loose' if shown.definition == 'loose' else 'strict'}").split("\n", 1)[1].strip() + "\n"
