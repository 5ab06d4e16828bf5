"""`paraloom adversarial …`: the adversarial paraphrasing game, played, counted and learned from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.adversarial_options import GameOptions, LessonOptions
from paraloom.workflows.experiments.adversarial_options import AdversarialExperimentOptions
from paraloom.workflows.experiments.options import ExperimentOptions
from paraloom.workflows.generate.adversarial_options import PlayedFileOptions, PlayerOptions, PlayerTrainingOptions

Flat = Parameter(name="*")

adversarial = App(
    name="adversarial",
    help="Play the adversarial paraphrasing game: say the same, in words that a similarity score finds unlike.\n\n"
    "Example: `paraloom adversarial play sentences.txt --out game`",
)


@adversarial.command
def play(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    out: Path,
    player: Annotated[PlayerOptions, Flat] = PlayerOptions(),
    game: Annotated[GameOptions, Flat] = GameOptions(),
    reading: Annotated[PlayedFileOptions, Flat] = PlayedFileOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Let a generator try every source of a file, in up to five rounds of ten attempts, until one passes.

    An attempt passes where it and its source imply each other and their similarity is at most .5 (Nighojkar and
    Licato, 2021). All attempts are kept with what the judge says of them and what they earned. A game that was stopped
    goes on when the same command is given again, with the same attempts.

    Example: `paraloom adversarial play sentences.txt --generator paraloom --out game`

    Parameters
    ----------
    file
        File of sources: text with a sentence a line, or a table with a column of texts; `-` is standard input.
    out
        Folder for `attempts.parquet`, `summary.json` and `report.html`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import rows_told
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.generate.adversarial_game import play_file

    with rows_told("played") as tell:
        report = play_file(file, out, player, game, reading, tell=tell)
    show(report, out / "report.html", as_json=json)


@adversarial.command
def train(
    given: list[str],
    /,
    *,
    out: Path,
    options: Annotated[PlayerTrainingOptions, Flat] = PlayerTrainingOptions(),
    lessons: Annotated[LessonOptions, Flat] = LessonOptions(),
    training: Annotated[PlanOptions, Flat] = PlanOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Train a generator to play better: on what attempts earned, or by the paper's divided loss.

    A training that was stopped goes on when the same command is given again; a folder made another way is never
    overwritten. What comes out is a generator: `paraloom adversarial play … --generator DIR` shows what it gained.

    Example: `paraloom adversarial train game --method preferred --out better`

    Example: `paraloom adversarial train "apt/ap_t5/*.tsv" --method preferred --never played.txt --out taught`

    Example: `paraloom adversarial train pairs.tsv --method rewarded --out by-the-paper`

    Parameters
    ----------
    given
        Folders of games, by the same generator at best, or files of attempts in the published form (a pattern with *
        takes several); for --method rewarded files of paraphrases.
    out
        Folder for the generator and `training.json`.
    json
        Print one JSON object instead of words.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.generate.adversarial_training import train_player

    trained = train_player(given, out, options, lessons, training, tell=say)
    show(trained, out / "training.json", as_json=json)


@adversarial.command
def report(
    attempts: list[str],
    /,
    *,
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Count attempts that were made, one row a set, beside the published ones; and compare sets with the first.

    A set is the folder of a game, or a file of attempts in the published form (source, attempt, BLEURT, 1 or 0;
    AP_H's, too), a folder of such files, or a pattern; NAME= before it says what it is called.

    Example: `paraloom adversarial report before=game after=game-after-training --out comparison`

    Example: `paraloom adversarial report people=apt/ap_h_train.tsv "msrp=apt/ap_t5/msrp1-*.tsv"`

    Parameters
    ----------
    attempts
        Sets of attempts, as NAME=PATH or PATH.
    out
        Folder for `report.html` and `summary.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.models.implication import load
    from paraloom.reports.adversarial import write_adversarial_report
    from paraloom.workflows.evaluate.report_folder import check_report_folder
    from paraloom.workflows.generate.adversarial_attempts import read_attempts, reported

    if out:
        check_report_folder(out)
    found = reported([read_attempts(one, load) for one in attempts])
    show(found, write_adversarial_report(found, out) if out else None, as_json=json)


@adversarial.command
def effect(
    attempts: list[str],
    /,
    *,
    data: Path,
    settings: Annotated[AdversarialExperimentOptions, Flat] = AdversarialExperimentOptions(),
    options: Annotated[ExperimentOptions, Flat] = ExperimentOptions(),
    plan: Annotated[PlanOptions, Flat] = PlanOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Learn from attempts as well: what they do to an identifier, measured on pairs that people wrote.

    Table 6 of Nighojkar and Licato (2021), by MCC, F1 and accuracy on AP_H. Run again with the same --out, a stopped
    experiment goes on.

    Example: `paraloom adversarial effect game --data corpora --systems ngram-regression --out effect`

    Parameters
    ----------
    attempts
        Sets of attempts, as NAME=PATH or PATH: folders of games, or files in the published form.
    data
        Folder that holds the corpora in their published forms.
    out
        Folder for `report.html`, the same as JSON, and the results as they come.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.experiments import write_experiment_report
    from paraloom.workflows.evaluate.report_folder import check_report_folder
    from paraloom.workflows.experiments.adversarial import run_adversarial

    if out:
        check_report_folder(out)
    found = run_adversarial(data, attempts, options, settings, plan, out=out, tell=say)
    show(found, write_experiment_report(found, out) if out else None, as_json=json)
