"""`paraloom evaluate parrot`: sources and references → what copying scores on them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.corpus.evaluation_options import EvaluationSetOptions
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.parrot_options import ParrotOptions

Flat = Parameter(name="*")


def parrot(
    files: list[Path],
    /,
    *,
    options: Annotated[ParrotOptions, Flat] = ParrotOptions(),
    reading: Annotated[EvaluationSetOptions, Flat] = EvaluationSetOptions(),
    metrics: Annotated[MetricOptions, Flat] = MetricOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Measure what copying the input scores on a set: the floor that a paraphrase generator must be told from.

    Full parroting, and cutting or replacing a share of the words, by BLEU, METEOR, TER and self-BLEU or any other
    metric; against the number of references; over sampled test sets; and references against random other sentences.

    Example: `paraloom evaluate parrot pairs.tsv --dataset quora --out report`

    Parameters
    ----------
    files
        Pairs, sources with references, or captions; or line-aligned text files, the sources first.
    out
        Folder for `report.html` and `parrot.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import progress_bar
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.parrots import write_parrot_report
    from paraloom.workflows.evaluate.parrot import evaluate_parrot
    from paraloom.workflows.evaluate.report_folder import check_report_folder

    if out:
        check_report_folder(out)
    with progress_bar() as progress:
        summary = evaluate_parrot(
            files,
            options,
            reading=reading,
            metrics=metrics,
            step=lambda name, done, total: progress("parrot", name, done, total),
        )
    report = write_parrot_report(summary, out) if out else None
    show(summary, report, as_json=json)
