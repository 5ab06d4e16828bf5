"""`paraloom experiment …`: what definitions, noisy labels and the amount of data do to identification."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from paraloom.models.training.plan import TrainingPlan
from paraloom.workflows.experiments.options import (
    DefinitionExperimentOptions,
    ExperimentOptions,
    NoiseExperimentOptions,
    SizeExperimentOptions,
)

if TYPE_CHECKING:
    from paraloom.reports.experiments import Experiment

experiment = App(
    name="experiment",
    help="Repeat the papers' experiments on published corpora, with any system, beside the published figures.\n\n"
    "Example: `paraloom experiment noise --data corpora --out noise`",
)

Flat = Parameter(name="*")


@experiment.command(name="noise")
def noise(
    *,
    data: Path,
    settings: Annotated[NoiseExperimentOptions, Flat] = NoiseExperimentOptions(),
    options: Annotated[ExperimentOptions, Flat] = ExperimentOptions(),
    plan: Annotated[TrainingPlan, Flat] = TrainingPlan(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Learn from loosely and strictly labelled pairs: mixed, or after a teacher filtered or flipped the loose labels.

    Table 3 of Dou et al. (2022), with confident learning as a rival. Run again with the same --out, a stopped
    experiment goes on.

    Example: `paraloom experiment noise --data corpora --systems ngram-regression --out noise`

    Parameters
    ----------
    data
        Folder that holds the corpora in their published forms.
    out
        Folder for `report.html`, `noise.json` and the results as they come.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.workflows.experiments.noise import run_noise

    _run(lambda tell: run_noise(data, options, settings, plan, out=out, tell=tell), out, json)


@experiment.command(name="definitions")
def definitions(
    *,
    data: Path,
    settings: Annotated[DefinitionExperimentOptions, Flat] = DefinitionExperimentOptions(),
    options: Annotated[ExperimentOptions, Flat] = ExperimentOptions(),
    plan: Annotated[TrainingPlan, Flat] = TrainingPlan(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Train on each definition's corpus, test on the others', and compare with one model told the definition.

    Run again with the same --out, a stopped experiment goes on.

    Example: `paraloom experiment definitions --data corpora --seeds 1 2 3 --out definitions`

    Parameters
    ----------
    data
        Folder that holds the corpora in their published forms.
    out
        Folder for `report.html`, `definitions.json` and the results as they come.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.workflows.experiments.definitions import run_definitions

    _run(lambda tell: run_definitions(data, options, settings, plan, out=out, tell=tell), out, json)


@experiment.command(name="size")
def size(
    *,
    data: Path,
    settings: Annotated[SizeExperimentOptions, Flat] = SizeExperimentOptions(),
    options: Annotated[ExperimentOptions, Flat] = ExperimentOptions(),
    plan: Annotated[TrainingPlan, Flat] = TrainingPlan(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Learn from more and more groups of a corpus: what another hundred annotated pairs would bring.

    Figure 4 of Dou et al. (2022). Run again with the same --out, a stopped experiment goes on.

    Example: `paraloom experiment size --data corpora --groups 10 40 80 --seeds 1 2 3 --out size`

    Parameters
    ----------
    data
        Folder that holds the corpora in their published forms.
    out
        Folder for `report.html`, `size.json` and the results as they come.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.workflows.experiments.size import run_size

    _run(lambda tell: run_size(data, options, settings, plan, out=out, tell=tell), out, json)


def _run(run: Callable[[Callable[[str], None]], Experiment], out: Path | None, as_json: bool) -> None:
    """Do the experiment, tell on standard error how far it is, and show what it found."""
    from paraloom.cli.console import console
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.experiments import write_experiment_report
    from paraloom.workflows.evaluate.report_folder import check_report_folder

    if out:
        check_report_folder(out)
    found = run(lambda line: console.print(line, markup=False, highlight=False, soft_wrap=True))
    report = write_experiment_report(found, out) if out else None
    show(found, report, as_json=as_json)
