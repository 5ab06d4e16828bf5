"""`paraloom evaluate identification`: labelled pairs with scores → how well paraphrases are told from other pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.evaluate.identification_options import IdentificationOptions


def identification(
    files: list[Path],
    /,
    *,
    options: Annotated[IdentificationOptions, Parameter(name="*")] = IdentificationOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Measure how well paraphrases are told from other pairs: F1, MCC, average precision, calibration, by slices.

    Pairs are TSV, CSV, JSONL or Parquet with `left`, `right`, `label` (1 or 0) and `score`, as `identify` writes them.
    Several files are several systems on the same pairs; with --model, identifiers score the pairs of one file.

    Example: `paraloom evaluate identification scored.tsv --out report`

    Parameters
    ----------
    files
        Files of labelled pairs.
    out
        Folder for `report.html` and `identification.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.identification import write_identification_report
    from paraloom.workflows.evaluate.identification import evaluate_identification

    evaluation = evaluate_identification(files, options)
    report = write_identification_report(evaluation, out) if out else None
    show(evaluation, report, as_json=json)
