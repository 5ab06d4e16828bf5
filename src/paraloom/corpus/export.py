"""The corpus table in, files for other programs out: JSON lines, and multi-reference sets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.rows import to_python
from paraloom.engine.store import unfinished_name
from paraloom.text.normalise import bare

if TYPE_CHECKING:
    import pyarrow as pa


def write_json_lines(rows: Iterable[dict[str, Any]], target: Path) -> int:
    """One JSON object a line; the file is whole or absent."""
    unfinished = unfinished_name(target)
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
    """Sentences with at least so many paraphrases in one group, each with all of them.

    Two references with the same words count once: they are one answer.
    """
    texts: dict[str, str] = {}
    partners: dict[tuple[str, str], set[str]] = {}
    groups: dict[str, tuple[str, str]] = {}
    for row in rows:
        if not row["is_paraphrase"]:
            continue
        groups[row["group_id"]] = (row["kind"], row["split"])
        for own, other in (("left", "right"), ("right", "left")):
            texts[row[f"{own}_id"]] = row[own]
            partners.setdefault((row[f"{own}_id"], row["group_id"]), set()).add(row[f"{other}_id"])
    for (sentence, group_id), others in sorted(partners.items()):
        references = list({bare(texts[other]): texts[other] for other in sorted(others, reverse=True)}.values())[::-1]
        if len(references) >= least:
            kind, split = groups[group_id]
            yield {
                "sentence_id": sentence,
                "source": texts[sentence],
                "references": references,
                "group_id": group_id,
                "kind": kind,
                "split": split,
            }


def _as_text(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
