"""`paraloom bench …`: published corpora → the papers' tables, with our figures beside theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from paraloom.models.training.plan import PlanOptions
from paraloom.workflows.bench.alignment_options import AlignmentBenchOptions
from paraloom.workflows.bench.generation_options import GenerationBenchOptions
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.mining_options import MiningBenchOptions

Flat = Parameter(name="*")

bench = App(
    name="bench",
    help="Measure systems on published corpora, beside the papers' figures.\n\n"
    "Example: `paraloom bench identification --data corpora --out bench`",
)


@bench.command
def identification(
    *,
    data: Path,
    options: Annotated[BenchOptions, Flat] = BenchOptions(),
    training: Annotated[PlanOptions, Flat] = PlanOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Run every system on every corpus in a folder, and print the papers' tables with ours beside them.

    A test split is used where it lies in the folder; else folds of train. What cannot be run is printed as *not run*
    with the reason. With --out, every training's scores are kept, and a run that was stopped goes on.

    Example: `paraloom bench identification --data corpora --systems ngram-regression glove --out bench`

    Parameters
    ----------
    data
        Folder with the corpora in their published forms.
    out
        Folder for `report.html`, `bench.json` and the results; results of other machines may be copied into it.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.bench_identification import write_bench_report
    from paraloom.workflows.bench.identification import bench_identification
    from paraloom.workflows.evaluate.report_folder import check_report_folder

    if out:
        check_report_folder(out)
    measured = bench_identification(
        data,
        options,
        training,
        folder=out,
        tell=say,
    )
    report = write_bench_report(measured, out) if out else None
    show(measured, report, as_json=json)


@bench.command
def mining(
    *,
    data: Path,
    options: Annotated[MiningBenchOptions, Flat] = MiningBenchOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Hide the pairs of published corpora among other texts, and let every embedder look for them.

    Prints a table of every embedder: quality on each set, sentences a second, megabytes. What is not on this machine is
    named with the command that fetches it. With --out vectors are kept, and nothing is embedded twice.

    Example: `paraloom bench mining --data corpora --embedders fast good characters --out bench`

    Parameters
    ----------
    data
        Folder with the corpora in their published forms.
    out
        Folder for `report.html`, `bench.json`, `bench.md` and the vectors.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.bench_mining import write_mining_bench
    from paraloom.workflows.bench.mining import bench_mining
    from paraloom.workflows.evaluate.report_folder import check_report_folder

    if out:
        check_report_folder(out)
    measured = bench_mining(data, options, folder=out, tell=say)
    report = write_mining_bench(measured, out) if out else None
    show(measured, report, as_json=json)


@bench.command
def generation(
    *,
    data: Path,
    options: Annotated[GenerationBenchOptions, Flat] = GenerationBenchOptions(),
    out: Path | None = None,
    write_dev: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Let every generator paraphrase the sources of published corpora, and measure it beside people and parrots.

    Prints a table a set and one over all sets. What is not on this machine is named with the command that fetches it.
    With --out, what was written is kept, and a run that was stopped goes on.

    Example: `paraloom bench generation --data corpora --generators paraloom lexical --limit 200 --out bench`

    Example: `paraloom bench generation --data corpora --generators posts=runs/posts questions=runs/questions`

    Parameters
    ----------
    data
        Folder with the corpora in their published forms.
    out
        Folder for `report.html`, `bench.json`, `bench.md` and the outputs.
    write_dev
        Measure nothing: write the set with several references into this folder, as `dev.jsonl` and `sources.txt`, and
        as `never.txt` the texts that training must leave out (`train generator --never`).
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.bench_generation import write_generation_bench
    from paraloom.workflows.bench.generation import bench_generation
    from paraloom.workflows.bench.generation_sets import write_held_out
    from paraloom.workflows.evaluate.report_folder import check_report_folder

    if write_dev:
        held = write_held_out(data, write_dev)
        sources = len(held.evaluation_set.sources)
        say(f"{sources:,} sources of {held.clusters:,} clusters, {len(held.texts):,} texts to leave out: {write_dev}")
        return
    if out:
        check_report_folder(out)
    measured = bench_generation(data, options, folder=out, tell=say)
    report = write_generation_bench(measured, out) if out else None
    show(measured, report, as_json=json)


@bench.command
def alignment(
    *,
    data: Path,
    options: Annotated[AlignmentBenchOptions, Flat] = AlignmentBenchOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Let every aligner align pairs that people have aligned, and measure its links against theirs.

    Reads Edinburgh++ and MSR RTE2, all splits that lie in the folder. Prints a table a set: precision, recall, F1,
    exact match, pairs a second. An aligner that is not installed is named with what to install.

    Example: `paraloom bench alignment --data corpora --learn-from silver.tsv --out bench`

    Example: `paraloom bench alignment --data corpora --aligners learned embedding:encoder=pairs,method=mwmf eflomal`

    Parameters
    ----------
    data
        Folder with the alignments in their published JSON form.
    out
        Folder for `report.html`, `bench.json` and `bench.md`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.bench_alignment import write_alignment_bench
    from paraloom.workflows.bench.alignment import bench_alignment
    from paraloom.workflows.evaluate.report_folder import check_report_folder

    if out:
        check_report_folder(out)
    measured = bench_alignment(data, options, tell=say)
    report = write_alignment_bench(measured, out) if out else None
    show(measured, report, as_json=json)
