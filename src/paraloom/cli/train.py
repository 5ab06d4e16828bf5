"""`paraloom train …`: labelled data → a trained model with its card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions
from paraloom.workflows.train.generator_options import TrainGeneratorOptions
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions

Flat = Parameter(name="*")

train = App(
    name="train",
    help="Train models on labelled data.\n\nExample: `paraloom train identifier pairs.tsv --out my-model`",
)


@train.command
def identifier(
    files: list[Path] | None = None,
    /,
    *,
    out: Path,
    options: Annotated[TrainIdentifierOptions, Flat] = TrainIdentifierOptions(),
    training: Annotated[PlanOptions, Flat] = PlanOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Train an identifier, from n-gram regression to any transformer, on labelled pairs.

    Pairs are TSV, CSV, JSONL or Parquet with `left`, `right` and `label` (1 or 0). A part of them is held out to choose
    the learning rate and the decision point, unless --held-out names other pairs. A training that was stopped goes on
    when the same command is given again; a folder made another way is never overwritten.

    Example: `paraloom train identifier pairs.tsv --system cross-encoder --base all-MiniLM-L6-v2 --out my-model`

    Parameters
    ----------
    files
        Files of labelled pairs.
    out
        Folder for the identifier, its `README.md` (the model card), `training.json` and `training.svg`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.train.identifier import README, train_identifier

    card = train_identifier(
        files or [],
        out,
        options,
        training,
        tell=say,
    )
    show(card, out / README, as_json=json)


@train.command
def embedder(
    files: list[Path] | None = None,
    /,
    *,
    out: Path,
    options: Annotated[TrainEmbedderOptions, Flat] = TrainEmbedderOptions(),
    training: Annotated[PlanOptions, Flat] = PlanOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Train an embedder, a table of word pieces or a transformer, on pairs that say the same.

    Pairs are TSV, CSV, JSONL or Parquet with `left` and `right`, and `label` (1 or 0) where not all of them are
    paraphrases. A part of them is held out: each one's right text is looked for among all held-out texts before
    training, while and after. A training that was stopped goes on when the same command is given again; a folder made
    another way is never overwritten.

    Example: `paraloom train embedder pairs.tsv --system static --hard-negatives 2 --out my-embedder`

    Parameters
    ----------
    files
        Files of pairs.
    out
        Folder for the embedder, its `README.md` (the card), `training.json` and `training.svg`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.train.embedder import README, train_embedder

    card = train_embedder(
        files or [],
        out,
        options,
        training,
        tell=say,
    )
    show(card, out / README, as_json=json)


@train.command
def generator(
    files: list[Path] | None = None,
    /,
    *,
    out: Path,
    options: Annotated[TrainGeneratorOptions, Flat] = TrainGeneratorOptions(),
    fit: Annotated[FitOptions, Flat] = FitOptions(),
    training: Annotated[PlanOptions, Flat] = PlanOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Train a generator, an adapter of a small Llama or any language model, on pairs that say the same.

    Pairs are TSV, CSV, JSONL or Parquet with `left` and `right`, and `label` (1 or 0) where not all of them are
    paraphrases. Each is learned from both ways, unless it teaches to copy or to invent: what is left out is counted by
    its reason. A training that was stopped goes on when the same command is given again; a folder made another way is
    never overwritten.

    Example: `paraloom train generator pairs.tsv --never test.tsv --out my-generator`

    Parameters
    ----------
    files
        Files of pairs.
    out
        Folder for the generator, its `README.md` (the card), `training.json` and `training.svg`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.train.generator import README, train_generator

    card = train_generator(files or [], out, options, training, fit=fit, tell=say)
    show(card, out / README, as_json=json)
