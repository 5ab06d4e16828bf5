"""`paraloom evaluate generation`: outputs and references → every metric beside the parrots, and the parrot alarm."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.corpus.evaluation_options import EvaluationSetOptions
from paraloom.workflows.evaluate.generation_options import GenerationOptions
from paraloom.workflows.evaluate.metric_options import MetricOptions

Flat = Parameter(name="*")

FAILED = 3
"""Exit code where --fail-on says so; 1 and 2 are errors in files and options."""


def generation(
    files: list[Path] | None = None,
    /,
    *,
    references: list[Path],
    sources: Path | None = None,
    outputs: list[Path] | None = None,
    options: Annotated[GenerationOptions, Flat] = GenerationOptions(),
    reading: Annotated[EvaluationSetOptions, Flat] = EvaluationSetOptions(),
    metrics: Annotated[MetricOptions, Flat] = MetricOptions(),
    items: Path | None = None,
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Measure paraphrase generators with every metric that can run, beside the parrots, and say whether they copy.

    Outputs are files as `generate` writes them, one a system, whose sources are found in the references by their text;
    or, with --sources and --outputs, text files that belong together line by line. The first output of a source is
    measured; several tell how diverse a system is.

    Example: `paraloom evaluate generation outputs.jsonl --references references.jsonl --out report`

    Parameters
    ----------
    files
        One file of outputs a system: `{"source": …, "outputs": [{"text": …}, …]}` a line.
    references
        Sources with references in any shape that `evaluate parrot` reads; with --sources, one reference a line.
    sources
        Text file with one source a line.
    outputs
        Text files with one output a line, one a system.
    items
        File (.jsonl, .tsv, .csv) for every metric's value of every output.
    out
        Folder for `report.html` and `generation.json`.
    json
        Print one JSON object instead of tables.
    """
    import sys
    from dataclasses import replace

    from paraloom.cli.console import progress_bar
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.generation import write_generation_report
    from paraloom.workflows.evaluate.generation import evaluate_generation
    from paraloom.workflows.evaluate.generation_files import read_generation
    from paraloom.workflows.evaluate.items import check_items_file, write_items
    from paraloom.workflows.evaluate.report_folder import check_report_folder

    if out:
        check_report_folder(out)
    if items:
        check_items_file(items)
    given, systems = read_generation(files or [], references, sources, outputs or [], reading)
    with progress_bar() as progress:
        evaluated = evaluate_generation(
            given,
            systems,
            replace(options, types=out is not None) if options.types is None else options,
            metrics=metrics,
            step=lambda name, done, total: progress("generation", name, done, total),
        )
    if items:
        write_items(evaluated, items)
    report = write_generation_report(evaluated.summary, out) if out else None
    show(evaluated.summary, report, as_json=json)
    if evaluated.summary.is_at_least(options.fail_on):
        sys.exit(FAILED)
