"""Ratings in, a file with the counted answers of every item out: what a release should hold beside its labels."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from paraloom.engine.store import write_text
from paraloom.errors import InputError
from paraloom.metrics.agreement.items import ItemAnswers, answers_by_item
from paraloom.metrics.agreement.ratings import Ratings

COLUMNS = ("item", "answers", "majority", "agreement")
"""Then `count:ANSWER` for every answer; JSONL has one object `counts` instead."""

PLACES = 6


def check_items_file(path: Path) -> None:
    """Refuse an ending that cannot be written, before anything is measured."""
    if path.suffix.lower() not in _WRITERS:
        raise InputError(f"--items {path}: an items file ends in {', '.join(_WRITERS)}.")


def write_items(path: Path, ratings: Ratings) -> None:
    """Every item with an answer, in the order items were met; the format follows the file's ending."""
    check_items_file(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _WRITERS[path.suffix.lower()](path, list(answers_by_item(ratings)), ratings.scale.answers)


def _cells(one: ItemAnswers, answers: Sequence[str]) -> list[Any]:
    agreement = None if one.agreement is None else round(one.agreement, PLACES)
    return [one.item, one.answers, one.majority, agreement, *(one.counts.get(answer, 0) for answer in answers)]


def _header(answers: Sequence[str]) -> list[str]:
    return [*COLUMNS, *(f"count:{answer}" for answer in answers)]


def _tsv(path: Path, items: list[ItemAnswers], answers: Sequence[str]) -> None:
    lines = [_header(answers), *(_cells(one, answers) for one in items)]
    flat = ("\t".join("" if cell is None else " ".join(str(cell).split()) for cell in line) for line in lines)
    write_text(path, "\n".join(flat) + "\n")


def _csv(path: Path, items: list[ItemAnswers], answers: Sequence[str]) -> None:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([_header(answers), *(_cells(one, answers) for one in items)])
    write_text(path, written.getvalue())


def _jsonl(path: Path, items: list[ItemAnswers], answers: Sequence[str]) -> None:
    rows = (dict(zip(COLUMNS, _cells(one, ()), strict=True)) | {"counts": one.counts} for one in items)
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _parquet(path: Path, items: list[ItemAnswers], answers: Sequence[str]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = [pa.string(), pa.int64(), pa.string(), pa.float64(), *(pa.int64() for _ in answers)]
    columns = zip(*(_cells(one, answers) for one in items), strict=True) if items else ([] for _ in kinds)
    arrays = [pa.array(list(column), kind) for column, kind in zip(columns, kinds, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, names=_header(answers)), path)


_WRITERS: dict[str, Callable[[Path, list[ItemAnswers], Sequence[str]], None]] = {
    ".tsv": _tsv,
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".parquet": _parquet,
}
