"""`paraloom evaluate extraction`: what people extracted → how productive each kind of source is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def extraction(
    files: list[Path], /, *, write_yields: Path | None = None, json: Annotated[bool, Parameter(negative="")] = False
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
        Write how many pairs each work gave into this CSV file; `paraloom align --round 2 --yields` reads it.
    json
        Print one JSON object instead of a table.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.evaluate.extraction import evaluate_extraction

    evaluation = evaluate_extraction(files)
    if write_yields is not None:
        import csv
        import io

        from paraloom.engine.store import write_text

        written = io.StringIO()
        csv.writer(written).writerows([("work", "pairs"), *evaluation.works.items()])
        write_text(write_yields, written.getvalue())
    show(evaluation, None, as_json=json)
