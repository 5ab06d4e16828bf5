"""The kinds of task, by name. One module each: what is shown, what may be answered, its votes, its keys."""

from __future__ import annotations

from typing import Any

from paraloom.errors import InputError
from paraloom.judgments.tasks.choose import ChooseTask
from paraloom.judgments.tasks.extract import ExtractTask
from paraloom.judgments.tasks.grade import GradeTask
from paraloom.judgments.tasks.match import MatchTask
from paraloom.judgments.tasks.pair import PairTask
from paraloom.judgments.tasks.rate import RateTask
from paraloom.judgments.tasks.seed import SeedTask
from paraloom.judgments.tasks.task import Raw, Task
from paraloom.judgments.tasks.topic import TopicTask
from paraloom.judgments.tasks.write import WriteTask

TASKS: dict[str, Task[Any, Any]] = {
    task.name: task
    for task in (
        PairTask(),
        ChooseTask(),
        RateTask(),
        TopicTask(),
        SeedTask(),
        MatchTask(),
        ExtractTask(),
        GradeTask(),
        WriteTask(),
    )
}
"""Every kind of task, by its name."""


def task_named(name: str) -> Task[Any, Any]:
    """The kind of that name."""
    if name not in TASKS:
        raise InputError(f"There is no kind of task {name!r}. Choose one of: {', '.join(TASKS)}.")
    return TASKS[name]


def read_expected(task: Task[Any, Any], raw: Raw, content: Any) -> Any:
    """The right answer of a test question: an answer, but that several sentences may be right as a seed."""
    return task.read_expected(raw, content) if isinstance(task, SeedTask) else task.read_answer(raw, content)
