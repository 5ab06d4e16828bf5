"""`paraloom experiment …`: what definitions, noisy labels, mined pairs, filters and the amount of data do to models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.workflows.experiments.generator_options import (
    BleuFilterOptions,
    GeneratorDataOptions,
    GeneratorSizeOptions,
    WritingExperimentOptions,
    WritingStudy,
)
from paraloom.workflows.experiments.options import (
    BootstrapEmbedderOptions,
    BootstrapExperimentOptions,
    DefinitionExperimentOptions,
    ExperimentOptions,
    NoiseExperimentOptions,
    SizeExperimentOptions,
)
from paraloom.workflows.train.generator_options import TrainGeneratorOptions

if TYPE_CHECKING:
    from paraloom.reports.experiments import Experiment

experiment = App(
    name="experiment",
    help="Repeat the papers' experiments on published corpora, with any system, beside the published figures.\n\n"
    "Example: `paraloom experiment noise --data corpora --out noise`",
)

Flat = Parameter(name="*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What every experiment is run with."""

    data: Path
    """Folder that holds the corpora in their published forms."""
    options: Annotated[ExperimentOptions, Flat] = ExperimentOptions()
    plan: Annotated[PlanOptions, Flat] = PlanOptions()
    out: Path | None = None
    """Folder for `report.html`, the same as JSON, and the results as they come."""
    json: Annotated[bool, Parameter(negative="")] = False
    """Print one JSON object instead of tables."""


@experiment.command(name="noise")
def noise(
    *, settings: Annotated[NoiseExperimentOptions, Flat] = NoiseExperimentOptions(), asked: Annotated[Asked, Flat]
) -> None:
    """Learn from loosely and strictly labelled pairs: mixed, or after a teacher filtered or flipped the loose labels.

    Table 3 of Dou et al. (2022), with confident learning as a rival. Run again with the same --out, a stopped
    experiment goes on.

    Example: `paraloom experiment noise --data corpora --systems ngram-regression --out noise`
    """
    from paraloom.workflows.experiments.noise import run_noise

    _run(asked, lambda tell: run_noise(asked.data, asked.options, settings, asked.plan, out=asked.out, tell=tell))


@experiment.command(name="definitions")
def definitions(
    *,
    settings: Annotated[DefinitionExperimentOptions, Flat] = DefinitionExperimentOptions(),
    asked: Annotated[Asked, Flat],
) -> None:
    """Train on each definition's corpus, test on the others', and compare with one model told the definition.

    Run again with the same --out, a stopped experiment goes on.

    Example: `paraloom experiment definitions --data corpora --seeds 1 2 3 --out definitions`
    """
    from paraloom.workflows.experiments.definitions import run_definitions

    _run(asked, lambda tell: run_definitions(asked.data, asked.options, settings, asked.plan, out=asked.out, tell=tell))


@experiment.command(name="size")
def size(
    *, settings: Annotated[SizeExperimentOptions, Flat] = SizeExperimentOptions(), asked: Annotated[Asked, Flat]
) -> None:
    """Learn from more and more groups of a corpus: what another hundred annotated pairs would bring.

    Figure 4 of Dou et al. (2022). Run again with the same --out, a stopped experiment goes on.

    Example: `paraloom experiment size --data corpora --groups 10 40 80 --seeds 1 2 3 --out size`
    """
    from paraloom.workflows.experiments.size import run_size

    _run(asked, lambda tell: run_size(asked.data, asked.options, settings, asked.plan, out=asked.out, tell=tell))


