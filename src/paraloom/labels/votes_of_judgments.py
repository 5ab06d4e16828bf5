"""Judgments in, votes on pairs out: which pairs an answer speaks of, and what it says of each.

The one place that says so: the annotation service's own counting can be held against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import orjson

from paraloom.errors import InputError
from paraloom.labels.graded import is_paraphrase, written

YES, NO = "1", "0"
"""Votes for and against a paraphrase."""
SET_ASIDE, SUPERSEDED = "set_aside", "superseded"
"""Why the annotation service does not count a judgment: unreliable work, and answers that were changed later."""

Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenJudgment:
    """What of a `Judgment` decides its votes."""

    judgment_id: str
    campaign: str
    task: str
    item_id: str
    annotator: str
    answer: str | Answer
    """JSON of the task's answer, or the object itself."""
    created_at: datetime
    is_test: bool = False
    not_counted_for: str | None = None
    """What the annotation service says of it, if it was asked: set_aside, superseded or test."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one person says of one pair."""

    pair_id: str
    annotator: str
    answer: str | None
    """`1` or `0`, or a graded label; None where the pair was skipped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentVotes:
    """The votes that judgments hold, and what became of judgments that hold none."""

    votes: tuple[Vote, ...]
    """By pair and annotator, one each."""
    superseded: int = 0
    """Judgments whose annotator has answered the same item again later."""
    tests: int = 0
    """Answers to hidden test questions, which are left out."""
    dropped_for: Mapping[str, int] = field(default_factory=dict)
    """Why judgments say nothing that can be counted, and how many."""
    tasks: Mapping[str, int] = field(default_factory=dict)
    """Judgments that gave votes, by task."""


def votes_of_answer(task: str, item_id: str, answer: str | Answer) -> dict[str, str | None]:
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


def binary(label: str) -> str | None:
    """A graded label as a vote: 3 and 4 for a paraphrase, 1 and 2 against, `x` neither.

    >>> binary("4>"), binary("2"), binary("x")
    ('1', '0', None)
    """
    said = is_paraphrase(label)
    return None if said is None else YES if said else NO


def votes_of_judgments(
    judgments: Iterable[GivenJudgment], *, graded: bool = False, tests: bool = False
) -> JudgmentVotes:
    """One vote of each person on each pair: the newest answer to an item counts, then the newest on a pair.

    `graded` counts the labels of graded tasks alone; else these count as for or against. Hidden test questions are
    left out unless `tests`, and work that was set aside always is. The order of the judgments decides nothing.
    """
    dropped: Counter[str] = Counter()
    tasks: Counter[str] = Counter()
    newest: dict[tuple[str, str, str, str], GivenJudgment] = {}
    superseded = left_out = 0
    for one in judgments:
        if one.is_test and not tests:
            left_out += 1
            continue
        if one.not_counted_for == SET_ASIDE:
            dropped[SET_ASIDE] += 1
            continue
        if one.not_counted_for == SUPERSEDED:  # the service knows better than clocks, which may be set back
            superseded += 1
            continue
        key = (one.campaign, one.task, one.item_id, one.annotator)
        before = newest.get(key)
        superseded += before is not None
        if before is None or _age(before) < _age(one):
            newest[key] = one
    votes: dict[tuple[str, str], str | None] = {}
    for one in sorted(newest.values(), key=_age):
        try:
            said = votes_of_answer(one.task, one.item_id, one.answer)
        except InputError as reason:
            dropped[str(reason)] += 1
            continue
        if graded and one.task not in GRADED_TASKS:
            dropped[f"task {one.task} has no grade"] += 1
            continue
        if not graded and one.task in GRADED_TASKS:
            said = {pair: None if label is None else binary(label) for pair, label in said.items()}
        tasks[one.task] += 1
        votes |= {(pair, one.annotator): answer for pair, answer in said.items()}
    return JudgmentVotes(
        votes=tuple(Vote(pair, annotator, votes[pair, annotator]) for pair, annotator in sorted(votes)),
        superseded=superseded,
        tests=left_out,
        dropped_for=dict(sorted(dropped.items())),
        tasks=dict(sorted(tasks.items())),
    )


def _age(one: GivenJudgment) -> tuple[datetime, str]:
    return one.created_at, one.judgment_id


def _object(answer: str | Answer) -> Answer:
    if isinstance(answer, str):
        try:
            answer = orjson.loads(answer)
        except orjson.JSONDecodeError:
            raise InputError("bad_row: answer is not JSON") from None
    if not isinstance(answer, Mapping):
        raise InputError("bad_row: answer is no object")
    return answer


def _pair(item_id: str, answer: Answer) -> dict[str, str | None]:
    said = answer.get("is_paraphrase")
    if not isinstance(said, bool):
        raise InputError("bad_row: is_paraphrase is neither true nor false")
    return {item_id: YES if said else NO}


def _choose(item_id: str, answer: Answer) -> dict[str, str | None]:
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


def _grade(item_id: str, answer: Answer) -> dict[str, str | None]:
    label = answer.get("label")
    try:
        return {item_id: written(label if isinstance(label, str) else "")}
    except InputError:
        raise InputError("bad_row: label is no graded label") from None


TASKS: dict[str, Callable[[str, Answer], dict[str, str | None]]] = {
    "pair": _pair,
    "choose": _choose,
    "grade": _grade,
}
"""Tasks whose answers are votes on pairs. Ratings of texts (`rate`) and work on documents are none."""

GRADED_TASKS = ("grade",)
