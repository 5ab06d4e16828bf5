"""An item and what a file says was shown in, whether its sides stand the other way round there out.

A pair may be shown either way round; a graded label has a direction, and is turned with it. What shows other texts is
another item, whatever its id says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from paraloom.errors import InputError
from paraloom.judgments.items import Item
from paraloom.metrics.identification.graded import turned

Raw = Mapping[str, Any]

SHOWN = ("left", "right", "source", "generated", "original", "candidates", "sentences")
"""Fields of contents that hold the texts an answer is about; all else (titles, suggestions, topics) may differ."""
TO_THE_LETTER = ("extract",)
"""Kinds whose answers count characters: in all others, white space tells no texts apart."""


def stand_turned(task: str, item: Item, content: Raw | None, left_id: str | None = None) -> bool:
    """Whether a file shows the item's right side on the left; an `InputError` where it shows something else.

    What the file does not tell is taken to be the same.
    """
    here, there = _texts(task, item.content), _texts(task, content or {})
    both = [name for name in here if name in there]
    if both:
        if all(here[name] == there[name] for name in both):
            return False
        if task in TURNED and (here["left"], here["right"]) == (there.get("right"), there.get("left")):
            return True
        raise InputError(
            f"{item.item_id!r} shows another {next(name for name in both if here[name] != there[name])} here than in "
            "the file, so it is not the same item. Give it another id, or leave it out"
        )
    if left_id is None or item.origin.get("left_id") in (None, left_id):
        return False
    if task in TURNED and item.origin.get("right_id") == left_id:
        return True
    raise InputError(f"{item.item_id!r} is of other sentences here than in the file, whose left one is {left_id!r}")


def turned_answer(task: str, answer: Raw) -> Raw:
    """The same answer about the sides the other way round.

    >>> turned_answer("grade", {"label": "4>", "rewrite_left": "It rains."})
    {'label': '4<', 'rewrite_left': None, 'rewrite_right': 'It rains.'}
    """
    return TURNED[task](answer)


def _turned_grade(answer: Raw) -> Raw:
    found = dict(answer)
    if isinstance(label := answer.get("label"), str):
        found["label"] = turned(label)
    return found | {"rewrite_left": answer.get("rewrite_right"), "rewrite_right": answer.get("rewrite_left")}


TURNED: dict[str, Callable[[Raw], Raw]] = {"pair": dict, "match": dict, "grade": _turned_grade}
"""Kinds that may be shown either way round, and what becomes of an answer."""


def _texts(task: str, content: Raw) -> dict[str, Sequence[str]]:
    """The texts of each field that has some."""
    found = {name: _texts_of(content[name]) for name in SHOWN if content.get(name) is not None}
    if task not in TO_THE_LETTER:
        found = {name: [" ".join(text.split()) for text in texts] for name, texts in found.items()}
    return {name: texts for name, texts in found.items() if texts}


def _texts_of(value: Any) -> list[str]:
    """A text itself, that of a document or a listed sentence, or those of a list; nothing where there is none."""
    if isinstance(value, Mapping):
        value = value.get("text")
    if isinstance(value, list | tuple):
        each = [_texts_of(one) for one in value]
        return [text for texts in each for text in texts] if all(each) else []
    return [value] if isinstance(value, str) else []
