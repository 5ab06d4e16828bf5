"""Files of answers in, one row an answer out: long, wide, votes, or a table of judgments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from paraloom.engine.given import Rows, read_rows
from paraloom.errors import InputError
from paraloom.workflows.evaluate.agreement_options import AnswerFileOptions
from paraloom.workflows.evaluate.chosen_rows import as_text, column_called, rows_at, rows_where
from paraloom.workflows.evaluate.named_columns import named_columns

YES, NO = "yes", "no"
"""The two answers that votes are for and against."""

_VOTES = re.compile(r"\s*\(?\s*(\d{1,6})\s*[,/;]\s*(\d{1,6})\s*\)?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenAnswers:
    """Answers as they stand in the files, one a row."""

    items: Sequence[str]
    annotators: Sequence[str]
    answers: Sequence[str | None]
    places: Sequence[tuple[Path, int]]
    """File and line of each."""
    nameless: bool
    """The annotators are numbers of votes, not people."""
    notes: tuple[str, ...] = ()
    """What was decided about the files that their reader should know."""

    def place(self, row: int) -> str:
        """Where a row stands, for a person to find it."""
        path, line = self.places[row]
        return f"{path.name}, line {line}"


def read_answers(files: Sequence[str | Path], options: AnswerFileOptions = AnswerFileOptions()) -> GivenAnswers:
    """All answers of the files together, in their order: what two files call by one name is the same item."""
    if options.wide and options.votes:
        raise InputError("--wide files have a column an annotator, --votes files have none. Choose one of the two.")
    shape = "votes" if options.votes else "wide" if options.wide else "long"
    columns = named_columns(options.columns)
    _refuse_unused(shape, columns, options)
    found: list[_Row] = []
    notes: list[str] = []
    for path in _each_file(files):
        rows, note = _SHAPES[shape](path, columns, options)
        found += rows
        notes += [] if note is None else [note]
    if options.annotators and shape == "long":
        found = _only(found, options.annotators)
    if not found:
        raise InputError("The files hold no answers. Give rows with item, annotator and answer.")
    return GivenAnswers(
        items=[row.item for row in found],
        annotators=[row.annotator for row in found],
        answers=[row.answer for row in found],
        places=[(row.path, row.line) for row in found],
        nameless=shape == "votes",
        notes=tuple(notes),
    )


_USED = {"long": ("item", "annotator", "answer"), "wide": ("item",), "votes": ("item", "votes")}
"""Columns of ours that each shape of file has."""


def _refuse_unused(shape: str, columns: Mapping[str, str], options: AnswerFileOptions) -> None:
    """An option that would change nothing is an error: whoever gave it expects something of it."""
    if unknown := next((ours for ours in columns if ours not in _USED[shape]), None):
        raise InputError(
            f"--columns {unknown}={columns[unknown]}: {shape} files of answers have {', '.join(_USED[shape])}, but no "
            f"{unknown}."
        )
    if shape == "votes" and options.annotators:
        raise InputError("--annotators chooses people, but --votes files do not say who voted. Leave it out.")
    if shape != "long" and options.field:
        raise InputError(
            "--field chooses from answers that are JSON objects, which only long files hold. Leave it out."
        )
    if shape == "votes" and options.repeated == "last":
        raise InputError("--repeated last is about people who answered twice, whom --votes files do not name.")


def read_gold(path: Path, options: AnswerFileOptions = AnswerFileOptions()) -> dict[str, str]:
    """The right answer of each item; two different ones for an item are an error."""
    columns = named_columns(options.columns)
    wanted = ("item", "answer")
    rows = _rows_with(path, wanted, {ours: theirs for ours, theirs in columns.items() if ours in wanted})
    right: dict[str, str] = {}
    items = rows.columns["item"]
    for line, item, answer in zip(rows.lines, items, _answers(rows, options.field), strict=True):
        name = _name(path, line, "item", item)
        if answer is None:
            continue
        if right.setdefault(name, answer) != answer:
            raise InputError(
                f"{path}, line {line}: item {name} is {answer!r}, but was {right[name]!r} before. An item has one "
                "right answer: leave the other out."
            )
    return right


@dataclass(frozen=True, slots=True)
class _Row:
    item: str
    annotator: str
    answer: str | None
    path: Path
    line: int


_Read = tuple[list[_Row], str | None]
"""Rows of one file, and what should be known about its first line."""


def _each_file(files: Sequence[str | Path]) -> list[Path]:
    """The files themselves, and of a folder its Parquet files: so a table of a run can be named by its folder."""
    found: list[Path] = []
    for given in map(Path, files):
        if given.is_dir():
            parts = sorted(given.glob("*.parquet"), key=lambda file: (len(file.name), file.name))
            if not parts:
                raise InputError(f"{given} is a folder without Parquet files. Give the files, or a table's folder.")
            found += parts
        else:
            found.append(given)
    return found


def _long(path: Path, columns: Mapping[str, str], options: AnswerFileOptions) -> _Read:
    rows = rows_where(_rows_with(path, ("item", "annotator", "answer"), columns), options.where)
    rows = _without_decisions(rows)
    answers = _answers(rows, options.field)
    people, items = rows.columns["annotator"], rows.columns["item"]
    found = [
        _Row(_name(path, line, "item", item), _name(path, line, "annotator", person), answer, path, line)
        for line, item, person, answer in zip(rows.lines, items, people, answers, strict=True)
    ]
    if "judgment_id" in rows.columns and "created_at" in rows.columns:
        # A change of mind is a new row, and the table is in the order of its ids: the last answer is the latest.
        moments = rows.columns["created_at"]
        found = [found[place] for place in sorted(range(len(found)), key=lambda place: (moments[place], place))]
    return found, rows.note


def _wide(path: Path, columns: Mapping[str, str], options: AnswerFileOptions) -> _Read:
    rows = rows_where(read_rows(path, ()), options.where)
    rows.refuse_repeated(options.annotators or rows.columns)
    names = list(rows.columns)
    item = column_called(path, names, columns.get("item", "item" if "item" in names else "1"))
    people = [name for name in names if name != item]
    if unknown := [name for name in options.annotators if name not in people]:
        raise InputError(f"{path} has no column {unknown[0]!r}; it has {', '.join(people)}.")
    found = [
        _Row(
            _name(path, line, "item", rows.columns[item][place]),
            person,
            as_text(rows.columns[person][place]),
            path,
            line,
        )
        for place, line in enumerate(rows.lines)
        for person in options.annotators or people
    ]
    return found, None


def _votes(path: Path, columns: Mapping[str, str], options: AnswerFileOptions) -> _Read:
    rows = rows_where(_rows_with(path, ("votes",), columns), options.where)
    items = rows.columns.get("item")
    found: list[_Row] = []
    for place, (line, written) in enumerate(zip(rows.lines, rows.columns["votes"], strict=True)):
        item = f"{path.name}:{line}" if items is None else _name(path, line, "item", items[place])
        in_favour, against = _counted(path, line, written, options.votes == "for-of")
        for number in range(in_favour + against):
            found.append(_Row(item, f"vote {number + 1}", YES if number < in_favour else NO, path, line))
    return found, rows.note


_SHAPES: dict[str, Callable[[Path, Mapping[str, str], AnswerFileOptions], _Read]] = {
    "long": _long,
    "wide": _wide,
    "votes": _votes,
}


def _counted(path: Path, line: int, written: object, second_is_all: bool) -> tuple[int, int]:
    found = _VOTES.fullmatch(str(written))
    if not found:
        raise InputError(f"{path}, line {line}: {written!r} is not a pair of votes such as (3, 2).")
    first, second = int(found[1]), int(found[2])
    if second_is_all and first > second:
        raise InputError(f"{path}, line {line}: {first} votes of {second} cannot be. Is it --votes for-against?")
    return (first, second - first) if second_is_all else (first, second)


def _rows_with(path: Path, wanted: Sequence[str], columns: Mapping[str, str]) -> Rows:
    """Rows with our columns, by the header where it has them; `item_id`, as in tables of ours, is an item too."""
    rows = read_rows(path, wanted, columns, also={ours: f"{ours}_id" for ours in {**dict.fromkeys(wanted), "item": ""}})
    if not rows.has_header and not columns and len(rows.columns) > len(wanted):
        raise InputError(  # the first columns of so many are hardly the ones meant
            f"{path} has {len(rows.columns)} columns, and its first line does not name {', '.join(wanted)}. Say "
            f"which they are: --columns {' '.join(f'{ours}=COLUMN' for ours in wanted)} (names, or numbers from 1)."
        )
    return rows


def _without_decisions(rows: Rows) -> Rows:
    """The rows that are somebody's own answer: of judgments, some are what an expert decided afterwards."""
    if not {"judgment_id", "is_decision"} <= rows.columns.keys():
        return rows
    decided = [as_text(value) in ("true", "1") for value in rows.columns["is_decision"]]
    return rows_at(rows, [place for place, is_one in enumerate(decided) if not is_one]) if any(decided) else rows


