"""A pair file of the user's in, pairs with targets out: what an identifier can learn from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.corpus.known.pairs import KnownPairs
from paraloom.engine.given import Rows, read_rows, told
from paraloom.errors import InputError
from paraloom.metrics.identification.graded import read_grade
from paraloom.models.identifiers.mutual_implication import Entailments

WORDS = {"true": 1.0, "false": 0.0}
ENTAILED = {
    "entailment": 1.0,
    "neutral": 0.0,
    "contradiction": 0.0,
    "not_entailment": 0.0,
    "not entailment": 0.0,
}
"""Labels of the usual corpora of entailment."""


def read_training_file(path: Path, definition: str, columns: Mapping[str, str]) -> KnownPairs:
    """The pairs of a file with `left`, `right` and `label`; `topic` and `group` are taken where they are there.

    A label is 1 or 0, true or false, or a number between them where votes or a teacher were unsure; under the graded
    definition it is a grade such as `4>s`.
    """
    rows = _rows(path, columns)
    grades = [_grade(rows, row) for row in range(len(rows))] if definition == "graded" else None
    targets = (
        [float(read_grade(grade).is_paraphrase) for grade in grades]
        if grades is not None
        else [_target(rows, row) for row in range(len(rows))]
    )
    return KnownPairs(
        left=rows.texts("left"),
        right=rows.texts("right"),
        targets=np.array(targets, np.float64),
        groups=[str(group or "") for group in rows.columns.get("group", [""] * len(rows))],
        topics=rows.texts("topic") if "topic" in rows.columns else None,
        grades=grades,
    )


def read_entailments(path: Path, columns: Mapping[str, str]) -> Entailments:
    """Premises, hypotheses and whether each is entailed."""
    rows = _rows(path, columns)
    targets = []
    for line, value in zip(rows.lines, rows.columns["label"], strict=True):
        label = ENTAILED.get(str(value).strip().lower())
        if label is None:
            raise InputError(
                f"{path}, line {line}: the label is {told(value)}, but must be one of {', '.join(ENTAILED)}."
            )
        targets.append(label)
    return Entailments(left=rows.texts("left"), right=rows.texts("right"), targets=targets, definition="entailment")


def _rows(path: Path, columns: Mapping[str, str]) -> Rows:
    rows = read_rows(path, ("left", "right", "label"), columns)
    if not len(rows):
        raise InputError(f"{path} has a header but no row. Give a file with at least one pair.")
    return rows


def _value(rows: Rows, row: int) -> Any:
    return rows.columns["label"][row]


def _target(rows: Rows, row: int) -> float:
    written = str(_value(rows, row)).strip().lower()
    try:
        target = WORDS[written] if written in WORDS else float(written)
    except ValueError:
        target = float("nan")
    if not 0 <= target <= 1:
        raise InputError(
            f"{rows.path}, line {rows.lines[row]}: the label is {told(_value(rows, row))}, but must be 1 or 0 (or true "
            "or false), or a number between them. Leave out pairs without a label; grades such as 4>s are for "
            "--definition graded."
        )
    return target


def _grade(rows: Rows, row: int) -> str:
    try:
        return read_grade(str(_value(rows, row))).label
    except InputError as error:
        raise InputError(f"{rows.path}, line {rows.lines[row]}: {error}") from error
