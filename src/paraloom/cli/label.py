"""`paraloom label`: judgments of several people → a label for each pair, and how far the people agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.evaluate.agreement_options import AnswerFileOptions
from paraloom.workflows.label.options import VoteLabelOptions

Flat = Parameter(name="*")


def label(
    judgments: list[Path],
    /,
    *,
    out: Path,
    options: Annotated[VoteLabelOptions, Flat] = VoteLabelOptions(),
    reading: Annotated[AnswerFileOptions, Flat] = AnswerFileOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Join the votes of several people into labels, and tell how far they agree.

    Judgments are a `judgments` table (its folder), the same rows as Parquet, JSONL, CSV or TSV, or plain answers with
    `item`, `annotator` and `answer`. Tasks that can be labelled are pair, choose and grade. The newest answer of a
    person to an item counts, and in place of all of them what an expert decided. Each item has a row in the file of
    labels, undecided ones too.

    Example: `paraloom label run/judgments --out labels.parquet --method dawid-skene`

    Parameters
    ----------
    judgments
        Folder of a table, or files of judgments or answers.
    out
        File for the labels (Parquet, JSONL, CSV or TSV, by its ending).
    json
        Print one JSON object: agreement, annotators, and what was counted.
    """
    import json as writer

    from paraloom.cli.console import say
    from paraloom.workflows.label.judged import label_judgments

    labelled = label_judgments(judgments, out, options, reading)
    if json:
        print(writer.dumps(labelled.as_json(), ensure_ascii=False, allow_nan=False))
    else:
        say(labelled.as_text())
