"""A generator's file in, its pairs of source and output out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from paraloom.engine.given import Rows, read_rows
from paraloom.errors import InputError

Pair = tuple[str, str]


def read_generated_pairs(path: str | Path) -> list[Pair]:
    """Pairs of a file with `left` and `right`, or of one with `source` and `outputs` as `generate` writes it.

    All are taken for paraphrases; empty outputs are left out.
    """
    path = Path(path)
    rows = _rows(path)
    if "outputs" in rows.columns:
        pairs = [
            (source, text)
            for line, source, outputs in zip(rows.lines, rows.texts("source"), rows.columns["outputs"], strict=True)
            for text in _texts(outputs, f"{path}, line {line}")
        ]
    else:
        for line, label in zip(rows.lines, rows.columns.get("label", ()), strict=False):
            if str(label).strip().lower() in ("0", "0.0", "false"):
                raise InputError(
                    f"{path}, line {line}: this pair is labelled as no paraphrase, but all generated pairs are taken "
                    "for paraphrases. Leave it out."
                )
        pairs = list(zip(rows.texts("left"), rows.texts("right"), strict=True))
    kept = [(left, right) for left, right in pairs if left.strip() and right.strip()]
    if not kept:
        raise InputError(f"{path} holds no generated pair.")
    return kept


def _rows(path: Path) -> Rows:
    if "".join(path.suffixes[-2:]).lower().removesuffix(".gz").removesuffix(".zst").endswith((".jsonl", ".ndjson")):
        rows = read_rows(path, ())
        if "outputs" in rows.columns:
            return rows
    return read_rows(path, ("left", "right"))


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
