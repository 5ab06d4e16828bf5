"""Judgments in, lines out: JSON or CSV, one judgment or decision each, with everything that is known of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import orjson

from paraloom.judgments.exchange.snapshot import Said, called
from paraloom.judgments.tasks import task_named

COLUMNS = (
    "judgment_id",
    "campaign",
    "task",
    "item_kind",
    "item_id",
    "annotator",
    "answer",
    "instructions_version",
    "seconds",
    "created_at",
    "is_test",
    "client_id",
    "left_id",
    "is_decision",
    "number",
    "content",
    "expected",
    "explanation",
    "group_id",
    "proposed_by",
    "origin",
    "is_right",
    "replaces",
    "purpose",
    "is_counted",
    "not_counted_for",
    "marks",
    "decision",
    "decisions_before",
    "notes",
)
"""The columns of the table `judgments`, then those that the store knows besides."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A cell that begins so is a formula to a spreadsheet, and can call programs."""


def as_row(said: Said, *, names: bool = False) -> dict[str, Any]:
    """One judgment as plain values."""
    decisions = [_decision(one, names=names) for one in said.decisions]
    return {
        "judgment_id": said.judgment_id,
        "campaign": said.campaign_id,
        "task": said.task,
        "item_kind": task_named(said.task).item_kind,
        "item_id": said.item_id,
        "annotator": called(said.person_id, said.name, names=names),
        "answer": said.answer,
        "instructions_version": said.instructions_version,
        "seconds": said.seconds,
        "created_at": said.created_at,
        "is_test": said.is_test,
        "client_id": said.client_id,
        "left_id": said.left_id,
        "is_decision": said.is_decision,
        "number": said.number,
        "content": said.content,
        "expected": said.expected,
        "explanation": said.explanation,
        "group_id": said.group_id,
        "proposed_by": said.proposed_by,
        "origin": said.origin,
        "is_right": said.is_right,
        "replaces": said.replaces,
        "purpose": said.purpose,
        "is_counted": said.is_counted,
        "not_counted_for": said.not_counted_for,
        "marks": said.marks,
        "decision": decisions[-1] if decisions else None,
        "decisions_before": decisions[:-1],
        "notes": [_note(one, names=names) for one in said.notes],
    }


def _decision(one: Mapping[str, Any], *, names: bool) -> dict[str, Any]:
    told = {name: value for name, value in one.items() if name != "name"}
    return told | {"decided_by": called(one["decided_by"], one["name"], names=names)}


def _note(one: Mapping[str, Any], *, names: bool) -> dict[str, Any]:
    told = {name: one[name] for name in ("text", "created_at", "client_id")}
    return {"annotator": called(one["person_id"], one["name"], names=names), **told}


def json_lines(judgments: Iterable[Said], *, names: bool = False, for_spreadsheets: bool = False) -> Iterator[bytes]:
    """One object a line."""
    for said in judgments:
        yield orjson.dumps(as_row(said, names=names), option=orjson.OPT_UTC_Z) + b"\n"


def csv_lines(judgments: Iterable[Said], *, names: bool = False, for_spreadsheets: bool = False) -> Iterator[bytes]:
    """A header, then one line a judgment; values that are not plain are JSON within their cell."""
    yield _csv_line(COLUMNS)
    for said in judgments:
        cells = [_cell(value) for value in as_row(said, names=names).values()]
        yield _csv_line([guarded(cell) for cell in cells] if for_spreadsheets else cells)


def guarded(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe stands before it. The data are changed by that.

    >>> guarded("=HYPERLINK(A1)"), guarded("storm")
    ("'=HYPERLINK(A1)", 'storm')
    """
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def _csv_line(cells: Iterable[str]) -> bytes:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue().encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return orjson.dumps(value, option=orjson.OPT_UTC_Z).decode()
