"""`paraloom evaluate use`: what an identifier gains from a generator's pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.evaluate.use_options import UseOptions


def use(
    *,
    train: Path,
    generated: Path,
    test: Path,
    options: Annotated[UseOptions, Parameter(name="*")] = UseOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Evaluate a generator by use: train an identifier with and without its pairs, and measure the gain.

    Training and test pairs have `left`, `right` and `label`; generated ones `left` and `right` or `source` and
    `output`, or are JSONL as `generate` writes it, and are taken for paraphrases. As a control, an identifier is also
    trained with as many training paraphrases drawn again in their place.

    Example: `paraloom evaluate use --train train.tsv --generated outputs.jsonl --test test.tsv --out report`

    Parameters
    ----------
    train
        Labelled pairs to learn from.
    generated
        The generator's pairs.
    test
        Labelled pairs to measure on; what is learned from is cleared of them.
    out
        Folder for `report.html` and `use.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.use import write_use_report
    from paraloom.workflows.evaluate.use import evaluate_use

    evaluation = evaluate_use(train, generated, test, options)
    report = write_use_report(evaluation, out) if out else None
    show(evaluation, report, as_json=json)
