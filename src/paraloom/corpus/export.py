"""The corpus table in, files for other programs out: JSON lines, and multi-reference sets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.rows import to_python

if TYPE_CHECKING:
    import pyarrow as pa


def write_json_lines(rows: Iterable[dict[str, Any]], target: Path) -> int:
    """One JSON object a line; the file is whole or absent."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    count = 0
    try:
        with unfinished.open("w", encoding="utf-8") as opened:
            for row in rows:
                opened.write(json.dumps(row, ensure_ascii=False, default=_as_text) + "\n")
                count += 1
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def kept_rows(parts: Iterable[pa.Table]) -> Iterator[dict[str, Any]]:
    """The rows of a table that were not left out, as dictionaries."""
    for part in parts:
        columns = {name: to_python(part.column(name)) for name in part.column_names if name != "dropped_for"}
        dropped = part.column("dropped_for").to_pylist()
        for place, reason in enumerate(dropped):
            if reason is None:
                yield {name: values[place] for name, values in columns.items()}


def multi_reference_sets(rows: Iterable[dict[str, Any]], least: int) -> Iterator[dict[str, Any]]:
    """Sentences with at least so many paraphrases, each with all of them: a test that one reference cannot give."""
    texts: dict[str, str] = {}
    partners: dict[str, set[str]] = {}
    where: dict[str, tuple[str, str, str]] = {}
    for row in rows:
        if not row["is_paraphrase"]:
            continue
        for own, other in (("left", "right"), ("right", "left")):
            sentence = row[f"{own}_id"]
            texts[sentence] = row[own]
            partners.setdefault(sentence, set()).add(row[f"{other}_id"])
            where.setdefault(sentence, (row["group_id"], row["kind"], row["split"]))
    for sentence in sorted(partners):
        if len(partners[sentence]) >= least:
            group_id, kind, split = where[sentence]
            yield {
                "sentence_id": sentence,
                "source": texts[sentence],
                "references": [texts[other] for other in sorted(partners[sentence])],
                "group_id": group_id,
                "kind": kind,
                "split": split,
            }


def _as_text(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