def _only(found: list[_Row], annotators: Sequence[str]) -> list[_Row]:
    known = {row.annotator for row in found}
    if unknown := [name for name in annotators if name not in known]:
        some = ", ".join(sorted(known)[:10]) + (" …" if len(known) > 10 else "")
        raise InputError(f"There is no annotator {unknown[0]!r}; there are {some}.")
    return [row for row in found if row.annotator in annotators]


def _answers(rows: Rows, field: str) -> list[str | None]:
    """The answers as texts; of JSON objects the field asked for, or their only one."""
    is_json = "judgment_id" in rows.columns
    found: list[str | None] = []
    fields: dict[str, None] = {}
    for line, written in zip(rows.lines, rows.columns["answer"], strict=True):
        value = _parsed(rows.path, line, written, is_json or bool(field))
        if isinstance(value, dict):
            fields |= dict.fromkeys(value)
            if not field and len(value) > 1:
                raise InputError(
                    f"{rows.path}, line {line}: an answer has the fields {', '.join(value)}. Choose one: --field NAME."
                )
            value = value.get(field) if field else next(iter(value.values()), None)
        elif field and value is not None:
            raise InputError(f"{rows.path}, line {line}: the answer {written!r} is no JSON object. Leave --field out.")
        found.append(as_text(value))
    if field and found and all(answer is None for answer in found):
        raise InputError(f"No answer of {rows.path} has a field {field!r}; there are {', '.join(fields) or 'none'}.")
    return found


def _parsed(path: Path, line: int, written: Any, is_json: bool) -> Any:
    if not isinstance(written, str) or not (is_json or written.lstrip().startswith("{")):
        return written
    if not written.strip():
        return None
    try:
        return orjson.loads(written)
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path}, line {line}: the answer {written[:60]!r} is not JSON ({error}).") from error


def _name(path: Path, line: int, what: str, value: Any) -> str:
    name = as_text(value)
    if name is None:
        raise InputError(f"{path}, line {line}: {what} is empty. Every answer needs one.")
    return name
