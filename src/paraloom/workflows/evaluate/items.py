"""Measured metrics in, a file out with the value of every item of every system."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paraloom.engine.given import format_of
from paraloom.engine.store import unfinished_name
from paraloom.errors import InputError
from paraloom.metrics.overlap.inter_bleu import MeasuredAmongOutputs
from paraloom.workflows.evaluate.generation import EvaluatedGeneration

SEPARATORS = {"tsv": "\t", "csv": ","}


def check_items_file(path: Path) -> None:
    """Refuse a name that says no format we write, before anything is measured."""
    if format_of(path) not in ("jsonl", *SEPARATORS):
        raise InputError(f"--items {path}: items are written as .jsonl, .tsv or .csv. Choose one of these endings.")


def write_items(evaluated: EvaluatedGeneration, path: Path) -> None:
    """One row a source and system: the texts and each metric's own value; the file is whole or absent."""
    check_items_file(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = unfinished_name(path)
    written = format_of(path)
    try:
        with unfinished.open("w", encoding="utf-8", newline="") as opened:
            if written == "jsonl":
                for row in _rows(evaluated):
                    opened.write(json.dumps(row, ensure_ascii=False) + "\n")
            else:
                _write_table(list(_rows(evaluated)), SEPARATORS[written], opened)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _write_table(rows: list[dict[str, Any]], separator: str, opened: Any) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    if separator == "\t":
        opened.write("\t".join(names) + "\n")
        for row in rows:
            opened.write("\t".join(" ".join(str(row.get(name, "")).split()) for name in names) + "\n")
        return
    writer = csv.DictWriter(opened, names, restval="")
    writer.writeheader()
    writer.writerows(rows)


def _rows(evaluated: EvaluatedGeneration) -> Iterator[dict[str, Any]]:
    for system in evaluated.systems:
        measured = evaluated.measured[system.name]
        values: dict[str, dict[int, float]] = {}
        for name, one in measured.items():
            places = one.rows if isinstance(one, MeasuredAmongOutputs) else range(len(one.items))
            values[name] = dict(zip(places, one.items.tolist(), strict=True))
        for place, (source, output) in enumerate(zip(evaluated.evaluation_set.sources, system.first, strict=True)):
            scores = {name: round(found[place], 6) for name, found in values.items() if place in found}
            yield {"system": system.name, "source": source, "output": output, **scores}
