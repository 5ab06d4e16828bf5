"""`paraloom evaluate leakage`: what to train on and what to hold out → the pairs and texts that are in both."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.evaluate.leakage_options import LeakageOptions


def leakage(
    training: list[str],
    /,
    *,
    held_out: list[str],
    options: Annotated[LeakageOptions, Parameter(name="*")] = LeakageOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Look for held-out pairs, in either order, and texts among training pairs; case and tokens do not matter.

    Pairs are TSV, CSV, JSONL, JSON or Parquet with two texts a row, of any length; or published corpora, by name.

    Example: `paraloom evaluate leakage train.tsv mined.tsv --held-out dev.tsv test.tsv --refuse`

    Parameters
    ----------
    training
        Files of pairs, or corpora of --data, that a system learns from.
    held_out
        Files of pairs, or corpora of --data, that it is measured on.
    json
        Print one JSON object instead of a table.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.evaluate.leakage import evaluate_leakage

    evaluation = evaluate_leakage(training, held_out, options)
    show(evaluation, None, as_json=json)
    if options.refuse:
        evaluation.report.refuse_leaks()
