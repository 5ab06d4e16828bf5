"""`paraloom evaluate rating`: people's ratings of generations → summaries, and every metric held against them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.rating_options import RatingOptions


def rating(
    files: list[Path],
    /,
    *,
    options: Annotated[RatingOptions, Parameter(name="*")] = RatingOptions(),
    metrics: Annotated[MetricOptions, Parameter(name="*")] = MetricOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Summarise people's ratings of generations, and correlate every automatic metric with them.

    Rows (TSV, CSV, JSONL, Parquet) with `source`, `output` and the rated aspects, one an annotator and output;
    `system`, `annotator` and `references` may be there. Or what `paraloom annotate export` wrote (JSONL, CSV) of a
    campaign of the kind rate. Or JSON: source → [[candidate, score], …].

    Example: `paraloom evaluate rating ratings.tsv --references references.json --out report`

    Parameters
    ----------
    files
        Files of ratings.
    out
        Folder for `report.html` and `rating.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import progress_bar
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.rating import write_rating_report
    from paraloom.workflows.evaluate.rating import evaluate_rating

    with progress_bar() as progress:
        evaluation = evaluate_rating(
            files, options, metrics, lambda name, done, total: progress("rating", "metrics", done, total)
        )
    report = write_rating_report(evaluation, out) if out else None
    show(evaluation, report, as_json=json)
