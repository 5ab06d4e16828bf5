"""A folder in, Table 3 of Dou et al. (2022) out, with our experiment's figures where it was run into the folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from paraloom.reports.bench_identification_rows import NoiseRow, NoiseTable
from paraloom.workflows.bench.published import AT_HALF, DOU_3
from paraloom.workflows.experiments.noise import LABELS

FILES = ("noise.json", "noise/noise.json")
"""Where `paraloom experiment noise --out` may have left its results."""

NOT_RUN = "Not run: paraloom experiment noise --data … --out {folder}"

WAYS = ("loose", "strict", "both", "filter", "flip")
"""The experiment's ways of learning, in the order of the published rows."""

ALSO = ("confident", "told")
"""Ways that the paper has not."""


def noise_table(folder: Path) -> NoiseTable:
    """The published rows, and ours by the first system of the experiment; then what the paper has not."""
    written = next(filter(None, (_read(folder / file) for file in FILES)), None)
    table = _first_table(written)
    found = dict(_by_label(table))
    rows = [
        NoiseRow(method=method, data=data, published=published, ours=found.get(LABELS[way], ()))
        for way, (method, data, published) in zip(WAYS, DOU_3, strict=True)
    ]
    rows += [
        NoiseRow(method=LABELS[way], data="loose + strict", published=(), ours=found[LABELS[way]])
        for way in ALSO
        if LABELS[way] in found
    ]
    told = f"{table['system']}, {table['title']}." if found else NOT_RUN.format(folder=folder / "noise")
    return NoiseTable(rows=tuple(rows), told=told)


def _read(file: Path) -> dict[str, Any] | None:
    try:
        written = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return written if isinstance(written, dict) and written.get("experiment") == "noise" else None


def _first_table(written: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The first one that has the paper's columns."""
    for table in (written or {}).get("tables", []):
        if table["rows"] and set(AT_HALF) <= set(table["rows"][0]["metrics"]):
            return dict(table)
    return {"system": "", "title": "", "rows": []}


def _by_label(table: Mapping[str, Any]) -> Iterator[tuple[str, tuple[float, ...]]]:
    for row in table["rows"]:
        yield row["label"], tuple(float(row["metrics"][metric]["mean"]) for metric in AT_HALF)
