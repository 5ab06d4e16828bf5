"""One answer in, votes on pairs out: which pairs it speaks of, and what it says of each.

The one place that says so: the annotation service's own counting can be held against it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from paraloom.errors import InputError
from paraloom.metrics.identification.graded import NO, YES, is_label, written

Answer = Mapping[str, Any]


def votes_of_answer(task: str, item_id: str, answer: str | Answer) -> dict[str, str]:
    """By pair, what one answer says of it: `1` or `0`, or the label of a graded task.

    An answer that cannot be counted is an `InputError` whose message is the reason.

    >>> votes_of_answer("pair", "p1", {"is_paraphrase": True})
    {'p1': '1'}
    >>> votes_of_answer("choose", "s1", '{"chosen": ["p2"], "shown": ["p2", "p3"]}')
    {'p2': '1', 'p3': '0'}
    >>> votes_of_answer("grade", "p1", {"label": "4s>", "unsure": False})
    {'p1': '4>s'}
    """
    if task not in TASKS:
        raise InputError(f"task {task} has no label")
    return TASKS[task](item_id, _object(answer))


def _object(answer: str | Answer) -> Answer:
    if isinstance(answer, str):
        try:
            answer = orjson.loads(answer)
        except orjson.JSONDecodeError:
            raise InputError("bad_row: answer is not JSON") from None
    if not isinstance(answer, Mapping):
        raise InputError("bad_row: answer is no object")
    return answer


def _pair(item_id: str, answer: Answer) -> dict[str, str]:
    said = answer.get("is_paraphrase")
    if not isinstance(said, bool):
        raise InputError("bad_row: is_paraphrase is neither true nor false")
    return {item_id: YES if said else NO}


def _choose(item_id: str, answer: Answer) -> dict[str, str]:
    chosen, shown = (_ids(answer, name) for name in ("chosen", "shown"))
    if not shown:
        raise InputError("bad_row: no pair was shown")
    if not set(chosen) <= set(shown):
        raise InputError("bad_row: a chosen pair was not shown")
    return {pair: YES if pair in chosen else NO for pair in shown}


def _ids(answer: Answer, name: str) -> list[str]:
    value = answer.get(name)
    if not isinstance(value, list) or not all(isinstance(one, str) and one for one in value):
        raise InputError(f"bad_row: {name} is no list of pair ids")
    return value


def _grade(item_id: str, answer: Answer) -> dict[str, str]:
    label = answer.get("label")
    if not isinstance(label, str) or not is_label(label):
        raise InputError("bad_row: label is no graded label")
    return {item_id: written(label)}


TASKS: dict[str, Callable[[str, Answer], dict[str, str]]] = {
    "pair": _pair,
    "choose": _choose,
    "grade": _grade,
}
"""Tasks whose answers are votes on pairs. Ratings of texts (`rate`) and work on documents are none."""

GRADED_TASKS = ("grade",)
