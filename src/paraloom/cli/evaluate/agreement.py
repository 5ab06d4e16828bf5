"""`paraloom evaluate agreement`: answers of several people → how far they agree, and who does not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.evaluate.agreement_options import AgreementOptions, AnswerFileOptions

Flat = Parameter(name="*")


def agreement(
    files: list[Path],
    /,
    *,
    options: Annotated[AgreementOptions, Flat] = AgreementOptions(),
    reading: Annotated[AnswerFileOptions, Flat] = AnswerFileOptions(),
    items: Path | None = None,
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Measure how far people agree: Krippendorff's alpha, kappas, AC1, each annotator, the crowd against an expert.

    Answers are TSV, CSV, JSONL or Parquet with `item`, `annotator` and `answer`; one column an annotator with --wide;
    counts with --votes; or a `judgments` table. Gaps are allowed. Intervals are by the bootstrap over items.

    Example: `paraloom evaluate agreement answers.tsv --expert ann --out report`

    Parameters
    ----------
    files
        Files of answers, or the folder of a table.
    items
        File for the counted answers to each item (TSV, CSV, JSONL or Parquet).
    out
        Folder for `report.html` and `agreement.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.agreement import write_agreement_report
    from paraloom.workflows.evaluate.agreement import evaluate_agreement

    evaluation = evaluate_agreement(files, options, reading=reading, items=items)
    report = write_agreement_report(evaluation, out) if out else None
    show(evaluation, report, as_json=json)
