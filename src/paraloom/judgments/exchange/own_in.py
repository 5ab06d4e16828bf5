"""Our own JSON lines in, judgments out, with their ids and all that was said about them later."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import orjson

from paraloom.engine.given import read_rows
from paraloom.errors import InputError
from paraloom.judgments.exchange.file_rows import Bad, Line, bad_row, lines_of
from paraloom.judgments.exchange.judgment_rows import GivenDecided, GivenJudgment
from paraloom.judgments.exchange.moments import moment, seconds
from paraloom.judgments.exchange.remark_rows import GivenDecision, GivenMark, read_decision, read_mark, read_note

_ID = re.compile(r"[0-9a-f]{32}")
_NEEDED = ("judgment_id", "item_id", "annotator", "answer", "client_id")

T = TypeVar("T")


def read_own(file: Path) -> Iterator[GivenJudgment | GivenDecided | Bad]:
    """What `export --format jsonl` (or csv) wrote, in its order."""
    rows = read_rows(file, _NEEDED, required=(), leaving_out=True)
    if missing := [name for name in _NEEDED if name not in rows.columns]:
        raise InputError(
            f"{file} has no column {missing[0]!r}, so `paraloom annotate export` did not write it. Items are added by "
            "`paraloom annotate import`; judgments of other tools are told by --format."
        )
    for line in lines_of(rows):
        if isinstance(line, Bad):
            yield line
            continue
        try:
            yield _decided(line) if _is_decision(line) else _judgment(line)
        except (InputError, ValueError, TypeError) as error:
            yield bad_row(line.where, error)


def _is_decision(line: Line) -> bool:
    return str(line.values.get("is_decision")).strip().lower() == "true"  # a spreadsheet writes TRUE


def _judgment(line: Line) -> GivenJudgment:
    row = line.values
    for name in _NEEDED:
        if row.get(name) in (None, ""):
            raise InputError(f"`{name}` is not there")
    if not isinstance(row["judgment_id"], str) or not _ID.fullmatch(row["judgment_id"]):
        raise InputError("`judgment_id` is no id of ours: 32 hexadecimal digits")
    taken = row.get("seconds")
    marks = _each(row, "marks", read_mark)
    return GivenJudgment(
        where=line.where,
        annotator=str(row["annotator"]),
        client_id=str(row["client_id"]),
        item_id=str(row["item_id"]),
        content=_object(row, "content"),
        left_id=row.get("left_id") or None,
        answer=_object(row, "answer") or {},
        created_at=moment(row.get("created_at")),
        seconds=seconds(float(taken) if isinstance(taken, str) and taken else taken),
        judgment_id=row["judgment_id"],
        instructions_version=int(row.get("instructions_version") or 1),
        replaces=row.get("replaces") or None,
        expected=_object(row, "expected"),
        explanation=row.get("explanation") or None,
        group_id=row.get("group_id") or None,
        proposed_by=row.get("proposed_by") or None,
        origin=_object(row, "origin") or {},
        marks=marks,
        notes=_each(row, "notes", read_note),
        decisions=_decisions(row),
        is_set_aside=_is_set_aside(row, marks),
    )


def _decided(line: Line) -> GivenDecided:
    """A row that tells what was decided: all of it, as lines do, or as tables do the decision that holds."""
    row = line.values
    if row.get("item_id") in (None, ""):
        raise InputError("`item_id` is not there")
    decisions = _decisions(row)
    if not decisions:
        told = {**row, "answer": _object(row, "answer"), "decided_by": row.get("annotator"), "judgment_ids": []}
        decisions = [replace(read_decision(told), reason=None)]
    return GivenDecided(
        where=line.where,
        item_id=str(row["item_id"]),
        content=_object(row, "content"),
        left_id=row.get("left_id") or None,
        notes=_each(row, "notes", read_note),
        decisions=decisions,
    )


def _decisions(row: Mapping[str, Any]) -> list[GivenDecision]:
    holds = _object(row, "decision")
    return _each(row, "decisions_before", read_decision) + ([] if holds is None else [read_decision(holds)])


def _is_set_aside(row: Mapping[str, Any], marks: Sequence[GivenMark]) -> bool:
    """A test question does not count anyway, so that only its marks can tell."""
    if "is_counted" in row and row.get("not_counted_for") != "test":
        return row.get("not_counted_for") == "set_aside"
    return bool(marks) and marks[-1].mark == "set_aside"


def _object(row: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    found = _json(row, name)
    if found is None or isinstance(found, Mapping):
        return found
    raise InputError(f"`{name}` is no object")


def _each(row: Mapping[str, Any], name: str, read: Callable[[Mapping[str, Any]], T]) -> list[T]:
    found = _json(row, name) or []
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise InputError(f"`{name}` is no list of objects")
    return [read(one) for one in found]


def _json(row: Mapping[str, Any], name: str) -> Any:
    """A value that is not plain: in CSV it is JSON within its cell."""
    value = row.get(name)
    return (orjson.loads(value) if value else None) if isinstance(value, str) else value
