"""Our own JSON lines in, judgments out, with their ids, marks and decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from paraloom.engine.given import read_rows
from paraloom.errors import InputError
from paraloom.judgments.exchange.item_rows import Bad
from paraloom.judgments.exchange.judgment_rows import GivenJudgment, moment, seconds

_ID = re.compile(r"[0-9a-f]{32}")
_NEEDED = ("judgment_id", "item_id", "annotator", "answer", "client_id")


def read_own(file: Path) -> Iterator[GivenJudgment | Bad]:
    """What `export --format jsonl` (or csv) wrote, in its order."""
    rows = read_rows(file, _NEEDED, required=(), leaving_out=True)
    if missing := [name for name in _NEEDED if name not in rows.columns]:
        raise InputError(
            f"{file} has no column {missing[0]!r}, so `paraloom annotate export` did not write it. Items are added by "
            "`paraloom annotate import`; judgments of other tools are told by --format."
        )
    yield from (Bad(where=f"{file.name}, line {line}", reason=why) for line, why in rows.left_out.items())
    names, columns = list(rows.columns), list(rows.columns.values())
    for line, values in zip(rows.lines, zip(*columns, strict=True), strict=True):
        where = f"{file.name}, line {line}"
        try:
            yield _judgment(where, dict(zip(names, values, strict=True)))
        except (InputError, ValueError, TypeError) as error:
            yield Bad(where=where, reason=str(error).rstrip("."))


def _judgment(where: str, row: Mapping[str, Any]) -> GivenJudgment:
    for name in _NEEDED:
        if row.get(name) in (None, ""):
            raise InputError(f"`{name}` is not there")
    if not isinstance(row["judgment_id"], str) or not _ID.fullmatch(row["judgment_id"]):
        raise InputError("`judgment_id` is no id of ours: 32 hexadecimal digits")
    taken = row.get("seconds")
    return GivenJudgment(
        where=where,
        annotator=str(row["annotator"]),
        client_id=str(row["client_id"]),
        item_id=str(row["item_id"]),
        content=_json(row, "content"),
        answer=_json(row, "answer") or {},
        created_at=moment(row.get("created_at")),
        seconds=seconds(float(taken) if isinstance(taken, str) and taken else taken),
        judgment_id=row["judgment_id"],
        instructions_version=int(row.get("instructions_version") or 1),
        replaces=row.get("replaces") or None,
        expected=_json(row, "expected"),
        explanation=row.get("explanation") or None,
        group_id=row.get("group_id") or None,
        proposed_by=row.get("proposed_by") or None,
        origin=_json(row, "origin") or {},
        marks=_list(row, "marks"),
        decision=_json(row, "decision"),
        is_set_aside=row.get("not_counted_for") == "set_aside" or _is_aside(_list(row, "marks")),
    )


def _is_aside(marks: list[Mapping[str, Any]]) -> bool:
    return bool(marks) and marks[-1].get("mark") == "set_aside"


def _json(row: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    value = row.get(name)
    if isinstance(value, str) and value:
        value = orjson.loads(value)
    if value is None or value == "":
        return None
    if not isinstance(value, Mapping):
        raise InputError(f"`{name}` is no object")
    return value


def _list(row: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = row.get(name)
    if isinstance(value, str) and value:
        value = orjson.loads(value)
    if not value:
        return []
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise InputError(f"`{name}` is no list of objects")
    return value
