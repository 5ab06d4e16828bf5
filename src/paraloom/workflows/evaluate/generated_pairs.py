"""A generator's file in, its pairs of source and output out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.given import Rows, format_of, read_rows
from paraloom.errors import InputError
from paraloom.workflows.evaluate.labelled_pairs import LABELS

Pair = tuple[str, str]
WANTED = ("left", "right")


@dataclass(frozen=True, slots=True)
class GeneratedPairs:
    """What a generator wrote beside each source; all taken for paraphrases."""

    pairs: list[Pair]
    notes: tuple[str, ...] = ()
    """What was seen while reading them that their reader should know."""


def read_generated_pairs(path: str | Path, columns: Mapping[str, str] | None = None) -> GeneratedPairs:
    """Pairs of a file with `left` and `right`, `source` and `output`, or `source` and `outputs` as `generate` writes.

    All are taken for paraphrases; empty outputs are left out and counted.
    """
    path = Path(path)
    rows, listed = _rows(path, dict(columns or {}))
    left, pairs = rows.texts("left"), []
    for line, source in zip(rows.lines, left, strict=True):
        if not source.strip():
            raise InputError(f"{path}, line {line}: the source is empty. Take the line out.")
    if listed:
        for line, source, outputs in zip(rows.lines, left, rows.columns["right"], strict=True):
            pairs += [(source, text) for text in _texts(outputs, f"{path}, line {line}")]
    else:
        for line, label in zip(rows.lines, rows.columns.get("label", ()), strict=False):
            if LABELS.get(str(label).strip().lower()) is False:
                raise InputError(
                    f"{path}, line {line}: this pair is labelled as no paraphrase, but all generated pairs are taken "
                    "for paraphrases. Leave it out."
                )
        pairs = list(zip(left, rows.texts("right"), strict=True))
    kept = [pair for pair in pairs if pair[1].strip()]
    if not kept:
        raise InputError(f"{path} holds no generated pair: every output is empty.")
    notes = [] if rows.note is None else [rows.note]
    if len(kept) < len(pairs):
        notes.append(f"{len(pairs) - len(kept)} of {len(pairs)} generated outputs are empty and were left out.")
    return GeneratedPairs(kept, tuple(notes))


def _rows(path: Path, columns: dict[str, str]) -> tuple[Rows, bool]:
    """Rows with `left` and `right`, and whether the right side is a list of outputs."""
    if format_of(path) in ("jsonl", "json", "parquet"):
        found = read_rows(path, ())
        theirs = columns.get("right", "right" if "right" in found.columns else "outputs")
        values = found.columns.get(theirs, ())
        if any(isinstance(value, list) for value in values) or (theirs == "outputs" and theirs in found.columns):
            return read_rows(path, WANTED, {"right": theirs, **columns}, also={"left": "source"}), True
    rows = read_rows(path, WANTED, columns, also={"left": "source", "right": "output"}, required=())
    if not rows.has_header and not columns and len(rows.columns) > len(WANTED):
        raise InputError(
            f"{path} has {len(rows.columns)} columns, and its first line names neither left and right nor source and "
            "output. Say which they are: --generated-columns left=COLUMN right=COLUMN (names, or numbers from 1)."
        )
    for ours, other in (("left", "source"), ("right", "output")):
        if ours not in rows.columns:
            raise InputError(
                f"{path} has no column {ours!r} or {other!r}; it has {', '.join(rows.columns)}. Rename it, or say "
                f"which it is: --generated-columns {ours}=COLUMN (a name or a number from 1)."
            )
    return rows, False


def _texts(outputs: Any, where: str) -> list[str]:
    """Texts of `[{"text": …}, …]` or `["…", …]`."""
    if not isinstance(outputs, list):
        raise InputError(f"{where}: outputs is {type(outputs).__name__}, not a list.")
    found = []
    for one in outputs:
        text = one.get("text") if isinstance(one, dict) else one
        if not isinstance(text, str):
            raise InputError(f"{where}: an output is {one!r}, not text.")
        found.append(text)
    return found
