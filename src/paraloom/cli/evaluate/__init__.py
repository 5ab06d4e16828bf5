"""`paraloom evaluate …`: one module per kind of evaluation, each command with a report and `--json`."""

from __future__ import annotations

from cyclopts import App

from paraloom.cli.evaluate.agreement import agreement
from paraloom.cli.evaluate.extraction import extraction
from paraloom.cli.evaluate.generation import generation
from paraloom.cli.evaluate.identification import identification
from paraloom.cli.evaluate.leakage import leakage
from paraloom.cli.evaluate.parrot import parrot
from paraloom.cli.evaluate.rating import rating
from paraloom.cli.evaluate.retrieval import retrieval
from paraloom.cli.evaluate.types import types
from paraloom.cli.evaluate.use import use

evaluate = App(
    name="evaluate",
    help="Measure outputs, scores or judgments, with parrots, intervals and signatures.\n\n"
    "Example: `paraloom evaluate parrot pairs.tsv`",
)

evaluate.command(parrot)
evaluate.command(generation)
evaluate.command(types)
evaluate.command(identification)
evaluate.command(retrieval)
evaluate.command(agreement)
evaluate.command(rating)
evaluate.command(use)
evaluate.command(extraction)
evaluate.command(leakage)
