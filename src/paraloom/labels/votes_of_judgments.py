"""Judgments in, votes on pairs out: which of them count, and all grades of a pair with the same side on the left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from paraloom.errors import InputError
from paraloom.labels.votes_of_answer import GRADED_TASKS, Answer, votes_of_answer
from paraloom.metrics.identification.graded import SKIP, collapse, turned

SET_ASIDE, SUPERSEDED = "set_aside", "superseded"
"""Why the annotation service does not count a judgment: unreliable work, and answers that were changed later."""


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
    left_id: str | None = None
    """The sentence that was shown on the left, where that is known."""
    is_decision: bool = False
    """It settles what others differ on, and counts in place of all their answers."""


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
    """By pair and annotator, one each; decisions are none of them."""
    decisions: tuple[Vote, ...] = ()
    """By pair, the latest decision on each."""
    left_ids: Mapping[str, str] = field(default_factory=dict)
    """By pair, the sentence on the left of all its grades; pairs of which nothing is known are not in it."""
    superseded: int = 0
    """Judgments whose annotator has answered the same item again later, and decisions that a later one replaced."""
    tests: int = 0
    """Answers to hidden test questions, which are left out."""
    dropped_for: Mapping[str, int] = field(default_factory=dict)
    """Why judgments say nothing that can be counted, and how many."""
    tasks: Mapping[str, int] = field(default_factory=dict)
    """Judgments that gave votes or decisions, by task."""


def votes_of_judgments(
    judgments: Iterable[GivenJudgment], *, graded: bool = False, tests: bool = False
) -> JudgmentVotes:
    """One vote of each person on each pair: the newest answer to an item counts, then the newest on a pair.

    `graded` counts the labels of graded tasks alone, turned to the left side of the earliest of them; a judgment that
    does not say what was on the left is taken as it stands. Else grades count as for or against. Hidden test questions
    are left out unless `tests`, and work that was set aside always is. The order of the judgments decides nothing.
    """
    newest = _newest(judgments, tests)
    dropped, tasks = Counter(newest.dropped_for), Counter[str]()
    sides = _Sides()
    votes: dict[tuple[str, str], str | None] = {}
    decisions: dict[str, Vote] = {}
    for one in newest.judgments:
        try:
            said = _said(one, graded, sides)
        except InputError as reason:
            dropped[str(reason)] += 1
            continue
        tasks[one.task] += 1
        if one.is_decision:
            decisions |= {pair: Vote(pair, one.annotator, answer) for pair, answer in said.items()}
        else:
            votes |= {(pair, one.annotator): answer for pair, answer in said.items()}
    return JudgmentVotes(
        votes=tuple(Vote(pair, annotator, votes[pair, annotator]) for pair, annotator in sorted(votes)),
        decisions=tuple(decisions[pair] for pair in sorted(decisions)),
        left_ids=dict(sorted(sides.left.items())),
        superseded=newest.superseded,
        tests=newest.tests,
        dropped_for=dict(sorted(dropped.items())),
        tasks=dict(sorted(tasks.items())),
    )


@dataclass(slots=True)
class _Newest:
    """Judgments that may count, the earliest first."""

    judgments: list[GivenJudgment]
    superseded: int = 0
    tests: int = 0
    dropped_for: dict[str, int] = field(default_factory=dict)


def _newest(judgments: Iterable[GivenJudgment], tests: bool) -> _Newest:
    """The newest answer of everybody to each item, and the newest decision on it, whose ever it is."""
    newest: dict[tuple[str, str, str, str | None], GivenJudgment] = {}
    superseded = left_out = set_aside = 0
    for one in judgments:
        if one.is_test and not tests:
            left_out += 1
        elif one.not_counted_for == SET_ASIDE:
            set_aside += 1
        elif one.not_counted_for == SUPERSEDED:  # the service knows better than clocks, which may be set back
            superseded += 1
        else:
            key = (one.campaign, one.task, one.item_id, None if one.is_decision else one.annotator)
            before = newest.get(key)
            superseded += before is not None
            if before is None or _age(before) < _age(one):
                newest[key] = one
    return _Newest(sorted(newest.values(), key=_age), superseded, left_out, {SET_ASIDE: set_aside} if set_aside else {})


def _age(one: GivenJudgment) -> tuple[datetime, str]:
    return one.created_at, one.judgment_id


def _said(one: GivenJudgment, graded: bool, sides: _Sides) -> dict[str, str | None]:
    """What a judgment says of each pair; an `InputError` says why it says nothing."""
    said = votes_of_answer(one.task, one.item_id, one.answer)
    if one.task not in GRADED_TASKS:
        if graded:
            raise InputError(f"task {one.task} has no grade")
        return dict(said)
    if graded:
        return {pair: turned(label) if sides.is_other(pair, one.left_id) else label for pair, label in said.items()}
    collapsed = {pair: collapse(label, "binary") for pair, label in said.items()}
    return {pair: None if label == SKIP else label for pair, label in collapsed.items()}


class _Sides:
    """Which sentence is on the left of a pair: that of the first judgment which tells."""

    def __init__(self) -> None:
        self.left: dict[str, str] = {}
        self._right: dict[str, str] = {}

    def is_other(self, pair: str, left_id: str | None) -> bool:
        """Whether this sentence is the right one of the pair."""
        if left_id is None or self.left.setdefault(pair, left_id) == left_id:
            return False
        if self._right.setdefault(pair, left_id) != left_id:
            raise InputError("bad_row: left_id is a third sentence of the pair")
        return True
