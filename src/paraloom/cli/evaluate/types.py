"""`paraloom evaluate types`: outputs with their sources → what types of paraphrase they are, good and poor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.evaluate.paraphrase_types_options import TypeOptions


def types(
    files: list[Path] | None = None,
    /,
    *,
    options: Annotated[TypeOptions, Parameter(name="*")] = TypeOptions(),
    check: Path | None = None,
    limit: int = 0,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Say what kind of paraphrases outputs are: synonyms, structure, simplification; copies, inventions, misreadings.

    Types are those of Table 7 of Dou et al. (2022). Each output has a poor type, or any number of good ones.

    Example: `paraloom evaluate types outputs.jsonl`

    Parameters
    ----------
    files
        Outputs as `generate` writes them, or pairs whose left text is the source (TSV, CSV, JSONL, Parquet).
    check
        Folder of P4P and MSRP-A: say how well types agree with those that people annotated, instead.
    limit
        With --check: so many pairs of each part, the first ones; 0: all.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import progress_bar
    from paraloom.cli.evaluate.results import Evaluation, show
    from paraloom.errors import InputError
    from paraloom.workflows.evaluate.paraphrase_types import evaluate_types
    from paraloom.workflows.evaluate.paraphrase_types_check import check_types

    if check is not None and files:
        raise InputError("Give files of outputs, or --check with a folder of annotated pairs; not both.")
    with progress_bar() as progress:

        def step(name: str, done: int, total: int) -> None:
            progress("types", name, done, total)

        evaluation: Evaluation = (
            evaluate_types(files or [], options, step)
            if check is None
            else check_types(check, options, limit=limit, step=step)
        )
    show(evaluation, None, as_json=json)
