"""Rows of a file in, items to be judged out; a row that is none comes out with its line and the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from paraloom.engine.given import Rows, format_of, read_json, read_rows
from paraloom.errors import InputError
from paraloom.judgments.exchange.file_rows import Bad, bad_row, lines_of
from paraloom.judgments.exchange.labels_in import expected_of
from paraloom.judgments.items import NewItem
from paraloom.judgments.tasks.reading import checked_text

LONGEST_ID = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Good:
    """A row that can."""

    where: str
    item: NewItem


Row = Good | Bad


@dataclass(frozen=True, slots=True, kw_only=True)
class Tests:
    """Which rows of a file are test questions."""

    all: bool = False
    """Each must have an expected answer."""
    labels: bool = False
    """A column `label` is the expected answer."""


def rows_of_pairs(file: Path, task: str, tests: Tests, columns: Mapping[str, str]) -> Iterator[Row]:
    """A TSV, CSV, JSONL, JSON or Parquet file with two texts a row (or one, for the game)."""
    wanted = ("source",) if task == "write" else ("left", "right")
    given = read_rows(file, wanted, columns, also=_ALSO.get(task, _USUAL), leaving_out=True)
    if task == "write" and not given.has_header and not columns:
        _refuse_pairs(given)
    yield from _rows(given, task, tests, _CONTENTS[task])


def _refuse_pairs(given: Rows) -> None:
    """A header of pairs is no sentence to say in other words."""
    first = {values[0] for values in given.columns.values() if values}
    if {"left", "right"} <= first:
        raise InputError(
            f"{given.path} has no column 'source'; it has pairs. Say which side it is: --columns source=left."
        )


def rows_of_contents(file: Path, task: str, tests: Tests) -> Iterator[Row]:
    """JSON lines, each an item's raw content, or an object with `content` and what else is known of the item."""
    yield from _rows(read_rows(file, (), leaving_out=True), task, tests, _raw_content)


def rows_of_turku(file: Path, task: str, tests: Tests) -> Iterator[Row]:
    """Turku's JSON: `txt1`, `txt2`, and where they are known `context` with the documents and offsets."""
    found = read_json(file)
    if not isinstance(found, list):
        raise InputError(f"{file} is no list of objects with txt1 and txt2. Give a file of the Turku corpus.")
    for number, one in enumerate(found, start=1):
        where = f"{file.name}, element {number}"
        if not isinstance(one, Mapping) or not all(isinstance(one.get(name), str) for name in ("txt1", "txt2")):
            yield Bad(where=where, reason="no object with the texts txt1 and txt2")
        else:
            yield _row(where, one, task, tests, _turku_content)


def is_turku(file: Path) -> bool:
    """Whether a file looks like one of the Turku corpus."""
    if format_of(file) != "json":
        return False
    found = read_json(file)
    return isinstance(found, list) and bool(found) and isinstance(found[0], Mapping) and "txt1" in found[0]


def has_contents(file: Path) -> bool:
    """Whether a file of JSON lines holds contents of items rather than pairs: by its first objects."""
    if format_of(file) not in ("jsonl", "json"):
        return False
    rows = read_rows(file, (), leaving_out=True)
    names = set(rows.names)
    if "content" in names:
        return True
    two_texts = any({*pair} <= names for pair in _PAIRS)
    sides = rows.columns.get("left", ())
    return not two_texts or any(isinstance(side, Mapping) for side in sides[:10])


_USUAL = {"left": "sentence1", "right": "sentence2"}
_ALSO = {"rate": {"left": "source", "right": "generated"}, "write": {"source": "text"}}
_PAIRS = (("left", "right"), ("sentence1", "sentence2"), ("txt1", "txt2"))


