"""`paraloom evaluate extraction`: what people extracted → how productive each kind of source is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def extraction(
    files: list[Path],
    /,
    *,
    write_yields: Path | None = None,
    overwrite: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Measure how much people extract from pairs of documents: empty pairs, yield, coverage, length, by kind of source.

    Reads judgments of the task `extract` as `paraloom annotate export --format jsonl` writes them; published figures
    stand beside ours.

    Example: `paraloom evaluate extraction judged.jsonl --write-yields yields.csv`

    Parameters
    ----------
    files
        Exported judgments, JSONL or CSV.
    write_yields
        Write how many pairs each work gave into this file (.csv, .tsv, .jsonl, .json, .parquet);
        `paraloom align --round 2 --yields` reads it.
    overwrite
        Replace --write-yields if it is there.
    json
        Print one JSON object instead of a table.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.evaluate import extraction as extracted

    if write_yields is not None:
        extracted.check_yields_file(write_yields, files, overwrite=overwrite)
    evaluation = extracted.evaluate_extraction(files)
    if write_yields is not None:
        extracted.write_yields(evaluation, write_yields)
    show(evaluation, None, as_json=json)
