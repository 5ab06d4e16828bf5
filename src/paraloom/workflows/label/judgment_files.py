"""Files of judgments in, judgments out; rows that are none are counted by their reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paraloom.engine.foreign_bytes import compression_of, encoding_of, head_of
from paraloom.engine.given import Rows, check_file, format_of, read_rows
from paraloom.engine.store import made_by_file
from paraloom.errors import InputError, NotMade
from paraloom.labels.votes_of_judgments import GivenJudgment
from paraloom.workflows.evaluate.agreement_options import AnswerFileOptions

MARK = "judgment_id"
"""The column that tells judgments from plain answers."""

COLUMNS = (MARK, "task", "item_id", "annotator", "answer", "created_at")
"""What a judgment must have; `campaign`, `is_test`, `not_counted_for`, `left_id` and `is_decision` may be left out."""

_TRUE, _FALSE = ("true", "1", "t", "yes"), ("false", "0", "f", "no", "", "none", "null")
_PEEK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadJudgments:
    """Judgments of some files, and why other rows are none."""

    judgments: tuple[GivenJudgment, ...]
    rows: int
    dropped_for: Mapping[str, int]
    notes: tuple[str, ...]


def files_of(given: Sequence[str | Path]) -> list[Path]:
    """The files themselves, and of a table's folder its Parquet files, if the table is whole."""
    found: list[Path] = []
    for path in map(Path, given):
        if not path.is_dir():
            check_file(path)
            found.append(path)
            continue
        parts = sorted(path.glob("*.parquet"), key=lambda file: (len(file.name), file.name))
        if not parts:
            raise InputError(f"{path} is a folder without Parquet files. Give files, or the folder of a table.")
        made_by = made_by_file(path.resolve().parent, path.resolve().name)
        if not made_by.is_file():
            raise NotMade(
                f"Nothing says that the table in {path} is whole: {made_by.name} is not beside it. Make it again, or "
                "give its Parquet files one by one."
            )
        found += parts
    return found


def are_judgments(files: Sequence[Path]) -> bool:
    """Whether the files hold judgments rather than plain answers, by their columns; not both at once."""
    kinds = {file: _names_judgments(file) for file in files}
    if len(set(kinds.values())) > 1:
        one, other = (next(file for file, is_one in kinds.items() if is_one is kind) for kind in (True, False))
        raise InputError(f"{one} holds judgments and {other} plain answers. Label them one after the other.")
    return any(kinds.values())


def _names_judgments(file: Path) -> bool:
    if format_of(file) == "parquet":
        from paraloom.engine.given_parquet import schema_of

        return MARK in schema_of(file).names
    compression = compression_of(file)
    head = head_of(file, compression, _PEEK, *encoding_of(file, compression)).lstrip()
    return MARK.encode() in (head if head.startswith(b"[") else head.split(b"\n", 1)[0])


def read_judgments(files: Sequence[Path], options: AnswerFileOptions) -> ReadJudgments:
    """All judgments of the files, or those alone that the options ask for."""
    unused = {"--wide": options.wide, "--votes": options.votes, "--field": options.field, "--columns": options.columns}
    if given := next((flag for flag, value in unused.items() if value), None):
        raise InputError(f"{given} says where plain answers lie, but {files[0]} holds judgments. Leave it out.")
    dropped: Counter[str] = Counter()
    judgments: list[GivenJudgment] = []
    notes: list[str] = []
    count = 0
    for file in files:
        rows = read_rows(file, COLUMNS, leaving_out=True)
        count += len(rows) + len(rows.left_out)
        dropped.update(f"bad_row: {why}" for why in rows.left_out.values())
        notes += rows.notes
        for row in _asked_for(rows, options.where):
            try:
                judgments.append(_judgment(row))
            except ValueError as reason:
                dropped[f"bad_row: {reason}"] += 1
    if options.annotators:
        known = {one.annotator for one in judgments}
        if unknown := [name for name in options.annotators if name not in known]:
            raise InputError(f"There is no annotator {unknown[0]!r}; there are {', '.join(sorted(known)[:10])}.")
        judgments = [one for one in judgments if one.annotator in options.annotators]
    return ReadJudgments(judgments=tuple(judgments), rows=count, dropped_for=dropped, notes=tuple(notes))


def _asked_for(rows: Rows, where: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Each row by its names, if it has the values asked for."""
    wanted = [condition.partition("=") for condition in where]
    for name, equals, _ in wanted:
        if not equals or name.strip() not in rows.columns:
            raise InputError(
                f"--where {name}{equals} names no column of {rows.path}, as in task=pair. There are "
                f"{', '.join(rows.columns)}."
            )
    names, columns = list(rows.columns), list(rows.columns.values())
    for values in zip(*columns, strict=True):
        row = dict(zip(names, values, strict=True))
        if all(_word(row[name.strip()]) == value.strip() for name, _, value in wanted):
            yield row


def _judgment(row: Mapping[str, Any]) -> GivenJudgment:
    """One row; a `ValueError` says why it is none."""
    answer = row["answer"]
    return GivenJudgment(
        judgment_id=_named(row, MARK),
        campaign=_word(row.get("campaign")),
        task=_named(row, "task"),
        item_id=_named(row, "item_id"),
        annotator=_named(row, "annotator"),
        answer=answer if isinstance(answer, dict) else _named(row, "answer"),
        created_at=_moment(row["created_at"]),
        is_test=_flag(row, "is_test"),
        not_counted_for=_word(row.get("not_counted_for")) or None,
        left_id=_word(row.get("left_id")) or None,
        is_decision=_flag(row, "is_decision"),
    )


def _named(row: Mapping[str, Any], name: str) -> str:
    if not (found := _word(row[name])):
        raise ValueError(f"{name} is empty")
    return found


def _word(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def _flag(row: Mapping[str, Any], name: str) -> bool:
    word = _word(row.get(name)).lower()
    if word not in (*_TRUE, *_FALSE):
        raise ValueError(f"{name} is neither true nor false")
    return word in _TRUE


def _moment(value: Any) -> datetime:
    """A time; one without a zone is taken for UTC."""
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(_word(value))
    except ValueError:
        raise ValueError("created_at is no time") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