@experiment.command(name="bootstrap")
def bootstrap(
    *,
    settings: Annotated[BootstrapExperimentOptions, Flat] = BootstrapExperimentOptions(),
    embedding: Annotated[BootstrapEmbedderOptions, Flat] = BootstrapEmbedderOptions(),
    asked: Annotated[Asked, Flat],
) -> None:
    """Learn from a corpus with few negatives, then also from candidates that are safely negative or positive.

    Tables 4 and 5 of Kanerva et al. (2023), with the four trainings of their figure 8; with `--part embedder`, or
    `--part classifier embedder`, figures 8 to 11. Run again with the same --out, a stopped experiment goes on.

    Example: `paraloom experiment bootstrap --data corpora --systems ngram-regression --part embedder --out bootstrap`
    """
    from paraloom.workflows.experiments.bootstrap import run_bootstrap

    _run(
        asked,
        lambda tell: run_bootstrap(
            asked.data, asked.options, settings, asked.plan, embedding=embedding, out=asked.out, tell=tell
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What every experiment with generators is run with."""

    options: Annotated[TrainGeneratorOptions, Flat] = TrainGeneratorOptions()
    fit: Annotated[FitOptions, Flat] = FitOptions()
    writing: Annotated[WritingExperimentOptions, Flat] = WritingExperimentOptions()
    plan: Annotated[PlanOptions, Flat] = PlanOptions()
    out: Path | None = None
    """Folder for `report.html`, the same as JSON, the generators, and the results as they come."""
    json: Annotated[bool, Parameter(negative="")] = False
    """Print one JSON object instead of tables."""

    @property
    def study(self) -> WritingStudy:
        """What all trainings share."""
        return WritingStudy(training=self.options, fit=self.fit, plan=self.plan, writing=self.writing)


@experiment.command(name="bleu-filter")
def bleu_filter(
    files: list[Path] | None = None,
    /,
    *,
    settings: Annotated[BleuFilterOptions, Flat] = BleuFilterOptions(),
    asked: Annotated[Writing, Flat] = Writing(),
) -> None:
    """Train a generator on pairs below one BLEU or another, and measure what it writes for held-out sources.

    Figure 8 of Dou et al. (2022). Run again with the same --out, a stopped experiment goes on.

    Example: `paraloom experiment bleu-filter pairs.tsv --thresholds 6 14 none --max-pairs 2000 --out bleu`

    Parameters
    ----------
    files
        Files of pairs.
    """
    from paraloom.workflows.experiments.bleu_filter import run_bleu_filter

    _run(asked, lambda tell: run_bleu_filter(files or [], settings, asked.study, out=asked.out, tell=tell))


@experiment.command(name="generator-size")
def generator_size(
    files: list[Path] | None = None,
    /,
    *,
    settings: Annotated[GeneratorSizeOptions, Flat] = GeneratorSizeOptions(),
    asked: Annotated[Writing, Flat] = Writing(),
) -> None:
    """Train a generator on more and more pairs, and measure what it writes for held-out sources.

    Figure 5 of Dou et al. (2022). Run again with the same --out, a stopped experiment goes on.

    Example: `paraloom experiment generator-size pairs.tsv --sizes 1000 4000 --out size`

    Parameters
    ----------
    files
        Files of pairs.
    """
    from paraloom.workflows.experiments.generator_size import run_generator_size

    _run(asked, lambda tell: run_generator_size(files or [], settings, asked.study, out=asked.out, tell=tell))


@experiment.command(name="generator-data")
def generator_data(
    sets: list[str] | None = None,
    /,
    *,
    settings: Annotated[GeneratorDataOptions, Flat] = GeneratorDataOptions(),
    asked: Annotated[Writing, Flat] = Writing(),
) -> None:
    """Train one generator on each of several training sets, and measure what it writes for the same held-out sources.

    Tables 14 and 15 of Dou et al. (2022). Run again with the same --out, a stopped experiment goes on.

    Example: `paraloom experiment generator-data crowd=crowd.tsv auto=auto.tsv --held-out dev.tsv --out data`

    Parameters
    ----------
    sets
        Training sets, each as NAME=FILE.
    """
    from paraloom.workflows.experiments.generator_data import run_generator_data

    _run(asked, lambda tell: run_generator_data(sets or [], settings, asked.study, out=asked.out, tell=tell))


def _run(asked: Asked | Writing, run: Callable[[Callable[[str], None]], Experiment]) -> None:
    """Do the experiment, tell on standard error how far it is, and show what it found."""
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.experiments import write_experiment_report
    from paraloom.workflows.evaluate.report_folder import check_report_folder

    if asked.out:
        check_report_folder(asked.out)
    found = run(say)
    report = write_experiment_report(found, asked.out) if asked.out else None
    show(found, report, as_json=asked.json)
