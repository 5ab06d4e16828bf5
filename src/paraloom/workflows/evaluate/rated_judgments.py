"""Judgments exported from a campaign `rate` in, what people said of each system's outputs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from paraloom.engine.given import Rows
from paraloom.errors import InputError
from paraloom.judgments.tasks.rate import GeneratedContent, RateTask, systems_named
from paraloom.text.counted import counted

COLUMNS = ("task", "content", "answer")
"""Those by which an export is known."""

LEFT_OUT = {
    "test": ("answer to a test question", "answers to test questions"),
    "set_aside": ("judgment that was set aside", "judgments that were set aside"),
    "superseded": ("judgment that was superseded", "judgments that were superseded"),
    "not_counted": ("judgment that does not count", "judgments that do not count"),
    "decision": ("decision of an expert", "decisions of experts"),
    "phrase": ("rating of a phrase", "ratings of phrases"),
    "other_task": ("judgment of another task", "judgments of other tasks"),
}
"""Why a row is no rating of an output, in the words for one and for several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedJudgment:
    """What one annotator said of one text, and who wrote it."""

    where: str
    source: str
    output: str
    systems: tuple[str, ...]
    """Every system that wrote it; none where the export does not tell."""
    annotator: str
    ratings: Mapping[str, int]


@dataclass(slots=True)
class RatedJudgments:
    """The ratings of one export, and how many rows are none."""

    judgments: list[RatedJudgment] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def notes(self, name: str) -> list[str]:
        """What a reader should know of the file."""
        told = []
        if self.left_out:
            reasons = [counted(self.left_out[why], *words) for why, words in LEFT_OUT.items() if self.left_out[why]]
            told.append(f"{name}: left out are {', '.join(reasons)}.")
        shared = {(one.source, one.output) for one in self.judgments if len(one.systems) > 1}
        if shared:
            told.append(
                f"{name}: {counted(len(shared), 'text was', 'texts were')} written by several systems; what people "
                "said of it counts for each of them, and over all systems as often."
            )
        if unnamed := len({(one.source, one.output) for one in self.judgments if not one.systems}):
            told.append(
                f"{name}: {counted(unnamed, 'output names', 'outputs name')} no system; the file is taken for it."
            )
        return told


def is_export(rows: Rows) -> bool:
    """Whether rows are judgments as `paraloom annotate export` writes them, and not ratings column by column."""
    return not {"source", "output"} <= set(rows.columns) and set(COLUMNS) <= set(rows.columns)


def read_rated_judgments(rows: Rows) -> RatedJudgments:
    """Every rating of a generated sentence that counts."""
    found = RatedJudgments()
    task = RateTask()
    for row, line in enumerate(rows.lines):
        said = {name: values[row] for name, values in rows.columns.items()}
        where = f"{rows.path}, line {line}"
        if (why := _left_out(said)) is not None:
            found.left_out[why] += 1
            continue
        try:
            content = task.read_content(_object(said["content"], "content"))
            answer = task.read_answer(_object(said["answer"], "answer"), content)
            origin = _object(said.get("origin") or {}, "origin")
        except (InputError, ValueError) as error:
            raise InputError(f"{where}: {error}") from error
        if not isinstance(content, GeneratedContent):
            found.left_out["phrase"] += 1
            continue
        found.judgments.append(
            RatedJudgment(
                where=where,
                source=content.source,
                output=content.generated,
                systems=systems_named(origin),
                annotator=str(said.get("annotator") or ""),
                ratings=answer.ratings(),
            )
        )
    if not found.judgments:
        told = "; ".join(found.notes(str(rows.path))) or f"{rows.path} holds no judgment."
        raise InputError(f"{told} No rating of a generated sentence is left. Export a campaign of the kind rate.")
    return found


def _left_out(said: Mapping[str, Any]) -> str | None:
    """Why a row is no annotator's rating, if it is none."""
    if said["task"] != RateTask.name:
        return "other_task"
    if _holds(said.get("is_decision")):
        return "decision"  # it settles what a label is; a mean is over what annotators said
    if _holds(said.get("is_test")):
        return "test"
    if _holds(said.get("is_counted"), unsaid=True):
        return None
    return why if (why := said.get("not_counted_for")) in LEFT_OUT else "not_counted"


def _holds(value: Any, *, unsaid: bool = False) -> bool:
    """A truth value, or a CSV cell of one."""
    if value is None or value == "":
        return unsaid
    return value in (True, "true", "True", "1")


def _object(value: Any, name: str) -> Mapping[str, Any]:
    """A value that is an object, or JSON of one in a cell."""
    import orjson

    found = orjson.loads(value) if isinstance(value, str) else value
    if not isinstance(found, Mapping):
        raise ValueError(f"`{name}` is no JSON object. Export the judgments anew: `paraloom annotate export`.")
    return found