def _rows(
    given: Rows, task: str, tests: Tests, content_of: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> Iterator[Row]:
    for line in lines_of(given):
        yield line if isinstance(line, Bad) else _row(line.where, line.values, task, tests, content_of)


def _row(
    where: str,
    values: Mapping[str, Any],
    task: str,
    tests: Tests,
    content_of: Callable[[Mapping[str, Any]], dict[str, Any]],
) -> Row:
    try:
        content = content_of(values)
        expected = _expected(values, task, tests, content)
        return Good(
            where=where,
            item=NewItem(
                content=content,
                item_id=_id(values),
                expected=expected,
                explanation=_text(values, "explanation"),
                group_id=_text(values, "group_id", most=LONGEST_ID),
                proposed_by=_text(values, "proposed_by", most=200),
                round=int(values.get("round") or 1),
                origin=_origin(values),
            ),
        )
    except (InputError, ValueError, TypeError, KeyError) as error:
        return bad_row(where, error)


def _expected(values: Mapping[str, Any], task: str, tests: Tests, content: Mapping[str, Any]) -> dict[str, Any] | None:
    given = values.get("expected")
    if given in (None, "") and (tests.labels or tests.all):
        given = values.get("label")
    if given in (None, ""):
        if tests.all:
            raise InputError("a test question needs its answer: a column `expected` or `label`")
        return None
    if isinstance(given, str) and given.lstrip().startswith("{"):
        given = orjson.loads(given)
    if isinstance(given, Mapping):
        return dict(given)
    word = str(int(given)) if isinstance(given, (bool, float)) and given == int(given) else str(given)
    return expected_of(task, word.strip(), content)


def _id(values: Mapping[str, Any]) -> str | None:
    for name in ("item_id", "pair_id"):
        if (found := _text(values, name, most=LONGEST_ID)) is not None:
            if not found.isprintable():
                raise InputError(f"`{name}` holds characters that cannot be seen")
            return found
    return None


def _text(values: Mapping[str, Any], name: str, most: int = 20_000) -> str | None:
    found = values.get(name)
    if found is None or found == "":
        return None
    told = found if isinstance(found, str) else str(found)
    return checked_text(told, name, most=most)


def _origin(values: Mapping[str, Any]) -> dict[str, Any]:
    origin = values.get("origin")
    if isinstance(origin, str) and origin.startswith("{"):
        origin = orjson.loads(origin)
    found = dict(origin) if isinstance(origin, Mapping) else {}
    for name in ("left_id", "right_id", "rank"):
        if values.get(name) not in (None, ""):
            found[name] = values[name] if isinstance(values[name], int) else _text(values, name)
    return found


def _raw_content(values: Mapping[str, Any]) -> dict[str, Any]:
    content = values.get("content")
    if isinstance(content, str):
        content = orjson.loads(content)
    if isinstance(content, Mapping):
        return dict(content)
    return {name: value for name, value in values.items() if name not in _ABOUT}


_ABOUT = (
    "item_id",
    "pair_id",
    "expected",
    "label",
    "explanation",
    "group_id",
    "proposed_by",
    "origin",
    "round",
    "left_id",
    "right_id",
    "rank",
)
"""Fields of a raw line that tell of the item and are not its content."""


def _pair_content(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"left": values["left"], "right": values["right"], "topic": _text(values, "topic")}


def _grade_content(values: Mapping[str, Any]) -> dict[str, Any]:
    found = {"left": values["left"], "right": values["right"]}
    for side in ("left_document", "right_document"):
        if isinstance(values.get(side), Mapping):
            found[side] = values[side]
    return found


def _rate_content(values: Mapping[str, Any]) -> dict[str, Any]:
    if "source" in values:
        return {"source": values["left"], "generated": values["right"]}
    phrases = {"left": values["left"], "right": values["right"]}
    return phrases | {name: _text(values, name) for name in ("sentence_left", "sentence_right")}


def _documents_content(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        side: {"text": values[side], "title": _text(values, f"{side}_title")}
        | ({"id": found} if (found := _text(values, f"{side}_id")) else {})
        for side in ("left", "right")
    }


def _write_content(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"source": values["source"]}


def _no_pairs(values: Mapping[str, Any]) -> dict[str, Any]:
    raise InputError("items of this kind are made of a run folder, or given as JSON lines of their contents")


_CONTENTS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "pair": _pair_content,
    "grade": _grade_content,
    "rate": _rate_content,
    "match": _documents_content,
    "extract": _documents_content,
    "write": _write_content,
    "choose": _no_pairs,
    "seed": _no_pairs,
    "topic": _no_pairs,
}
"""Two texts of a row, as each kind of task shows them."""


def _turku_content(values: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"left": values["txt1"], "right": values["txt2"]}
    context = values.get("context")
    if context is None:
        return found
    for side, place in (("left", 0), ("right", 1)):
        surroundings = _turku_side(values, context, side, place)
        if surroundings is not None:
            found[f"{side}_document"] = surroundings
    return found


def _turku_side(values: Mapping[str, Any], context: Any, side: str, place: int) -> dict[str, Any] | None:
    """`context` is a list or object with one entry a side: the document's text with the offsets of the segment."""
    text = values[f"txt{place + 1}"]
    if isinstance(context, Mapping):
        entry = next((context[name] for name in (f"doc{place + 1}", f"txt{place + 1}", side) if name in context), None)
    else:
        entry = context[place] if isinstance(context, list) and len(context) > place else None
    if entry is None:
        return None
    if isinstance(entry, str):
        entry = {"text": entry}
    if not isinstance(entry, Mapping) or not isinstance(entry.get("text"), str):
        raise InputError(f"`context` of {side} holds no text")
    document = entry["text"]
    start = entry.get("start", entry.get("begin", document.find(text)))
    if not isinstance(start, int) or document[start : start + len(text)] != text:
        raise InputError(f"`context` of {side} does not hold the text where it says")
    return {"text": document, "start": start, "end": start + len(text), "title": entry.get("title")}
